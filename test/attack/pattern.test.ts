import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { expect, test } from 'vitest'
import { parseRich } from '#domain/flow/text/rich-text.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { createSchema } from '#schemas/entity.ts'
import { foldName } from '#schemas/fold-name.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['schemas', 'domain', 'commands', 'projections', 'realtime', 'gateway', 'web']
const LITERAL = /(?<=[=(,:[!&|?{};\s])\/(?![*/ ])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g

/** Every regular expression that stands in the code, but those of tests. */
const patterns = (): ReadonlyMap<string, RegExp> => {
  const found = new Map<string, RegExp>()
  for (const path of globSync(
    SOURCES.map(folder => `${folder}/**/*.{ts,tsx}`),
    { cwd: ROOT },
  )) {
    if (path.includes('.test.') || path.includes('/dist/') || path.includes('node_modules')) continue
    for (const line of readFileSync(join(ROOT, path), 'utf8').split('\n')) {
      if (/^\s*(\*|\/\*|\/\/)/.test(line)) continue
      for (const [literal, source = '', flags = ''] of line.matchAll(LITERAL)) {
        try {
          found.set(`${path}: ${literal}`, new RegExp(source, flags))
        } catch {
          // A quotient, not a pattern.
        }
      }
    }
  }
  return found
}

const LENGTH = 50_000
/** ms; what grows with the square of the length takes several seconds. */
const INSTANT = 1_000
/** What patterns are slow on: long runs of what they repeat, ended by what does not fit. */
const UNITS = [
  'a',
  '0',
  ' ',
  '\t',
  '-',
  '.',
  '_',
  '"',
  '/',
  '*',
  '{',
  '[',
  '<',
  '\\',
  '@a.',
  'a ',
  'a.',
  'ab-',
  '0.',
  '{{',
  '${',
  '**',
  '[a](',
  '\n',
  'é',
  '=',
  ':',
]
const SUFFIXES = ['', '!', '\u0000', 'x\n']

/** Processor time of this thread so far, ms: what else the machine does is not in it. */
const spent = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const slowest = (run: (text: string) => void): number => {
  let longest = 0
  for (const unit of UNITS)
    for (const suffix of SUFFIXES) {
      const text = unit.repeat(Math.ceil(LENGTH / unit.length)) + suffix
      const began = spent()
      run(text)
      longest = Math.max(longest, spent() - began)
    }
  return longest
}

/** ms; a search that is ended has taken too long, whatever else the machine does. */
const ENDED = 5_000
const search = new Script("pattern.global ? text.replace(pattern, '') : pattern.test(text)")
const sandbox = createContext({ pattern: /a/, text: '' })

/** Searches with a bound: what takes exponential time would never come back. */
const searchBounded = (pattern: RegExp, text: string): void => {
  Object.assign(sandbox, { pattern, text })
  search.runInContext(sandbox, { timeout: ENDED })
}

test('a pattern without an end is ended', () => {
  expect(() => searchBounded(/^(?:a+)+$/u, `${'a'.repeat(50)}!`)).toThrow()
}, 60_000)

test('no pattern in the code takes more than an instant for any text, so that nobody can stop the gateway with one', () => {
  const all = patterns()
  expect(all.size).toBeGreaterThan(40)
  const slow = [...all].flatMap(([where, pattern]) => {
    try {
      const longest = slowest(text => {
        pattern.lastIndex = 0
        searchBounded(pattern, text)
      })
      return longest > INSTANT ? [`${where}: ${Math.round(longest)} ms`] : []
    } catch {
      return [`${where}: without an end`]
    }
  })
  expect(slow).toEqual([])
}, 240_000)

test('nor do the fields of things, names and rich texts', () => {
  expect(slowest(text => void foldName(text))).toBeLessThan(INSTANT)
  expect(slowest(text => void parseRich(text))).toBeLessThan(INSTANT)
  for (const entity of Object.values(ENTITIES)) {
    const schema = createSchema(entity)
    const fields = Object.keys(schema.shape)
    expect(
      slowest(text => void schema.safeParse(Object.fromEntries(fields.map(name => [name, text])))),
      entity.name,
    ).toBeLessThan(INSTANT)
  }
})
