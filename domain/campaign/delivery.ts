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
