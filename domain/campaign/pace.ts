import type { JsonObject } from '#schemas/event.ts'
import { fieldText } from '#schemas/json.ts'

/** Messages per second that Meta takes from a number, in and out together, by its throughput level. */
const THROUGHPUT: Readonly<Record<string, number>> = { STANDARD: 80, HIGH: 1000 }
/** A number that is also used in the WhatsApp Business app. */
const COEXISTENCE = 20
/** Share of the throughput that campaigns use; the rest is for conversations. */
const SHARE = 0.8
const DEFAULT_RATE = 60

/** Maximum rate of a campaign, messages per second: its setting, at most 80 % of the throughput of its number. */
export const campaignRate = (setting: unknown, account: JsonObject | undefined): number => {
  const most =
    account?.coexistence === true
      ? COEXISTENCE
      : (THROUGHPUT[fieldText(account ?? {}, 'throughput')] ?? Number(THROUGHPUT.STANDARD))
  return Math.min(typeof setting === 'number' ? setting : DEFAULT_RATE, most * SHARE)
}
