/** One contact of a campaign, without personal data. */
export interface AudienceRow {
  readonly contact: string
  /** HMAC of the E.164 number under the index key; equal numbers are equal. */
  readonly phone: string
  /** UTC, ISO 8601. */
  readonly addedAt: string
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
  /** Suppressed for this account and category (opt-out list), by the HMAC of the number. */
  suppressed(metaaccount: string, category: string, phones: readonly string[]): Promise<ReadonlySet<string>>
  /** `phone` in E.164. Idempotent. */
  suppress(metaaccount: string, category: string, phone: string, source: string): Promise<void>
}

/** A contact to add, normalized by the rules for numbers and fields (domain/audience/). */
export interface NewContact extends OpenedContact {
  /** ISO 3166 of the number. */
  readonly country: string
  /** Digits of other spellings of the number from which the person may write. */
  readonly aliases: readonly string[]
}

export interface AddedContacts {
  /** For each given contact: its id, and whether the campaign already contained it. */
  readonly contacts: readonly { readonly contact: string; readonly isDuplicate: boolean }[]
}
