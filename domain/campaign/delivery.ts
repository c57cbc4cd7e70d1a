import type { JsonObject } from '#schemas/event.ts'
import { objectsOf, textOf } from '#schemas/json.ts'

/** Delivery states of a message, in order of occurrence; `failed` and `unknown` have no order. */
type DeliveryStatus =
  | 'queuedAtPlatform'
  | 'queuedAtGupshup'
  | 'queuedAtWhatsapp'
  | 'sent_successfully'
  | 'read_by_user'
  | 'engaged'
  | 'failed'
  | 'unknown'

/** Answer to the claim of a recipient; null if it was not claimed or must be claimed again. */
export type SendAnswer = 'claimed' | 'accepted' | 'held' | 'refused' | 'unknown' | null

/** Highest receipt: 0 none, then sent, delivered, read, engaged. */
export type ReceiptRank = 0 | 1 | 2 | 3 | 4

/** Known state of one recipient of a run: each part only grows, so that the order of updates does not matter. */
interface Delivery {
  readonly answer: SendAnswer
  readonly rank: ReceiptRank
  /** A receipt said that it failed. */
  readonly hasFailed: boolean
}

const RANKS: Readonly<Record<string, ReceiptRank>> = { sent: 1, delivered: 2, read: 3, played: 3, engaged: 4 }
const BY_RANK = ['sent_successfully', 'sent_successfully', 'read_by_user', 'engaged'] as const
const DELIVERED = 2

/** Undefined for a word that says nothing of how far it came. */
export const rankOf = (status: string): ReceiptRank | undefined =>
  Object.hasOwn(RANKS, status) ? RANKS[status] : undefined

/**
 * A failure loses to what a second device delivered, read or answered, and beats the rest; an outcome that is not known
 * gives way to any receipt.
 */
export const deliveryStatus = ({ answer, rank, hasFailed }: Delivery): DeliveryStatus => {
  if (rank >= DELIVERED) return BY_RANK[rank - 1] ?? 'engaged'
  if (hasFailed) return 'failed'
  if (rank > 0) return 'sent_successfully'
  if (answer === 'refused') return 'failed'
  if (answer === 'unknown') return 'unknown'
  return answer === 'accepted' || answer === 'held' ? 'queuedAtWhatsapp' : 'queuedAtPlatform'
}

const DIGITS = /^\d{5,20}$/u

/** Marketing opt-outs (`stop`) and opt-ins (`resume`) that people gave to Meta. */
export const optOutOf = ({ user_preferences: preferences }: JsonObject) =>
  objectsOf(preferences).flatMap(({ wa_id: number, user_id: id, value }) => {
    const [phone, scoped] = [DIGITS.test(textOf(number)) ? textOf(number) : '', textOf(id)]
    if ((phone === '' && scoped === '') || (value !== 'stop' && value !== 'resume')) return []
    return [{ phone, scoped, value } as const]
  })

/** Outcome of a send that the provider did not accept or whose answer is unknown. */
export type SendOutcome =
  /** Proved not to be sent: claimed again later, the rate halved where `slow`, not before `after` ms. */
  | {
      readonly kind: 'again'
      readonly reason: string
      readonly most: number
      readonly slow: boolean
      readonly after?: number
    }
  /** Not sent, for good. `stopped`: this person gets no marketing any more. */
  | { readonly kind: 'failed'; readonly reason: string; readonly isDefect: boolean; readonly stopped: boolean }
  /** Not sent, and nothing else of the run is tried. */
  | { readonly kind: 'pause'; readonly reason: string }
  /** Possibly sent: never retried automatically. */
  | { readonly kind: 'unknown'; readonly reason: string }

const set = (...codes: readonly number[]): ReadonlySet<number> => new Set(codes)

const THROTTLE = set(4, 80007, 130429)
const TRANSIENT = set(2, 131016, 131057, 133004, 134101)
const TEMPLATE = set(131008, 131053, 132000, 132001, 132007, 132015, 132016, 132018, 132068, 132069, 134102)
const ACCOUNT = set(
  ...[0, 3, 10, 33, 190, 368],
  ...[131005, 131031, 131037, 131042, 131045, 131048, 131063, 131064, 133010, 134100, 135000],
)
const FINAL = set(130472, 131052, 131062, 130497, 131021, 131026, 131030, 131049, 132005, 132008, 132012)
const OPTED_OUT = 131050
const PAIR = 131056
const ONCE = 131000
/** Meta does not say whether it took the message. */
const UNKNOWN_ERROR = 1

const MAX_TRANSIENT = 5
const MAX_PAIR = 4

const isPermission = (code: number): boolean => code >= 200 && code <= 299

/** Outcome of a Graph API error for the recipient and for the run (errors of 2026). */
export const classifyGraphError = (code: number): SendOutcome => {
  const reason = String(code)
  if (code === UNKNOWN_ERROR) return { kind: 'unknown', reason }
  if (THROTTLE.has(code)) return { kind: 'again', reason, most: Number.POSITIVE_INFINITY, slow: true }
  if (code === PAIR) return { kind: 'again', reason, most: MAX_PAIR, slow: false }
  if (TRANSIENT.has(code)) return { kind: 'again', reason, most: MAX_TRANSIENT, slow: code === 131057 }
  if (code === ONCE) return { kind: 'again', reason, most: 1, slow: false }
  if (TEMPLATE.has(code) || ACCOUNT.has(code) || isPermission(code)) return { kind: 'pause', reason }
  const stopped = code === OPTED_OUT
  return { kind: 'failed', reason, isDefect: !stopped && !FINAL.has(code), stopped }
}

/** Reasons of `outbound.unreachable` that come before a byte of the request is written. */
const NOT_WRITTEN = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EHOSTDOWN', 'ENETDOWN'])
/** Refusals of a call that never left. */
const NOT_SENT = new Set([
  'outbound.unknown',
  'outbound.address',
  'outbound.private',
  'outbound.credentials',
  'outbound.certificate',
  'outbound.header',
])

/**
 * Outcome of a refused call: not sent if proved, by its code if Meta refused it, otherwise unknown. `code` of the
 * refusal, `status` and `code` of Meta's answer, `reason` of the network.
 */
export const classifySendError = (refusal: {
  readonly code: string
  readonly params?: {
    readonly status?: unknown
    readonly code?: unknown
    readonly reason?: unknown
    readonly error?: unknown
  }
}): SendOutcome => {
  const { code, params = {} } = refusal
  if (code === 'meta.simulated')
    return { kind: 'failed', reason: String(params.error), isDefect: false, stopped: false }
  if (code === 'meta.credentials') return { kind: 'pause', reason: 'credentials' }
  const again = (reason: string): SendOutcome => ({ kind: 'again', reason, most: MAX_TRANSIENT, slow: true })
  if (NOT_SENT.has(code)) return again('network')
  if (code === 'outbound.unreachable' && NOT_WRITTEN.has(String(params.reason))) return again('network')
  const status = Number(params.status)
  const isRefused = code.startsWith('meta.') && code !== 'meta.answer' && status > 0 && status < 500
  if (!isRefused)
    return { kind: 'unknown', reason: Number.isNaN(status) ? code.replace('outbound.', '') : String(status) }
  if (status === 429) return again('429')
  return classifyGraphError(Number(params.code))
}

/** ms until a claim may be made again, after `tries` claims; `random` in [0, 1). */
export const retryDelay = (reason: string, tries: number, random: number): number => {
  if (reason === String(PAIR)) return 4 ** Math.min(tries, MAX_PAIR) * 1000
  if (reason === '131057') return 20_000
  if (reason === '134101') return 600_000
  return Math.round(Math.min(60_000, 1000 * 2 ** Math.min(tries - 1, 6)) * (0.75 + random / 2))
}
