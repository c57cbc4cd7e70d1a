import { type Document, isMap, isSeq } from 'yaml'
import { readYaml } from '#domain/yaml.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, jsonEqual } from '#schemas/json.ts'
import type { TestResult } from './test-result.ts'

/** Mask of an answer; never written into a test. */
const DOTS = '••••••'

/** Names in an updated expectation of the state. */
const STATE_NAMES = new Set(['at', 'variables', 'tags', 'ended', 'idle', 'status', 'retained', 'called'])

/** `all`: everything received that the step checks; `words`: only the text. */
type AcceptedPart = 'all' | 'words'

export type FailedStep = Pick<TestResult, 'step' | 'kind'> & { readonly expected?: Json; readonly got?: Json }

const textOf = (got: Json): Json | undefined => (isObject(got) ? got.text : got)

/** The message that came, as far as the step says something about messages. */
const messageFor = (expected: Json, got: Json): Json => {
  if (!isObject(expected)) {
    const hasOptions = isObject(got) && got.text !== undefined && got.options !== undefined
    return hasOptions ? { text: got.text ?? '', options: got.options ?? [] } : (textOf(got) ?? got)
  }
  if (isObject(got) && got.type !== undefined && expected.type === undefined) return got
  const came = isObject(got) ? got : { text: got }
  const isAsked = (...names: readonly string[]) => names.some(name => name in expected)
  const kept = {
    ...(isAsked('text', 'contains', 'matches') && came.text !== undefined ? { text: came.text } : {}),
    ...(isAsked('type') ? { type: came.type ?? 'text' } : {}),
    ...(isAsked('card') && came.card !== undefined ? { card: came.card } : {}),
    ...(isAsked('options') && came.options !== undefined ? { options: came.options } : {}),
    ...(isAsked('wait') && came.wait !== undefined ? { wait: came.wait } : {}),
  }
  return Object.keys(kept).length === 0 ? got : kept
}

/** The received text in place of the expected one; the step's other checks stay. */
const wordsFor = (expected: Json, got: Json): Json | undefined => {
  const text = textOf(got)
  if (typeof text !== 'string' || !isObject(expected)) return text
  const { text: _text, contains: _contains, matches: _matches, ...kept } = expected
  return Object.keys(kept).length === 0 ? text : { text, ...kept }
}

/** An expectation of the state with what holds instead. */
const acceptState = (document: Document, at: readonly unknown[], { expected, got }: FailedStep): boolean => {
  if (!isObject(expected) || !isObject(got)) return false
  const [name = ''] = Object.keys(expected)
  const value = got[name] ?? null
  if (name === 'visited' || name === 'notvisited') {
    const wrong = new Set(Array.isArray(expected[name]) ? expected[name] : [])
    const held = document.getIn([...at, name])
    if (!isSeq(held)) return false
    const left = (held.toJSON() as Json[]).filter(title => !wrong.has(title))
    if (left.length === 0) document.deleteIn([...at, name])
    else document.setIn([...at, name], document.createNode(left))
    return true
  }
  if (!STATE_NAMES.has(name) || JSON.stringify(value).includes(DOTS)) return false
  if (name === 'called') return false
  if (value === null) document.deleteIn([...at, name])
  else if (name === 'variables' && isObject(value))
    for (const [variable, held] of Object.entries(value))
      document.setIn([...at, name, variable], document.createNode(held))
  else document.setIn([...at, name], document.createNode(value))
  return true
}

const accept = (document: Document, failed: FailedStep, part: AcceptedPart): boolean => {
  const steps = document.get('steps')
  const { step = 0, kind, expected = null, got = null } = failed
  const place = step - 1
  if (!isSeq(steps) || !isMap(steps.items[place])) return false
  switch (kind) {
    case 'message': {
      const message = part === 'words' ? wordsFor(expected, got) : messageFor(expected, got)
      // The text matches, so another part differs.
      if (message === undefined || jsonEqual(message, expected)) return false
      document.setIn(['steps', place, 'bot'], document.createNode(message))
      return true
    }
    case 'silent':
      document.deleteIn(['steps', place])
      return steps.items.length > 0
    case 'extra': {
      const messages: readonly Json[] = Array.isArray(got) ? got : []
      const taken = part === 'words' ? messages.slice(0, 1).flatMap(message => textOf(message) ?? []) : messages
      const came = taken.map(message => document.createNode({ bot: message }))
      steps.items.splice(step, 0, ...came)
      return came.length > 0
    }
    case 'state': {
      if (!acceptState(document, ['steps', place, 'expect'], failed)) return false
      const left = document.getIn(['steps', place, 'expect'])
      if (isMap(left) && left.items.length === 0) document.deleteIn(['steps', place])
      return steps.items.length > 0
    }
    default:
      return false
  }
}

/**
 * The file of a test with what came in place of what its failing step expected; all else stays as it is written.
 * Undefined where what came cannot be expected: a button that is not there, a call without an answer, a masked value.
 * With `words` the words of one message alone are taken.
 */
export const acceptStep = (source: string, failed: FailedStep, part: AcceptedPart = 'all'): string | undefined => {
  const { document } = readYaml(source)
  if (document.errors.length > 0 || !accept(document, failed, part)) return undefined
  return document.toString({ lineWidth: 0 })
}
