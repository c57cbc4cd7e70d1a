import type { ParserName } from '#domain/expression/engine.ts'
import type { Evaluator } from '#domain/expression/interruptible.ts'
import { shown } from '#domain/expression/library.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, parseJson, textAt } from '#schemas/json.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { OutboundAnswer, OutboundRequest } from './call.ts'

/** The encoding that an XML document declares. */
const XML = /^\s*<\?xml [^<>]{0,100}?encoding=["']([\w:.-]+)/
const BYTE_ORDER_MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
]
/** The web reads Latin-1 as this charset, in which every byte is a character. */
const LATIN = 'windows-1252'

const markOf = (body: Uint8Array): string | undefined =>
  BYTE_ORDER_MARKS.find(([, bytes]) => bytes.every((byte, at) => body[at] === byte))?.[0]

/** Detects UTF-16 without a byte order mark: markup starts with `<` or white space, whose other byte is 0. */
const utf16Of = ([first = 0, second = 0, third = 0, fourth = 0]: Uint8Array): string | undefined => {
  const isAscii = (byte: number) => byte > 0 && byte < 0x80
  if (isAscii(first) && second === 0 && isAscii(third) && fourth === 0) return 'utf-16le'
  return first === 0 && isAscii(second) && third === 0 && isAscii(fourth) ? 'utf-16be' : undefined
}

const beginningOf = (body: Uint8Array): string => new TextDecoder('latin1').decode(body.subarray(0, 300))

/** Ignores a declared UTF-16: a declaration readable byte by byte cannot be UTF-16. */
const declaredIn = (body: Uint8Array): string | undefined => {
  const declared = XML.exec(beginningOf(body))?.[1]
  return declared === undefined || /^utf-?16/i.test(declared) ? undefined : declared
}

const charsetOf = ({ headers, body }: OutboundAnswer): string | undefined => {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const said = /;\s*charset=["']?([\w:.-]+)/i.exec(type)?.[1]
  return markOf(body) ?? utf16Of(body) ?? said ?? declaredIn(body)
}

const decoderOf = (charset: string): TextDecoder => {
  try {
    return new TextDecoder(charset, { fatal: true })
  } catch {
    return new TextDecoder('utf-8', { fatal: true })
  }
}

const decoded = ({ body, truncated }: OutboundAnswer, charset: string): string | undefined => {
  try {
    // A truncated body may end within a character.
    const text = decoderOf(charset).decode(body, { stream: truncated })
    return text.includes('\u0000') ? undefined : text
  } catch {
    return undefined
  }
}

/** A response body as text; undefined for binary data. Markup that is not valid in its charset is read as Latin-1. */
export const bodyText = (answer: OutboundAnswer): string | undefined => {
  const text = decoded(answer, charsetOf(answer) ?? 'utf-8')
  const isMarkup = beginningOf(answer.body).trimStart().startsWith('<')
  return text === undefined && isMarkup ? decoded(answer, LATIN) : text
}

/** A text of a block with its dotted path. */
interface BlockText {
  readonly path: string
  readonly text: string
  readonly template: 'text' | 'json'
}

/** Input for evaluating the texts of a block. */
export interface Evaluation {
  readonly evaluator: Evaluator
  readonly parser: ParserName
  readonly values: JsonObject
}

/** ms allowed for one text, and for a whole block. */
const TEXT_LIMIT_MS = 1000
const TEXTS_LIMIT_MS = 5000

/** The value of each text by its path, or the errors of all texts that fail. */
const evaluateTexts = async (
  texts: readonly BlockText[],
  { evaluator, parser, values }: Evaluation,
): Promise<Result<ReadonlyMap<string, unknown>>> => {
  const made = new Map<string, unknown>()
  const errors: FieldError[] = []
  const jobs = texts.map(({ text, template }) => ({
    job: { kind: 'template', text, template, parser, context: values } as const,
    ms: TEXT_LIMIT_MS,
  }))
  const { outcomes } = await evaluator.evaluateAll(jobs, TEXTS_LIMIT_MS)
  for (const [place, { path }] of texts.entries()) {
    const outcome = outcomes[place]
    if (outcome?.ok) made.set(path, outcome.value)
    else if (outcome !== undefined) {
      const { code, name, place } = outcome.fault
      const rule = code === 'unclosed' && place.length === 0 ? 'incomplete' : code
      errors.push({ path, code: 'expression', params: { rule, ...(name === undefined ? {} : { name }) } })
    }
  }
  return errors.length === 0 ? accepted(made) : refused('validation.failed', { errors })
}

/** A value within a text: null and undefined are empty, objects become JSON. */
const textOf = (value: unknown): string => shown(value)

export const numberAt = (properties: JsonObject, name: string, otherwise: number): number => {
  const value = properties[name]
  return typeof value === 'number' && value > 0 ? value : otherwise
}

interface Pair {
  readonly name: string
  readonly text: BlockText
}

/** Name and text pairs of a flow file: items, or an object of name → text. */
const pairsAt = (properties: JsonObject, list: string): readonly Pair[] => {
  const held = properties[list]
  const items: readonly (readonly [Json | undefined, Json | undefined])[] = Array.isArray(held)
    ? held.filter(isObject).map(({ name, value }) => [name, value])
    : isObject(held)
      ? Object.entries(held)
      : []
  return items.flatMap(([name, value], place) => {
    if (typeof name !== 'string' || name.trim() === '') return []
    return [{ name, text: { path: `${list}.${place}`, text: textOf(value), template: 'text' } }]
  })
}

const TIMEOUT = 20_000
/** Limit for trying a block, even if its own timeout is longer. */
const MAX_TIMEOUT_MS = 60_000
const MAX_BODY_BYTES = 1_000_000

const isBlank = (text: string) => text.trim() === ''

/** The body and its type: form data if there is any and no input, else the input as JSON. */
const bodyOf = (input: BlockText, form: readonly Pair[], values: ReadonlyMap<string, unknown>) => {
  if (!isBlank(input.text)) return { body: JSON.stringify(values.get(input.path) ?? null), type: 'application/json' }
  if (form.length === 0) return undefined
  const pairs = form.map(({ name, text }) => [name, textOf(values.get(text.path))])
  return { body: new URLSearchParams(pairs).toString(), type: 'application/x-www-form-urlencoded' }
}

/** The request of a restservice block with these values. */
export const restRequest = async (properties: JsonObject, evaluation: Evaluation): Promise<Result<OutboundRequest>> => {
  const method = textAt(properties, 'methodType').toUpperCase() || 'GET'
  const reads = method === 'GET'
  const url: BlockText = { path: 'url', text: textAt(properties, 'url'), template: 'text' }
  const input: BlockText = { path: 'input', text: reads ? '' : textAt(properties, 'input'), template: 'json' }
  const headers = pairsAt(properties, 'headers')
  const form = reads ? [] : pairsAt(properties, 'formData')
  const texts = [url, input, ...headers.map(({ text }) => text), ...form.map(({ text }) => text)]
  const made = await evaluateTexts(texts, evaluation)
  if (!made.ok) return made
  const values = made.value
  const body = bodyOf(input, form, values)
  const own = headers.map(({ name, text }) => [name, textOf(values.get(text.path))] as const)
  return accepted({
    method: METHODS.has(method) ? method : 'GET',
    url: textOf(values.get('url')),
    headers: body === undefined ? own : [['content-type', body.type], ...own],
    timeout: Math.min(numberAt(properties, 'timeout', TIMEOUT), MAX_TIMEOUT_MS),
    most: MAX_BODY_BYTES,
    ...(body === undefined ? {} : { body: body.body }),
  })
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

const MAX_FEED_BYTES = 2_000_000
const ACCEPT = 'application/rss+xml, application/atom+xml, application/xml;q=0.9, */*;q=0.5'

/** The request of a feed block with these values. */
export const feedRequest = async (properties: JsonObject, evaluation: Evaluation): Promise<Result<OutboundRequest>> => {
  const url: BlockText = { path: 'url', text: textAt(properties, 'url'), template: 'text' }
  const headers = pairsAt(properties, 'headers')
  const made = await evaluateTexts([url, ...headers.map(({ text }) => text)], evaluation)
  if (!made.ok) return made
  const own = headers.map(({ name, text }) => [name, textOf(made.value.get(text.path))] as const)
  return accepted({
    method: 'GET',
    url: textOf(made.value.get('url')),
    headers: [['accept', ACCEPT], ...own],
    timeout: Math.min(numberAt(properties, 'timeout', TIMEOUT), MAX_TIMEOUT_MS),
    most: MAX_FEED_BYTES,
  })
}

const FIRST_RETRY_MS = 300

/** Requests answered with these were not accepted and can be repeated. */
export const NOT_TAKEN: ReadonlySet<number> = new Set([429, 503])

/** The JSON of a response; undefined when it is invalid or truncated. */
export const jsonOf = (answer: OutboundAnswer): Json | undefined =>
  answer.truncated ? undefined : parseJson(bodyText(answer) ?? '')

/** ms until a request that was not accepted may be repeated. */
export const retryWait = ({ headers }: OutboundAnswer): number => {
  const seconds = Number(headers.find(([name]) => name === 'retry-after')?.[1])
  return Number.isFinite(seconds) ? seconds * 1000 : FIRST_RETRY_MS
}
