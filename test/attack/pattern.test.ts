import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { expect, test } from 'vitest'
import { passes } from '#domain/flow/lint/check-value.ts'
import { parseRich } from '#domain/flow/text/rich-text.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { createSchema } from '#schemas/entity.ts'
import { foldName } from '#schemas/fold-text.ts'
import { isFull } from '#test/fixture/full.ts'

const ROOT = join(import.meta.dirname, '../..')
const SOURCES = ['schemas', 'domain', 'commands', 'projections', 'realtime', 'runtime', 'gateway', 'web']
const LITERAL = /(?<=[=(,:[!&|?{};\s])\/(?![*/ ])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuvy]*)/g

/** Every regular expression in the code, except in tests. */
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
/** ms; quadratic searches take several seconds. */
const INSTANT = 1_000
/** The tenth part of it takes the tenth part of the time, or less where time grows with the square or faster. */
const SHORT_LENGTH = LENGTH / 10
/** Time limit of a test that hangs, ms. The tests judge processor time. */
const LONG = isFull ? 1_800_000 : 240_000
/** Slow inputs for patterns: long runs of a repeated unit, ended by a mismatch. */
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

/** Processor time of this thread so far, ms; excludes all other load. */
const spent = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const textsOf = (length: number): readonly string[] =>
  UNITS.flatMap(unit => SUFFIXES.map(suffix => unit.repeat(Math.ceil(length / unit.length)) + suffix))
const LONG_TEXTS = textsOf(LENGTH)
const SHORT_TEXTS = textsOf(SHORT_LENGTH)

/** ms for each of the texts. */
const timesOf = (texts: readonly string[], run: (text: string) => void): number[] =>
  texts.map(text => {
    const began = spent()
    run(text)
    return spent() - began
  })

/** A search whose time grows with the square of the length. */
const QUADRATIC = /\{\{.*?\}\}/g
const quadraticTime = (): number =>
  Math.max(...timesOf(['{'.repeat(SHORT_LENGTH)], text => text.replace(QUADRATIC, '')))
/**
 * ms, by the speed of this machine: a third of what a known quadratic search takes for a short text. The full form
 * tries every long text.
 */
const SUSPECT = isFull ? 0 : Math.min(quadraticTime(), quadraticTime(), quadraticTime()) / 3

/** The longest time for a text, ms: long texts are tried where the short ones of their kind are suspect. */
const slowest = (time: (texts: readonly string[]) => readonly number[]): number => {
  const short = time(SHORT_TEXTS)
  const long = time(LONG_TEXTS.filter((_, index) => (short[index] ?? 0) >= SUSPECT))
  return Math.max(...short, ...long)
}

/** ms; a search stopped by this limit is too slow under any load. */
const ENDED = 5_000
const search = new Script(
  "timesOf(texts, text => { pattern.lastIndex = 0; pattern.global ? text.replace(pattern, '') : pattern.test(text) })",
)
const sandbox = createContext({ pattern: /a/, texts: [''], timesOf })

/** Searches with a timeout per text, or for all short ones: an exponential search would never return. */
const searchBounded = (pattern: RegExp, texts: readonly string[], timeout = ENDED): readonly number[] => {
  Object.assign(sandbox, { pattern, texts })
  return search.runInContext(sandbox, { timeout })
}

const slowestSearch = (pattern: RegExp): number =>
  slowest(texts =>
    texts[0]?.length === SHORT_TEXTS[0]?.length
      ? searchBounded(pattern, texts)
      : texts.flatMap(text => searchBounded(pattern, [text])),
  )

test('a pattern without an end is ended', () => {
  expect(() => searchBounded(/^(?:a+)+$/u, [`${'a'.repeat(50)}!`], 200)).toThrow()
})

test('a pattern whose time grows with the square of the length is tried with long texts', () => {
  const [time = 0] = searchBounded(QUADRATIC, ['{'.repeat(SHORT_LENGTH)])
  expect(time).toBeGreaterThan(SUSPECT)
  const timeOf = (length: number) => INSTANT * (length / LENGTH) ** 2
  expect(slowest(texts => texts.map(({ length }) => timeOf(length)))).toBeGreaterThanOrEqual(INSTANT)
})

test(
  'no pattern in the code takes more than an instant for any text, so that nobody can stop the gateway with one',
  () => {
    const all = patterns()
    expect(all.size).toBeGreaterThan(40)
    const slow = [...all].flatMap(([where, pattern]) => {
      try {
        const longest = slowestSearch(pattern)
        return longest > INSTANT ? [`${where}: ${Math.round(longest)} ms`] : []
      } catch {
        return [`${where}: without an end`]
      }
    })
    expect(slow).toEqual([])
  },
  LONG,
)

test(
  'nor do the fields of things, names, addresses and rich texts',
  () => {
    expect(slowest(texts => timesOf(texts, foldName))).toBeLessThan(INSTANT)
    expect(slowest(texts => timesOf(texts, parseRich))).toBeLessThan(INSTANT)
    expect(slowest(texts => timesOf(texts, text => passes('host', text)))).toBeLessThan(INSTANT)
    for (const entity of Object.values(ENTITIES)) {
      const schema = createSchema(entity)
      const fields = Object.keys(schema.shape)
      expect(
        slowest(texts =>
          timesOf(texts, text => schema.safeParse(Object.fromEntries(fields.map(name => [name, text])))),
        ),
        entity.name,
      ).toBeLessThan(INSTANT)
    }
  },
  LONG,
)
