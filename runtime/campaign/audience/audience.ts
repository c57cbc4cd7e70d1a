import { phoneVariants } from '#domain/audience/phone.ts'
import type { OptOutOrigin } from '#schemas/events/campaign.ts'

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

/** One contact of a campaign, without personal data. */
export interface AudienceRow {
  readonly contact: string
  /** HMAC of the E.164 number under the index key; equal numbers are equal. */
  readonly phone: string
  /** UTC, ISO 8601. */
  readonly addedAt: string
  /** Id of the upload that added it, and its line in the file; absent: added by hand. */
  readonly upload?: string
  readonly line?: number
}

/** The personal data of a row, decrypted for a send. */
export interface OpenedContact {
  /** E.164 with +. */
  readonly phone: string
  readonly nome: string
  /** field01 … field16. */
  readonly fields: Readonly<Record<string, string>>
  readonly consent?: { readonly source: string; readonly time: string }
}

/** The recipients of campaigns, and the suppressed numbers. */
export interface Audience {
  /** Rows of a campaign in the order they were added: at most `limit` after a position; 0 is the beginning. */
  page(
    campaign: string,
    after: number,
    limit: number,
  ): Promise<{ readonly rows: readonly AudienceRow[]; readonly next: number | undefined }>
  count(campaign: string): Promise<number>
  /** Omits contacts that were forgotten or are not in the campaign. */
  open(campaign: string, contacts: readonly string[]): Promise<ReadonlyMap<string, OpenedContact>>
  /** Of these rows the suppressed ones, by the HMAC of their number. All spellings of each number are compared. */
  suppressed(
    scope: SuppressionScope,
    rows: readonly Pick<AudienceRow, 'contact' | 'phone'>[],
  ): Promise<ReadonlySet<string>>
  /** All spellings of a person's number, and the person's ids. */
  digestsOf(person: PersonIdentifiers): PersonDigests
  /** All spellings of the number of a row. */
  digestsOfRow(row: Pick<AudienceRow, 'contact' | 'phone'>): PersonDigests
  /** False: the list holds the person from the same source already. */
  suppress(list: string, person: PersonDigests, why: Suppression): Promise<boolean>
}

/** List of the whole installation; every campaign asks it. */
export const EVERYWHERE = '*'
/** Category of a suppression that holds for all messages. */
export const EVERY_CATEGORY = '*'

/** Lists that a message is checked against, and the category of its template. */
export interface SuppressionScope {
  readonly lists: readonly string[]
  /** marketing, utility, authentication */
  readonly category: string
}

/** `forgotten`: the person's data were removed. */
export const SUPPRESSION_SOURCES = ['word', 'button', 'meta', 'provider', 'import', 'hand', 'api', 'forgotten'] as const
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number]

/** Why a person gets no messages of a category. */
export interface Suppression {
  readonly category: string
  readonly source: SuppressionSource
  /** The rule that decided: a code. */
  readonly rule?: string
  /** In the words of the person who added it by hand. */
  readonly reason?: string
  readonly actor?: string | null
  readonly origin?: OptOutOrigin
}

/** A contact to add, normalized by the rules for numbers and fields (domain/audience/). */
export interface NewContact extends OpenedContact {
  /** ISO 3166 of the number. */
  readonly country: string
  /** Digits of other spellings of the number from which the person may write. */
  readonly aliases: readonly string[]
  /** Of an upload: its line in the file, from 1. */
  readonly line?: number
}

export interface AddedContacts {
  /** For each given contact: its id, and whether the campaign already contained it. */
  readonly contacts: readonly { readonly contact: string; readonly isDuplicate: boolean }[]
}
