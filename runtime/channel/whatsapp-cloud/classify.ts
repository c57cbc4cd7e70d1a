import type { Json } from '#schemas/event.ts'
import { byStatus, retryAfter } from '../classify.ts'
import type { Outcome, ProviderAnswer } from '../port.ts'
import { graphCode } from '../shared/graph.ts'
import { group, groups, text } from '../shared/member.ts'

/** ms after which what was not taken is tried again, by Meta's code; any other code is final. */
const RETRY_MS: ReadonlyMap<number, number> = new Map([
  ...[1, 2, 131_000, 131_016, 133_004].map(code => [code, 2_000] as const),
  ...[4, 80_007, 130_429].map(code => [code, 5_000] as const),
  /** The pair of business and person: one message each 6 s. */
  [131_056, 6_000],
  /** The number is being upgraded. */
  [131_057, 20_000],
])

const idOf = (body: Json | undefined): string => text(groups(group(body).messages)[0]?.id)

/**
 * By Meta's code, never by the text. A 5xx may have been taken, whatever its code says, so that it is unknown
 * (CAMPAIGNS 3).
 */
export const classifyCloud = (answer: ProviderAnswer): Outcome => {
  const code = graphCode(answer.body)
  if (code === undefined || answer.status < 400 || answer.status >= 500) return byStatus(answer, idOf)
  const after = RETRY_MS.get(code)
  if (after !== undefined || answer.status === 429) return { kind: 'retry', after: retryAfter(answer, after) }
  return { kind: 'final', code: String(code) }
}
