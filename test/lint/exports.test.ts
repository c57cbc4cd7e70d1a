import { globSync } from 'node:fs'
import { basename, posix } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readSource, sourceFiles } from './source-graph.ts'

const PROGRAM = '{schemas,domain,commands,projections,realtime,runtime,gateway,web}/**/*.{ts,tsx}'
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

/** Tests and what is written for them. */
const TESTS = /(?:^test\/|\.test\.tsx?$|\/fixture\/|\/fixture\.ts$)/

/** Names of each file that `importers` import; `*` for a file that is loaded as a whole. */
const importedNames = (importers: (file: string) => boolean): ReadonlyMap<string, ReadonlySet<string>> => {
  const files = globSync(
    ['{schemas,domain,commands,projections,realtime,runtime,gateway,web,test,scripts}/**/*.{ts,tsx,mjs}'],
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
const plugins = globSync('web/{*-plugin,vite.config}.ts', { cwd: ROOT }).map(readSource).join('\n')

/** Exports of the program that no file among `importers` imports. */
const unusedExports = (importers: (file: string) => boolean): readonly string[] => {
  const imported = importedNames(importers)
  return sourceFiles(PROGRAM)
    .filter(file => importers(file) && !file.endsWith('.d.ts') && !plugins.includes(basename(file)))
    .flatMap(file => {
      const names = imported.get(file) ?? new Set()
      if (names.has('*')) return []
      return [...readSource(file).matchAll(EXPORT)].flatMap(([, name = '']) =>
        names.has(name) ? [] : [`${file}: ${name}`],
      )
    })
}

test('every export has an importer', () => {
  expect(unusedExports(() => true)).toEqual([])
})

/** An export that tests import counts as used when its own file uses it as well. */
const isUsedInFile = (entry: string): boolean => {
  const [file = '', name = ''] = entry.split(': ')
  return (
    (readSource(file).match(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g')) ?? []).length > 1
  )
}

test('no export is used by tests alone', () => {
  expect(unusedExports(file => !TESTS.test(file)).filter(entry => !isUsedInFile(entry))).toEqual([])
})
