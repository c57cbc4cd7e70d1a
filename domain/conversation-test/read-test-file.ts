import { type Document, isMap, isNode, isScalar, isSeq, type LineCounter, type Scalar } from 'yaml'
import type { z } from 'zod'
import { readYaml } from '#domain/yaml.ts'
import { isObject } from '#schemas/json.ts'
import {
  headSchema,
  STEP_SCHEMAS,
  STUB_SCHEMAS,
  type StepKind,
  type StubKind,
  type TestFile,
  type TestStep,
  type TestStub,
} from './test-schema.ts'

type TestFaultCode =
  | 'syntax'
  | 'alias'
  | 'format'
  | 'required'
  | 'unknown'
  | 'type'
  | 'option'
  | 'toolong'
  | 'step'
  | 'stub'
  | 'duration'
  | 'pattern'
  // Names that the bot does not have.
  | 'block'
  | 'task'
  | 'dialog'
  | 'handler'
  | 'variable'

/** A fault at one place of a test file. */
export interface TestFault {
  /** From 1. */
  readonly line: number
  readonly column: number
  /** Dotted: `steps.3.bot.matches`; empty for the whole file. */
  readonly path: string
  readonly code: TestFaultCode
  /** The name that is meant, or what the reader of YAML says. */
  readonly text?: string
}

/** A file as it was read; `placeOf` finds a path of it. */
type ReadTest =
  | { readonly ok: true; readonly file: TestFile; readonly placeOf: PlaceOf }
  | { readonly ok: false; readonly errors: readonly TestFault[] }

type Path = readonly PropertyKey[]
export type PlaceOf = (path: Path) => { readonly line: number; readonly column: number }

interface Found {
  readonly path: Path
  readonly code: TestFault['code']
  readonly text?: string
}

const MAX_TEST_LENGTH = 256 * 1024
const MAX_ERRORS = 50
const MAX_ALIASES = 100

/** Reports the deepest issue of a union: its alternative fits best. */
const deepest = (issue: z.core.$ZodIssue): z.core.$ZodIssue => {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors
    .flat()
    .map(one => deepest({ ...one, path: [...issue.path, ...one.path] } as z.core.$ZodIssue))
  const isBetter = (one: z.core.$ZodIssue, best: z.core.$ZodIssue) =>
    one.path.length > best.path.length || (one.path.length === best.path.length && one.code === 'unrecognized_keys')
  return inner.reduce((best, one) => (isBetter(one, best) ? one : best), issue as z.core.$ZodIssue)
}

const codeOf = (issue: z.core.$ZodIssue): TestFault['code'] => {
  switch (issue.code) {
    case 'custom':
      return issue.params?.code === 'duration' ? 'duration' : issue.params?.code === 'pattern' ? 'pattern' : 'type'
    case 'invalid_value':
      return 'option'
    case 'too_big':
      return 'toolong'
    case 'too_small':
      return 'required'
    case 'invalid_type':
      return issue.input === undefined && issue.message.includes('undefined') ? 'required' : 'type'
    default:
      return 'type'
  }
}

const foundIn = (issue: z.core.$ZodIssue, at: Path): readonly Found[] => {
  const best = deepest(issue)
  const path = [...at, ...best.path]
  if (best.code === 'unrecognized_keys')
    return best.keys.map(key => ({ code: 'unknown', path: [...path, key], text: key }))
  const isFormat = path.length === 1 && (path[0] === 'format' || path[0] === 'version')
  return [{ code: isFormat ? 'format' : codeOf(best), path }]
}

/** Keys whose values are words, also where they look like a number: `user: 007`. */
const STEP_TEXTS: ReadonlySet<string> = new Set(['user', 'choose', 'press', 'attach', 'locate', 'menu', 'wait', 'bot'])
const BOT_TEXTS: ReadonlySet<string> = new Set(['text', 'contains', 'matches', 'card', 'options'])
const STUB_TEXTS: ReadonlySet<string> = new Set([
  'rest',
  'feed',
  'nlu',
  'brain',
  'ml',
  'bot',
  'agent',
  'handler',
  'intent',
])
const EXPECT_TEXTS: ReadonlySet<string> = new Set(['at', 'visited', 'notvisited', 'tags'])

const asWritten = (node: unknown): void => {
  if (isSeq(node)) for (const item of node.items) asWritten(item)
  if (!isScalar(node) || typeof node.value === 'string' || node.value === null) return
  const scalar = node as Scalar<unknown>
  scalar.value = scalar.source ?? String(scalar.value)
}

const wordsIn = (map: unknown, keys: ReadonlySet<string>): void => {
  if (!isMap(map)) return
  for (const { key, value } of map.items) if (isScalar(key) && keys.has(String(key.value))) asWritten(value)
}

/** Takes words as they are written, where words are meant. */
const keepWords = (document: Document): void => {
  if (!isMap(document.contents)) return
  wordsIn(document.contents, new Set(['name', 'description']))
  wordsIn(document.contents.get('given', true), new Set(['task', 'dialog', 'block', 'channel']))
  const stubs = document.contents.get('stubs', true)
  if (isSeq(stubs)) for (const stub of stubs.items) wordsIn(stub, STUB_TEXTS)
  const steps = document.contents.get('steps', true)
  if (!isSeq(steps)) return
  for (const step of steps.items) {
    wordsIn(step, STEP_TEXTS)
    if (!isMap(step)) continue
    wordsIn(step.get('bot', true), BOT_TEXTS)
    wordsIn(step.get('expect', true), EXPECT_TEXTS)
  }
}

const kindIn = <K extends string>(value: Readonly<Record<string, unknown>>, kinds: Readonly<Record<K, unknown>>) =>
  Object.keys(value).find((key): key is K => Object.hasOwn(kinds, key))

const readStep = (value: unknown, place: number, line: number): TestStep | readonly Found[] => {
  const at = ['steps', place]
  const kind = isObject(value) ? kindIn<StepKind>(value, STEP_SCHEMAS) : undefined
  if (!isObject(value) || kind === undefined) return [{ code: 'step', path: at }]
  const others = Object.keys(value).filter(key => key !== kind)
  if (others.length > 0) return others.map(key => ({ code: 'unknown', path: [...at, key], text: key }))
  const parsed = STEP_SCHEMAS[kind].safeParse(value[kind])
  if (!parsed.success) return parsed.error.issues.flatMap(issue => foundIn(issue, [...at, kind]))
  return { kind, value: parsed.data, line } as TestStep
}

const readStub = (value: unknown, place: number): TestStub | readonly Found[] => {
  const at = ['stubs', place]
  const kind = isObject(value) ? kindIn<StubKind>(value, STUB_SCHEMAS) : undefined
  if (kind === undefined) return [{ code: 'stub', path: at }]
  const parsed = STUB_SCHEMAS[kind].safeParse(value)
  if (!parsed.success) return parsed.error.issues.flatMap(issue => foundIn(issue, at))
  return { kind, ...parsed.data } as TestStub
}

const isFault = <T>(read: T | readonly Found[]): read is readonly Found[] => Array.isArray(read)

const readValue = (value: unknown, placeOf: PlaceOf): TestFile | readonly Found[] => {
  if (!isObject(value)) return [{ code: 'format', path: [] }]
  if (value.format !== 'parley-test') return [{ code: 'format', path: ['format'] }]
  const head = headSchema.safeParse(value, { reportInput: true })
  const headFaults = head.success ? [] : head.error.issues.flatMap(issue => foundIn(issue, []))
  const given = { stubs: value.stubs, steps: value.steps }
  const stubs = (Array.isArray(given.stubs) ? given.stubs : []).map(readStub)
  const steps = (Array.isArray(given.steps) ? given.steps : []).map((step, place) =>
    readStep(step, place, placeOf(['steps', place]).line),
  )
  const faults = [...headFaults, ...stubs.filter(isFault).flat(), ...steps.filter(isFault).flat()]
  if (!head.success || faults.length > 0) return faults
  const { name, description, loose, given: begins } = head.data
  return {
    name,
    ...(description === undefined ? {} : { description }),
    loose,
    given: begins,
    stubs: stubs.filter(stub => !isFault(stub)) as readonly TestStub[],
    steps: steps.filter(step => !isFault(step)) as readonly TestStep[],
  }
}

/** Position of a path, or of its deepest existing part: the value, or the key if there is no value. */
const placesIn = (document: Document, lines: LineCounter): PlaceOf => {
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  return path => {
    let node: unknown = document.contents
    let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
    for (const part of path) {
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && key.value === part)
        if (pair === undefined) break
        offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset
        node = pair.value
      } else if (isSeq(node)) {
        node = node.items[Number(part)]
        if (node === undefined) break
        offset = isNode(node) ? (node.range?.[0] ?? offset) : offset
      } else break
    }
    return at(offset)
  }
}

export const dotted = (path: Path): string => path.map(String).join('.')

/** Reads a file `parley-test`, YAML or JSON. It never throws. */
export const readTestFile = (source: string): ReadTest => {
  const whole = { line: 1, column: 1, path: '' }
  if (source.length > MAX_TEST_LENGTH) return { ok: false, errors: [{ ...whole, code: 'toolong' }] }
  const { document, lines } = readYaml(source)
  const placeOf = placesIn(document, lines)
  if (document.errors.length > 0) {
    const errors = document.errors.slice(0, MAX_ERRORS).map(({ pos, message }): TestFault => {
      const { line, col } = lines.linePos(pos[0])
      const [text = ''] = message.split(' at line')
      return { line: Math.max(1, line), column: Math.max(1, col), path: '', code: 'syntax', text: text.slice(0, 200) }
    })
    return { ok: false, errors }
  }
  keepWords(document)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    return { ok: false, errors: [{ ...whole, code: 'alias' }] }
  }
  const read = readValue(value, placeOf)
  if (!isFault<TestFile>(read)) return { ok: true, file: read, placeOf }
  const errors = read.slice(0, MAX_ERRORS).map(({ path, code, text }): TestFault => {
    return { ...placeOf(path), path: dotted(path), code, ...(text === undefined ? {} : { text }) }
  })
  return { ok: false, errors: errors.toSorted((one, other) => one.line - other.line) }
}
