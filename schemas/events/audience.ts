/** Who is in the audience of a campaign: `audience-<campaign>`. */
export const AUDIENCE_PREFIX = 'audience-'
export const audienceStream = (campaign: string): string => AUDIENCE_PREFIX + campaign

/** Name under which a campaign's key is sealed; destroying that forgets the whole audience. */
export const audienceHolder = (campaign: string): string => `audience:${campaign}`

/** What an upload reads and adds: `uploadrows-<upload>`. */
export const UPLOAD_ROWS_PREFIX = 'uploadrows-'
export const uploadRowsStream = (upload: string): string => UPLOAD_ROWS_PREFIX + upload

/** Keys of up to 256 contacts; only the newest event counts, and only that stays readable. */
export const CONTACT_KEYS_PREFIX = 'contactkeys-'
export const contactKeysStream = (bucket: string): string => CONTACT_KEYS_PREFIX + bucket

/** Who gets nothing from an account: `suppression-<account>`, `suppression-*` for all accounts. */
export const SUPPRESSION_PREFIX = 'suppression-'
export const suppressionStream = (account: string): string => SUPPRESSION_PREFIX + account

/** Streams of audiences: no seal covers them, because people are forgotten. */
export const AUDIENCE_PREFIXES: readonly string[] = [
  AUDIENCE_PREFIX,
  UPLOAD_ROWS_PREFIX,
  CONTACT_KEYS_PREFIX,
  SUPPRESSION_PREFIX,
]

/** A contact as an event carries it: what is personal is in `sealed` alone. */
export interface SealedContact {
  readonly contact: string
  /** HMAC of the E.164 number. */
  readonly phone: string
  /** HMACs of other spellings under which the person may write. */
  readonly aliases: readonly string[]
  /** ISO 3166 of the number. */
  readonly country: string
  readonly sealed: string
}
