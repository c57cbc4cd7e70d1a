import type { Json } from '#schemas/event.ts'
import type { Outcome, ProviderAnswer } from '../channel-port.ts'
import { byStatus, retryAfter } from '../classify.ts'
import { graphCode } from '../shared/graph.ts'
import { group, groups, text } from '../shared/json-reader.ts'

/** ms until a refused message is retried, by Meta's code; any other code is final. */
const RETRY_MS: ReadonlyMap<number, number> = new Map([
  ...[1, 2, 131_000, 131_016, 133_004].map(code => [code, 0] as const),
  ...[4, 80_007, 130_429].map(code => [code, 5_000] as const),
  /** Limit per pair of business and person: one message per 6 s. */
  [131_056, 6_000],
  /** The number is being upgraded. */
  [131_057, 20_000],
])

const idOf = (body: Json | undefined): string => text(groups(group(body).messages)[0]?.id)

/**
 * Outcome by Meta's code, never by its text. The code of a 5xx is ignored, because the message may have been accepted
 * (CAMPAIGNS 3).
 */
export const classifyCloud = (answer: ProviderAnswer): Outcome => {
  const code = graphCode(answer.body)
  if (code === undefined || answer.status < 400 || answer.status >= 500) return byStatus(answer, idOf)
  const after = RETRY_MS.get(code)
  if (after !== undefined || answer.status === 429) return { kind: 'retry', after: retryAfter(answer, after) }
  return { kind: 'final', code: String(code) }
}
