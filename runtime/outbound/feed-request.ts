import type { JsonObject } from '#schemas/event.ts'
import { accepted, type Result } from '#schemas/refusal.ts'
import { type BlockText, type Evaluation, evaluateTexts, numberAt, pairsAt, textAt, textOf } from './block-text.ts'
import type { OutboundRequest } from './call.ts'

const TIMEOUT = 20_000
const MAX_TIMEOUT_MS = 60_000
const MAX_BODY_BYTES = 2_000_000
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
    most: MAX_BODY_BYTES,
  })
}
