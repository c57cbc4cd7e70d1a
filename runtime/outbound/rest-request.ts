import type { Json, JsonObject } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import {
  type BlockText,
  bodyText,
  type Evaluation,
  evaluateTexts,
  numberAt,
  type Pair,
  pairsAt,
  textOf,
} from './body-text.ts'
import type { OutboundAnswer, OutboundRequest } from './call.ts'

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
export const jsonOf = (answer: OutboundAnswer): Json | undefined => {
  if (answer.truncated) return undefined
  try {
    return JSON.parse(bodyText(answer) ?? '') as Json
  } catch {
    return undefined
  }
}

/** ms until a request that was not accepted may be repeated. */
export const retryWait = ({ headers }: OutboundAnswer): number => {
  const seconds = Number(headers.find(([name]) => name === 'retry-after')?.[1])
  return Number.isFinite(seconds) ? seconds * 1000 : FIRST_RETRY_MS
}
