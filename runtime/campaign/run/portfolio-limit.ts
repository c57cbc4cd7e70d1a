import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'
import type { SendingParts } from './campaign-port.ts'
import type { RunRow } from './run-queries.ts'

const DAY_MS = 86_400_000
/** Share of the limit at which a run stops: other senders of the portfolio use the limit too. */
const SHARE = 0.95
const TIER = /^TIER_(\d{1,6})(K?)$/u

/** People in 24 hours; infinite for an unlimited or unknown tier. */
export const messagingLimit = (tier: string): number => {
  const [, count, thousands] = TIER.exec(tier) ?? []
  return count === undefined ? Number.POSITIVE_INFINITY : Number(count) * (thousands === 'K' ? 1000 : 1)
}

/** Number of further people that a portfolio may reach now, and when more is free (ms). */
export const portfolioRoom = (
  { index, now }: Pick<SendingParts, 'index' | 'now'>,
  { plan }: Pick<RunRow, 'plan'>,
  account: JsonObject | undefined,
): { readonly room: number; readonly until: number } => {
  const time = now()
  const limit = messagingLimit(fieldText(account ?? {}, 'messaging_limit'))
  if (limit === Number.POSITIVE_INFINITY) return { room: limit, until: time }
  const { numbers, oldest } = index.queries.reached(plan.portfolio, time - DAY_MS)
  return { room: Math.max(0, Math.floor(limit * SHARE) - numbers), until: oldest + DAY_MS }
}
