import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceFiles } from './source-graph.ts'
import { isNode, lineOf, type SyntaxNode, walkFile } from './syntax.ts'

/** Lines of a function; longer ones are split. */
const MAX_LINES = 60

/** The functions that were longer when this test was written, with their lines: a ceiling for each that only sinks. */
const CEILINGS = JSON.parse(readFileSync(join(import.meta.dirname, 'long-functions.json'), 'utf8')) as Readonly<
  Record<string, number>
>

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const FOLDERS = ['schemas', 'domain', 'commands', 'projections', 'realtime', 'runtime', 'gateway', 'web']

const ownName = ({ id, key }: SyntaxNode): string | undefined => {
  const named = isNode(id) ? id.name : isNode(key) ? key.name : undefined
  return typeof named === 'string' ? named : undefined
}

/** A function is called by its own name, or by that of what it is assigned or handed to. */
const nameOf = (node: SyntaxNode, parents: readonly SyntaxNode[]): string =>
  ownName(node) ?? parents.map(ownName).findLast(name => name !== undefined) ?? 'module'

const longFunctions = (): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const file of FOLDERS.flatMap(folder => sourceFiles(`${folder}/**/*.{ts,tsx}`))) {
    walkFile(file, (node, parents) => {
      if (!FUNCTIONS.has(node.type)) return
      const lines = lineOf(file, node.end) - lineOf(file, node.start) + 1
      const name = `${file} ${nameOf(node, parents)}`
      if (lines > MAX_LINES) found[name] = Math.max(found[name] ?? 0, lines)
    })
  }
  return found
}

const found = longFunctions()

test(`no function is longer than ${MAX_LINES} lines, and those that were get no longer`, () => {
  const tooLong = Object.entries(found).filter(([name, lines]) => lines > (CEILINGS[name] ?? MAX_LINES))
  expect(tooLong).toEqual([])
})

test('a function that was split or cut leaves the list or lowers its ceiling', () => {
  const loose = Object.entries(CEILINGS).filter(([name, ceiling]) => found[name] !== ceiling)
  expect(loose.map(([name]) => name)).toEqual([])
})
