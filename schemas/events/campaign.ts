import type { JsonObject } from '../event.ts'

/** Audience of a campaign: `audience-<campaign>`. */
export const AUDIENCE_PREFIX = 'audience-'
export const audienceStream = (campaign: string): string => AUDIENCE_PREFIX + campaign

/** Name under which a campaign's key is sealed; destroying that forgets the whole audience. */
export const audienceHolder = (campaign: string): string => `audience:${campaign}`

/** Rows of an upload: `uploadrows-<upload>`. */
export const UPLOAD_ROWS_PREFIX = 'uploadrows-'
export const uploadRowsStream = (upload: string): string => UPLOAD_ROWS_PREFIX + upload

/** Keys of up to 256 contacts; only the newest event counts, and only that stays readable. */
export const CONTACT_KEYS_PREFIX = 'contactkeys-'
export const contactKeysStream = (bucket: string): string => CONTACT_KEYS_PREFIX + bucket

/** An opt-out list: `suppression-<level>`, or `suppression-*` of the whole installation; older ones of an account. */
export const SUPPRESSION_PREFIX = 'suppression-'
export const suppressionStream = (list: string): string => SUPPRESSION_PREFIX + list

/** Place and words of a stop or resume. Imports and older events have none. */
export interface OptOutOrigin {
  /** Id of the campaign that the person answered, else of the last one within 7 days. */
  readonly campaign?: string
  /** Id of the channel, or a type such as `webchat`. */
  readonly channel?: string
  readonly bot?: string
  /** Id of the Meta account where no bot has the number. */
  readonly account?: string
  /** As the person wrote it, or the label of the button. */
  readonly word?: string
}

/** `ContactSuppressed`. Digests are HMACs of all spellings of a number and of ids. */
export interface SuppressedContact extends OptOutOrigin {
  readonly category: string
  readonly person: readonly string[]
  readonly source: string
  /** Code of the rule that decided. */
  readonly rule: string
  /** Of an entry by hand. */
  readonly reason: string
}

/** `ContactResumed`: lifts the suppressions of a person that came from these sources. */
export interface ResumedContact extends OptOutOrigin {
  readonly person: readonly string[]
  readonly categories: readonly string[]
  readonly sources: readonly string[]
  readonly source: string
  readonly rule: string
  readonly reason: string
}

/** `OptOutPassed`: a word of opt-out that a rule left to the bot. */
export interface PassedOptOut {
  readonly person: readonly string[]
  readonly rule: string
}

/** Streams of audiences: no seal covers them, because people are forgotten. */
export const AUDIENCE_PREFIXES: readonly string[] = [
  AUDIENCE_PREFIX,
  UPLOAD_ROWS_PREFIX,
  CONTACT_KEYS_PREFIX,
  SUPPRESSION_PREFIX,
]

/** A contact in an event: personal data is in `sealed` alone. */
export interface SealedContact {
  readonly contact: string
  /** HMAC of the E.164 number. */
  readonly phone: string
  /** HMACs of other spellings under which the person may write. */
  readonly aliases: readonly string[]
  /** ISO 3166 of the number. */
  readonly country: string
  readonly sealed: string
  /** Of a row of an upload: its line in the file, from 1. */
  readonly line?: number
  /** Of a contact that a run was planned with: digest of the row that it was copied from. */
  readonly of?: string
}

/**
 * Messages of a campaign, in `campaignrun-<run>`; recipients are counted from 0 in the order of its `RecipientsAdded`.
 * No personal data: contacts are ids; numbers and ids of messages at Meta are HMACs.
 */
const RUN_PREFIX = 'campaignrun-'
/** Receipts received by one process, in `receipts-<process>`. */
const RECEIPTS_PREFIX = 'receipts-'
/** Which node sends from a number, in `sender-<number>`. */
const SENDER_PREFIX = 'sender-'

export const runStream = (run: string): string => RUN_PREFIX + run
export const receiptsStream = (node: string): string => RECEIPTS_PREFIX + node
export const senderStream = (number: string): string => SENDER_PREFIX + number

/** `PaceMeasured`: stable send rates of a number, messages per second; the newest counts for 24 hours. */
export const paceStream = (number: string): string => `${SENDER_PREFIX}pace-${number}`

/** `TestsSent`: messages of a campaign to test numbers, the newest alone. */
export const testSendsStream = (campaign: string): string => `${SENDER_PREFIX}test-${campaign}`

/** State of a simulated number, in `simulatednumber-<account>`. */
export const SIMULATED_PREFIX = 'simulatednumber-'
export const simulatedStream = (account: string): string => SIMULATED_PREFIX + account

/** Uploads of a file of templates to a number, in `templatemedia-<number>-<hash of the content>`. */
export const templateMediaStream = (number: string, hash: string): string => `templatemedia-${number}-${hash}`

/** Streams that an index of runs is made of. */
export const RUN_PREFIXES = [RUN_PREFIX, RECEIPTS_PREFIX]

/** The run whose stream it is; undefined for other streams. */
export const runOfStream = (stream: string): string | undefined =>
  stream.startsWith(RUN_PREFIX) ? stream.slice(RUN_PREFIX.length) : undefined

interface NamedSource {
  readonly id: string
  readonly name: string
}

/** Recipients of a campaign beside its own contacts, as they were when it was planned. */
export interface RunSelection {
  readonly lists: readonly NamedSource[]
  readonly segments: readonly (NamedSource & { readonly level: string | null; readonly rule: JsonObject })[]
  /** Lists whose people get nothing. */
  readonly minus: readonly NamedSource[]
}

/** `RunPlanned`: everything that a run is sent with, frozen. */
export interface RunPlan {
  readonly campaign: string
  readonly kind: 'all' | 'failed' | 'unknown'
  /** The run whose recipients it takes up. */
  readonly of: string | null
  /** Empty where a channel sends it. */
  readonly metaaccount: string
  /** The channel that sends it; absent: an account of Meta. */
  readonly channel?: string
  /** `phone_number_id` at Meta, else type and address of the channel. */
  readonly number: string
  /** Its number is simulated, and writes to personas alone. Absent: it is not. */
  readonly simulated?: boolean
  /** Accounts of one portfolio share a messaging limit. */
  readonly portfolio: string
  readonly template: { readonly id: string; readonly revision: number; readonly fields: JsonObject }
  /** Lists and segments beside the campaign's own contacts. Absent: there are none. */
  readonly selection?: RunSelection
  /** The settings of the campaign: mapping, window, limits. */
  readonly settings: JsonObject
  /** UTC, ISO 8601. */
  readonly expires: string
}

/** Contact, HMAC of its number, why it is skipped. */
export type PlannedRecipient = readonly [contact: string, phone: string, skipped: string | null]

/** Why a person of a minus list is skipped. */
export const OMITTED = 'minuslist'

/** `RecipientsAdded` */
export interface PlannedPage {
  /** Number of the first of `rows`. */
  readonly from: number
  /** Cursor of the next page. */
  readonly after: string
  readonly rows: readonly PlannedRecipient[]
  /** 0: own contacts of the campaign; then its lists and its segments, in order. */
  readonly source?: number
}

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
