import { globSync } from 'node:fs'
import { basename, posix } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readSource, sourceFiles } from './source-graph.ts'

const PROGRAM = '{schemas,domain,commands,projections,realtime,gateway,web}/**/*.{ts,tsx}'
const EXPORT = /^export (?:declare )?(?:async )?(?:const|function|class|interface|type|enum)\s+([\w$]+)/gm
const IMPORT =
  /(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,?\s*)?(?:\{([^}]*)\}|\*(?:\s+as\s+\w+)?)?\s*from\s*'([^']+)'/g
/** Files that are loaded as a whole: by a call, a worker's address, or a bundler's pattern. */
const WHOLE = /(?:import\(|new URL\(|import\.meta\.glob(?:<[^(]*>)?\(|SOURCE = )\s*'([^']+)'/g

const pathOf = (file: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : undefined
}

const nameOf = (part: string): string =>
  (
    part
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/)[0] ?? ''
  ).trim()

const TESTS = /(?:^test\/|\.test\.tsx?$|\/fixture\/|\/fixture\.ts$)/

/** What each file has that one of `importers` imports; `*` for a file that is loaded as a whole. */
const importedNames = (importers: (file: string) => boolean): ReadonlyMap<string, ReadonlySet<string>> => {
  const files = globSync(
    ['{schemas,domain,commands,projections,realtime,gateway,web,test,scripts}/**/*.{ts,tsx,mjs}'],
    {
      cwd: ROOT,
      exclude: ['web/dist/**'],
    },
  )
  const found = new Map<string, Set<string>>()
  const add = (target: string | undefined, name: string) => {
    if (target !== undefined) found.set(target, (found.get(target) ?? new Set()).add(name))
  }
  for (const file of files.map(each => each.replaceAll('\\', '/')).filter(importers)) {
    const source = readSource(file)
    for (const [, names, specifier = ''] of source.matchAll(IMPORT)) {
      const target = pathOf(file, specifier)
      for (const part of names?.split(',') ?? ['*']) add(target, names === undefined ? '*' : nameOf(part))
    }
    for (const [, specifier = ''] of source.matchAll(WHOLE)) {
      const pattern = pathOf(
        file,
        specifier.startsWith('.') || specifier.startsWith('#') ? specifier : `./${specifier}`,
      )
      for (const target of pattern?.includes('*') ? globSync(pattern, { cwd: ROOT }) : [pattern]) add(target, '*')
    }
  }
  return found
}

/** The source of a virtual module is named by its plugin. */
const plugins = globSync('web/*-plugin.ts', { cwd: ROOT }).map(readSource).join('\n')

test('every export has an importer', () => {
  const imported = importedNames(() => true)
  const unused = sourceFiles(PROGRAM)
    .filter(file => !file.endsWith('.d.ts') && !plugins.includes(basename(file)))
    .flatMap(file => {
      const names = imported.get(file) ?? new Set()
      if (names.has('*')) return []
      return [...readSource(file).matchAll(EXPORT)].flatMap(([, name = '']) =>
        names.has(name) ? [] : [`${file}: ${name}`],
      )
    })
  expect(unused).toEqual([])
})

test('what tests alone import is used in its own file', () => {
  const imported = importedNames(file => !TESTS.test(file))
  const unused = sourceFiles(PROGRAM)
    .filter(file => !TESTS.test(file) && !file.endsWith('.d.ts') && !plugins.includes(basename(file)))
    .flatMap(file => {
      const names = imported.get(file) ?? new Set()
      if (names.has('*')) return []
      const source = readSource(file)
      const isUsedHere = (name: string) =>
        source.split(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`)).length > 2
      return [...source.matchAll(EXPORT)].flatMap(([, name = '']) =>
        names.has(name) || isUsedHere(name) ? [] : [`${file}: ${name}`],
      )
    })
  expect(unused).toEqual([])
})
