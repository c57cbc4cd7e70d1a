import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from './source-graph.ts'

/** Imports that Node loads: those of types are removed before it reads the file. */
const LOADED = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s+)?'([^']+)'/gm

const fileOf = (specifier: string, from: string): string => {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier
}

/** Modules that a thread loads when it starts: files of this project, names of packages. */
const modulesOf = (script: string): ReadonlySet<string> => {
  const found = new Set([script])
  for (const file of found) {
    if (!file.endsWith('.ts')) continue
    for (const [, specifier = ''] of readSource(file).matchAll(LOADED)) found.add(fileOf(specifier, file))
  }
  return found
}

const QUERIES = 'projections/read/query-worker.ts'
const PROJECTIONS = 'projections/write/projection-worker.ts'

test('the threads of queries and of read models load no declarations of entities, that of queries no validation [P-2893]', () => {
  for (const script of [QUERIES, PROJECTIONS]) {
    const modules = modulesOf(script)
    expect(modules.size, script).toBeGreaterThan(20)
    const declared = [...modules].filter(file => file.startsWith('schemas/entities/'))
    // Blocks share the types of values with variables.
    expect(declared, script).toEqual(script === QUERIES ? [] : ['schemas/entities/variable.ts'])
  }
  expect(modulesOf(QUERIES)).not.toContain('zod')
})

test('a start imports neither node:http, which loads an HTTP client as well, nor checks of compose files [P-2899]', () => {
  const modules = modulesOf('gateway/start-gateway.ts')
  expect(modules.size).toBeGreaterThan(800)
  expect(modules).not.toContain('node:http')
  expect(modules).not.toContain('domain/compose/check-compose.ts')
})
