import type { JsonObject } from '../event.ts'

/**
 * Messages of a campaign, in `campaignrun-<run>`; recipients are counted from 0 in the order of its `RecipientsAdded`.
 * No personal data: contacts are ids; numbers and ids of messages at Meta are HMACs.
 */
const RUN_PREFIX = 'campaignrun-'
/** Meta's receipts received by one process, in `receipts-<process>`. */
const RECEIPTS_PREFIX = 'receipts-'
/** Which node sends from a number, in `sender-<phone number id>`. */
const SENDER_PREFIX = 'sender-'

export const runStream = (run: string): string => RUN_PREFIX + run
export const receiptsStream = (node: string): string => RECEIPTS_PREFIX + node
export const senderStream = (number: string): string => SENDER_PREFIX + number

/** Streams that an index of runs is made of. */
export const RUN_PREFIXES = [RUN_PREFIX, RECEIPTS_PREFIX]

/** The run whose stream it is; undefined for other streams. */
export const runOfStream = (stream: string): string | undefined =>
  stream.startsWith(RUN_PREFIX) ? stream.slice(RUN_PREFIX.length) : undefined

/** `RunPlanned`: everything that a run is sent with, frozen. */
export interface RunPlan {
  readonly campaign: string
  readonly kind: 'all' | 'failed' | 'unknown'
  /** The run whose recipients it takes up. */
  readonly of: string | null
  readonly metaaccount: string
  /** `phone_number_id` */
  readonly number: string
  /** Accounts of one portfolio share a messaging limit. */
  readonly portfolio: string
  readonly template: { readonly id: string; readonly revision: number; readonly fields: JsonObject }
  /** The settings of the campaign: mapping, window, limits. */
  readonly settings: JsonObject
  /** UTC, ISO 8601. */
  readonly expires: string
}

/** Contact, HMAC of its number, why it is skipped. */
export type PlannedRecipient = readonly [contact: string, phone: string, skipped: string | null]

/** A claim to send: the recipient, and how many claims there were with it. */
export type Attempt = readonly [recipient: number, tries: number]

/** `SendsAnswered` */
export interface SendAnswers {
  /** HMAC of the message's id; whether Meta holds it back. */
  readonly accepted: readonly (readonly [recipient: number, tries: number, message: string, held: boolean])[]
  /** `final` false: it is claimed again. */
  readonly refused: readonly (readonly [recipient: number, tries: number, reason: string, final: boolean])[]
  readonly unknown: readonly (readonly [recipient: number, tries: number, reason: string])[]
}

/** `RecipientsSettled`: recipients without a message. */
export type SettledRecipient = readonly [recipient: number, as: 'failed' | 'skipped', reason: string]

/** One line of `ReceiptsRecorded`. */
export interface Receipt {
  /** HMAC of the message's id. */
  readonly message: string
  /** `<run>.<recipient>.<tries>` where the provider says it. */
  readonly attempt: string | null
  /** Meta's word, or `engaged`. */
  readonly status: string
  /** ms since 1970, as the provider says. */
  readonly time: number
  readonly code: string | null
}

/** Sent with a message, and returned with each of its receipts. */
const CALLBACK = 'p1:'
const ATTEMPT = /^p1:([0-9a-f-]{36}\.\d{1,9}\.\d{1,6})$/

export const callbackOf = (run: string, [recipient, tries]: Attempt): string =>
  `${CALLBACK}${run}.${recipient}.${tries}`
export const attemptOf = (callback: unknown): string | null =>
  typeof callback === 'string' ? (ATTEMPT.exec(callback)?.[1] ?? null) : null
