import { phoneVariants } from '#domain/audience/phone.ts'

declare const isComplete: unique symbol

/**
 * HMACs of all spellings of a person's number, and of the ids by which channels know the person. Lookups take this type
 * alone, so that none of them compares a single spelling.
 */
export type PersonDigests = readonly string[] & { readonly [isComplete]: true }

/** Number and ids of a person; at least one member is set. */
export interface PersonIdentifiers {
  /** With its country code: E.164, or the id that WhatsApp uses. */
  readonly phone?: string | undefined
  /** Meta's id of a person for one business (BSUID). */
  readonly scoped?: string | undefined
  /** The person's id on a channel. */
  readonly on?: { readonly channel: string; readonly user: string } | undefined
}

/** HMACs are truncated: each row of a run stores one. */
const DIGEST_BYTES = 16

/** `hmac`: hex, under the index key. */
export const shortDigest = (hmac: (text: string) => string, text: string): string =>
  Buffer.from(hmac(text), 'hex').subarray(0, DIGEST_BYTES).toString('base64url')

export const personDigests = (
  digest: (text: string) => string,
  { phone, scoped, on }: PersonIdentifiers,
): PersonDigests =>
  [
    ...(phone ? phoneVariants(phone).map(spelling => digest(`phone ${spelling}`)) : []),
    ...(scoped ? [digest(`scoped ${scoped}`)] : []),
    ...(on === undefined ? [] : [digest(`user ${on.channel} ${on.user}`)]),
  ] as unknown as PersonDigests

/** Digests that are stored together: rows of an index, members of an event. */
export const storedDigests = (digests: Iterable<string>): PersonDigests =>
  [...new Set(digests)] as unknown as PersonDigests
