import { channelType, type HealthState } from '#schemas/channel-type.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, textOf } from '#schemas/json.ts'
import type { RowOf } from '#schemas/row.ts'
import { accountNotice, messagingLimit } from './meta/account.ts'

/** Causes of failed deliveries that concern the whole channel; each has one text and one act. */
export type FailureCause =
  | 'credentials'
  | 'limit'
  | 'unreachable'
  | 'certificate'
  | 'timeout'
  | 'provider'
  | 'account'
  | 'settings'
  | 'refused'

/** Codes by cause: Meta's (Cloud API, Messenger), Twilio's, Gupshup's, Infobip's, Blip's, and the gateway's own refusals. */
const CODES: Readonly<Record<Exclude<FailureCause, 'refused'>, readonly string[]>> = {
  credentials: ['0', '102', '190', '20003', 'channel.token', 'http.401', 'http.403'],
  limit: [...['4', '32', '613', '80007', '130429', '131056', '20429', '63018'], ...['http.425', 'http.429']],
  unreachable: [
    'outbound.unknown',
    'outbound.unreachable',
    'outbound.redirects',
    'outbound.answer',
    'outbound.headers',
  ],
  certificate: ['outbound.certificate'],
  timeout: ['outbound.timeout', 'http.408', 'ETIMEDOUT'],
  provider: ['1', '2', '131000', '131016', '131057', '133004'],
  account: [
    ...['10', '200', '368', '131005', '131031', '131042', '131045', '131048', 'http.402'],
    ...['30002', '20005', '63007', '63020', '1003', '61'],
    ...['REJECTED_NOT_ENOUGH_CREDITS', 'REJECTED_SENDER', 'FORBIDDEN'],
  ],
  settings: [
    ...['outbound.address', 'outbound.credentials', 'outbound.private', 'outbound.header', 'channel.profile'],
    ...['21606', '21212', 'http.404', 'http.405', 'http.410'],
  ],
}

const CAUSES: ReadonlyMap<string, FailureCause> = new Map(
  (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap(cause => CODES[cause].map(code => [code, cause] as const)),
)

/** Errors of the connection or of the name service, as Node names them. */
const CONNECTION = /^(E[A-Z]{3,}|UND_ERR_\w+)$/u
const CERTIFICATE = /CERT|TLS|SSL|SIGNED|ISSUER/u
const SERVER_ERROR = /^http\.5\d\d$/u

/** The cause of a failure by its code; undefined for codes about one message or one person. */
export const failureCause = (code: string): FailureCause | undefined => {
  const known = CAUSES.get(code)
  if (known !== undefined) return known
  if (SERVER_ERROR.test(code)) return 'provider'
  if (CERTIFICATE.test(code)) return 'certificate'
  return CONNECTION.test(code) ? 'unreachable' : undefined
}

/** Meta's limit of messages to one person: the others need not wait. */
const PAIR_LIMIT = '131056'

/** Whether a refusal says that the whole number sends too fast. */
export const isThrottle = (code: string): boolean => code !== PAIR_LIMIT && failureCause(code) === 'limit'

/** Events of one kind within ten minutes. */
export interface HealthSlot {
  /** ms since 1970 of its beginning. */
  readonly at: number
  readonly kind: 'in' | 'sent' | 'failed' | 'retried' | 'receipt'
  readonly count: number
  /** ms since 1970 of the newest event. */
  readonly last: number
}

/** Failed deliveries of a channel since its last accepted one. */
export interface Trouble {
  readonly cause: FailureCause
  /** The provider's code, or the error of the connection. */
  readonly code: string
  /** ms since 1970 of the first and of the last failure. */
  readonly since: number
  readonly last: number
}

/** Decisions of Meta about a number and its account. Moments are ms since 1970. */
export interface NumberStanding {
  /** GREEN, YELLOW, RED, UNKNOWN. */
  readonly quality: string
  /** CONNECTED, BANNED, RESTRICTED … */
  readonly status: string
  /** `restriction` of the account; empty: none. */
  readonly restriction: string
  /** When that begins or ends; undefined: Meta does not say. */
  readonly restrictionAt?: number | undefined
  /** The provider's reason for it, if it gives one. */
  readonly reason?: string | undefined
  /** When it was announced: a message that was accepted later shows that it ended. Undefined: Meta announces its end. */
  readonly announced?: number | undefined
  /** People in 24 hours, since Meta lowered that. */
  readonly lowered?: { readonly people: number; readonly at: number } | undefined
}

const momentOf = (time: string | null): number | undefined => (time === null ? undefined : Date.parse(time))

/** Standing of the number of an account. */
export const standingOf = (account: RowOf<'metaaccount'>): NumberStanding => {
  const lowered = momentOf(account.limit_lowered_at)
  return {
    quality: account.quality_rating ?? '',
    status: account.number_status ?? '',
    restriction: account.restriction ?? '',
    restrictionAt: momentOf(account.restriction_at),
    lowered: lowered === undefined ? undefined : { people: messagingLimit(account.messaging_limit ?? ''), at: lowered },
  }
}

const MAX_REASON = 300

/**
 * The restriction that news of a provider announce, as the field `restriction` of a channel holds it; null: it ended.
 * Undefined: they restrict no messages. `now`: ISO time.
 */
export const restrictionIn = (name: string, data: JsonObject, now: string): JsonObject | null | undefined => {
  if (name === 'policy_enforcement' || name === 'policy-enforcement') {
    if (data.action === 'unblock') return null
    const reason = textOf(data.reason).slice(0, MAX_REASON)
    return data.action === 'block' ? { code: 'BANNED', at: null, reason, announced: now } : undefined
  }
  if (name !== 'account_update') return undefined
  const { restriction: code, restriction_at: at = null } = accountNotice(data)
  return code === undefined || code === null ? code : { code, at, reason: '', announced: now }
}

/** Standing of the number or page of a channel that no account of Meta has; undefined: nothing is announced. */
export const channelStanding = (restriction: Json | undefined): NumberStanding | undefined => {
  if (!isObject(restriction)) return undefined
  const { code, at, reason, announced } = restriction
  return {
    ...{ quality: '', status: '', restriction: textOf(code), reason: textOf(reason) },
    restrictionAt: momentOf(typeof at === 'string' ? at : null),
    announced: momentOf(textOf(announced)),
  }
}

/** Facts of the last 24 hours about a channel. */
interface HealthSignals {
  /** ms since 1970. */
  readonly now: number
  readonly type: string
  readonly isEnabled: boolean
  /** Whether the bot is stopped: messages of people are stored and not answered. */
  readonly isStopped?: boolean
  /** Deliveries that failed, without an accepted one since. */
  readonly trouble?: Trouble | undefined
  /** ms since 1970 at which the provider last accepted the stored credentials in a test. */
  readonly proven?: number | undefined
  /** The last test of the stored credentials, which the provider refused. */
  readonly token?: { readonly code: string; readonly since: number } | undefined
  /** The provider did not take the channel's address, with its reason. */
  readonly unconnected?: { readonly reason: string; readonly since: number } | undefined
  /** Names of the fields that its provider needs and that are empty. */
  readonly missing: readonly string[]
  /** The provider refuses the credentials since a moment, with its code. */
  readonly refused?: { readonly code: string; readonly since: number } | undefined
  readonly slots: readonly HealthSlot[]
  /** Calls that proved nothing since the last proven one: the first, the last, and their number. */
  readonly unproven?: { readonly first: number; readonly last: number; readonly count: number } | undefined
  /** ms since 1970 of the last file that could not be taken. */
  readonly fileRefused?: number | undefined
  /** ms since 1970 at which the token ends. */
  readonly tokenEnds?: number | undefined
  /** Decisions of Meta about the number and its account. */
  readonly number?: NumberStanding | undefined
  /** Events that came for the channel's own number and were not its own. */
  readonly unrouted: number
}

export interface ChannelHealth {
  readonly state: HealthState
  /** Cause: the key of a text, or empty. */
  readonly code: string
  /** Detail of the cause, such as the provider's code or the name of a field. */
  readonly detail: string
  /** ms since 1970 of the first failure of an error; undefined for other states. */
  readonly since?: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WINDOW_MS = 10 * MINUTE_MS
const TOKEN_MS = 14 * DAY_MS
const FAILURES = 5
const FAILED_SHARE = 0.2
const SILENT_SENDS = 20
const SILENT_MS = 30 * MINUTE_MS
const QUIET_GAPS = 3

const sum = (slots: readonly HealthSlot[], kind: HealthSlot['kind'], since: number): number =>
  slots.reduce((total, slot) => total + (slot.kind === kind && slot.last >= since ? slot.count : 0), 0)

const newest = (slots: readonly HealthSlot[], kinds: readonly HealthSlot['kind'][]): number =>
  Math.max(0, ...slots.filter(({ kind }) => kinds.includes(kind)).map(({ last }) => last))

const ofCode = (state: HealthState, code = '', detail = '', since?: number): ChannelHealth => ({
  ...{ state, code, detail },
  ...(since === undefined ? {} : { since }),
})

/** Causes that a test of the credentials disproves; a limit or an account's state can remain. */
const DISPROVEN: ReadonlySet<FailureCause> = new Set(['credentials', 'unreachable', 'certificate', 'timeout'])

const troubleOf = ({ now, trouble, proven = 0 }: HealthSignals): Trouble | undefined => {
  if (trouble === undefined || now - trouble.last > DAY_MS) return undefined
  return DISPROVEN.has(trouble.cause) && proven > trouble.last ? undefined : trouble
}

/** End of the ten minutes that are judged: a channel does not recover while nothing was accepted after a failure. */
const judgedUntil = (now: number, slots: readonly HealthSlot[]): number => {
  const failed = newest(slots, ['failed'])
  return failed > newest(slots, ['sent']) ? failed : now
}

/** States of a number in which nothing goes in or out. */
const GONE: ReadonlySet<string> = new Set(['DELETED', 'MIGRATED', 'DISCONNECTED'])
const LIMITED: ReadonlySet<string> = new Set(['RESTRICTED', 'RATE_LIMITED'])
/** A lowered limit is shown for this time, and notified once. */
const LOWERED_MS = 7 * DAY_MS

const timeText = (time: number | undefined): string => (time === undefined ? '' : new Date(time).toISOString())

/** Whether a restriction holds: it has no end, or one that is to come. */
const holds = ({ restrictionAt: end }: NumberStanding, now: number): boolean => end === undefined || now < end

/** A ban, a removal, or a restriction of answers. */
const bannedOf = (number: NumberStanding, now: number): ChannelHealth | undefined => {
  const { status, restriction, reason } = number
  if (status === 'BANNED' || restriction === 'BANNED') return ofCode('error', 'banned', reason)
  if (GONE.has(status)) return ofCode('error', 'removed', status)
  if (restriction === 'REMOVED') return ofCode('error', 'removed')
  return restriction === 'NO_ANSWERS' && holds(number, now)
    ? ofCode('error', 'noanswers', timeText(number.restrictionAt))
    : undefined
}

/** Whether a message that was accepted at `sent` shows that nothing is blocked any more. ms since 1970. */
export const hasEnded = (number: NumberStanding | undefined, sent: number): boolean =>
  number?.announced !== undefined &&
  sent > number.announced &&
  (number.restriction === 'BANNED' || number.restriction === 'REMOVED' || number.restriction === 'NO_ANSWERS')

/** A limit of the number, or an announced ban. */
const limitedOf = (number: NumberStanding, now: number): ChannelHealth | undefined => {
  const { status, restriction, restrictionAt: at, quality, lowered } = number
  if (restriction === 'BAN_PLANNED') return ofCode('warning', 'banplanned', timeText(at))
  if (restriction === 'NO_TEMPLATES' && holds(number, now)) return ofCode('warning', 'notemplates', timeText(at))
  if (LIMITED.has(status)) return ofCode('warning', 'limited', status)
  if (quality === 'YELLOW' || quality === 'RED') return ofCode('warning', 'quality', quality)
  return lowered !== undefined && now - lowered.at <= LOWERED_MS
    ? ofCode('warning', 'tier', String(lowered.people))
    : undefined
}

/** Ban or limit of a number; undefined: none. */
export const numberHealth = (number: NumberStanding, now: number): ChannelHealth | undefined =>
  bannedOf(number, now) ?? limitedOf(number, now)

const errorOf = (signals: HealthSignals): ChannelHealth | undefined => {
  const { now, refused, token, unconnected, slots, unproven } = signals
  const trouble = troubleOf(signals)
  const isOver = hasEnded(signals.number, newest(slots, ['sent']))
  const banned = signals.number && !isOver ? bannedOf(signals.number, now) : undefined
  if (banned !== undefined) return banned
  const unauthorized = refused ?? (trouble?.cause === 'credentials' ? trouble : token)
  if (unauthorized !== undefined)
    return ofCode('error', 'unauthorized', unauthorized.code, Math.min(unauthorized.since, trouble?.since ?? now))
  if (unconnected !== undefined) return ofCode('error', 'unconnected', unconnected.reason, unconnected.since)
  if (trouble !== undefined) return ofCode('failing', trouble.cause, trouble.code, trouble.since)
  const until = judgedUntil(now, slots)
  const from = until - WINDOW_MS
  const failed = sum(slots, 'failed', from)
  const share = failed / Math.max(1, failed + sum(slots, 'sent', from))
  const first = Math.min(
    now,
    ...slots.filter(({ kind, last }) => kind === 'failed' && last >= from).map(({ at }) => at),
  )
  if (failed >= FAILURES && share >= FAILED_SHARE) return ofCode('error', 'failures', String(failed), first)
  const isUnproven =
    unproven !== undefined && now - unproven.first >= WINDOW_MS && now - unproven.last <= DAY_MS && unproven.count > 1
  return isUnproven ? ofCode('error', 'unproven', String(unproven.count), unproven.first) : undefined
}

const warningOf = (signals: HealthSignals): ChannelHealth | undefined => {
  const { now, tokenEnds, slots, unrouted, fileRefused } = signals
  if (tokenEnds !== undefined && tokenEnds - now <= TOKEN_MS)
    return ofCode('warning', 'token', String(Math.max(0, Math.ceil((tokenEnds - now) / DAY_MS))))
  const limited = signals.number && limitedOf(signals.number, now)
  if (limited !== undefined) return limited
  if (unrouted > 0) return ofCode('warning', 'unrouted', String(unrouted))
  const failed = sum(slots, 'failed', 0)
  if (failed > 0 && sum(slots, 'sent', 0) === 0) return ofCode('warning', 'unaccepted', String(failed))
  const receipts = newest(slots, ['receipt'])
  const sends = slots.filter(({ kind, last }) => kind === 'sent' && last > receipts)
  const oldest = Math.min(...sends.map(({ at }) => at))
  const count = sends.reduce((total, { count: each }) => total + each, 0)
  const isSilent = channelType(signals.type)?.hasReceipts === true && count >= SILENT_SENDS && now - oldest >= SILENT_MS
  if (isSilent) return ofCode('warning', 'receipts')
  return fileRefused !== undefined && now - fileRefused <= DAY_MS ? ofCode('warning', 'files') : undefined
}

/** Median ms between the slots with a message of a person; undefined: too few to say. */
const medianGap = (slots: readonly HealthSlot[]): number | undefined => {
  const times = slots.filter(({ kind }) => kind === 'in').map(({ last }) => last)
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? time))
  return gaps.length < QUIET_GAPS ? undefined : gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)]
}

/** Health of a channel with its cause: one pure function of what happened in the last 24 hours. */
export const channelHealth = (signals: HealthSignals): ChannelHealth => {
  const { now, isEnabled, isStopped = false, missing, slots } = signals
  if (missing.length > 0) return ofCode('incomplete', 'missing', missing[0])
  if (!isEnabled) return ofCode('off')
  if (isStopped) return ofCode('stopped', 'stopped')
  const bad = errorOf(signals) ?? warningOf(signals)
  if (bad !== undefined) return bad
  if (slots.length === 0) return ofCode('new')
  const gap = medianGap(slots)
  const last = newest(slots, ['in'])
  const isQuiet = gap !== undefined && now - last > Math.max(HOUR_MS, QUIET_GAPS * gap)
  return isQuiet ? ofCode('quiet', 'quiet') : ofCode('ok')
}
