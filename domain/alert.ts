import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual } from '#schemas/json.ts'
import type { Refusal, RefusalCode } from '#schemas/refusal.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Pauses before the second to the eighth attempt. */
export const ALERT_PAUSES: readonly number[] = [
  ...[SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS],
]
/** The same notice within this time after an alert joins it. */
const ALERT_JOINED_MS = 30 * MINUTE_MS
/** Older notices cause no alert: an index that is built again reads them all. */
export const ALERT_FRESH_MS = 24 * HOUR_MS
/** Messages to single users about their own work or account, and reports: they are no alerts. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...['desk.assigned', 'desk.transferred', 'desk.takenover', 'desk.message', 'desk.mentioned', 'desk.returned'],
  'desk.declined',
  'bot.week',
  ...['apitoken.expiring', 'apitoken.expired', 'user.mailfailed', 'user.linked', 'user.linkedanew'],
])

export const isAlert = (message: string): boolean => !PERSONAL.has(message)

/** A notice of the system, as alerts compare it. */
interface NoticeFacts {
  readonly message: string
  readonly params: JsonObject
}

/** A channel that works again ends what its earlier alerts said: these messages follow each other. */
const HEALTH: readonly string[] = ['channel.error', 'channel.warning', 'channel.ok']
const LIMIT: readonly string[] = ['metricalert.crossed', 'metricalert.ended']

/** Messages of which the last one about a thing decides whether this one says something new. */
export const alertFamily = (message: string): readonly string[] =>
  [HEALTH, LIMIT].find(family => family.includes(message)) ?? [message]

/** Names the state, the days or the change that a notice is about; other parameters change with each notice. */
const markOf = ({ params }: NoticeFacts): Json => params.mark ?? params.number ?? params.of ?? null

/** Whether a notice says what the last alert of its family about the same thing said, at most 30 minutes before. */
export const isSameAlert = (
  last: NoticeFacts & { readonly time: number },
  notice: NoticeFacts & { readonly time: number },
): boolean =>
  last.message === notice.message &&
  jsonEqual(markOf(last), markOf(notice)) &&
  notice.time - last.time < ALERT_JOINED_MS

/** Refusals that a later attempt does not change. */
const HOPELESS: ReadonlySet<string> = new Set<RefusalCode>([
  ...(['outbound.address', 'outbound.credentials', 'outbound.private', 'outbound.redirects', 'level.noalert'] as const),
])

/** Outcome of one attempt: the status of an answer, or why there is none. */
export interface AlertOutcome {
  readonly status: number | null
  readonly refusal?: Refusal | undefined
  /** Of the answer, ms, at most an hour. */
  readonly retryAfter?: number
}

export const isDelivered = ({ status }: Pick<AlertOutcome, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300

/** ms until the next attempt after this many; undefined: there is none. HTTP 410 ends an alert. */
export const nextAlertPause = (outcome: AlertOutcome, tries: number): number | undefined => {
  const pause = ALERT_PAUSES[tries - 1]
  const isOver = isDelivered(outcome) || outcome.status === 410 || HOPELESS.has(outcome.refusal?.code ?? '')
  if (isOver || pause === undefined) return undefined
  return Math.max(pause, outcome.retryAfter ?? 0)
}
