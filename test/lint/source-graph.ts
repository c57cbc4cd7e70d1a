import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'vite'

export const ROOT = join(import.meta.dirname, '../..')

const IMPORT = /(?:\bfrom|\bimport\(|^import)\s*'([^']+)'/gm

/** Program files, tests left out, relative to the root with forward slashes. */
export const sourceFiles = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOT })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => !/\.test\.tsx?$/.test(file) && !file.startsWith('web/dist/'))
    .sort()

export const readSource = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Files of this project that a file imports, types included. */
export const importsOf = (file: string): readonly string[] =>
  [...readSource(file).matchAll(IMPORT)].flatMap(([, specifier = '']) => {
    if (specifier.startsWith('#')) return [specifier.slice(1)]
    return specifier.startsWith('.') ? [posix.join(posix.dirname(file), specifier)] : []
  })

/** A node of the syntax tree (ESTree with TypeScript and JSX). */
export interface SyntaxNode {
  readonly type: string
  /** UTF-16 offsets in the source. */
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Calls `visit` with each node of a file, parents first. `parents` is valid during the call. */
export const walkFile = (file: string, visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void): void => {
  const parents: SyntaxNode[] = []
  const walk = (node: SyntaxNode): void => {
    visit(node, parents)
    parents.push(node)
    for (const member in node) {
      const value = member === 'parent' ? undefined : node[member]
      if (Array.isArray(value)) {
        for (const child of value) if (isNode(child)) walk(child)
      } else if (isNode(value)) walk(value)
    }
    parents.pop()
  }
  const program: unknown = parseSync(file, readSource(file)).program
  if (!isNode(program)) throw new TypeError(`${file} has no syntax tree`)
  walk(program)
}

/** Line of an offset, from 1. */
export const lineOf = (file: string, offset: number): number => readSource(file).slice(0, offset).split('\n').length
