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
}
