import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import {
  type BlockText,
  type Evaluation,
  evaluateTexts,
  numberAt,
  type Pair,
  pairsAt,
  textAt,
  textOf,
} from './block-text.ts'
import type { OutboundRequest } from './call.ts'

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
