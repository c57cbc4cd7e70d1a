/** One contact of a campaign as it was added: whom to send to, without what is personal. */
export interface AudienceRow {
  readonly contact: string
  /** HMAC of the E.164 number under the index key; equal numbers are equal. */
  readonly phone: string
  /** UTC, ISO 8601. */
  readonly addedAt: string
}

/** What is personal of a row, opened for a send. */
export interface OpenedContact {
  /** E.164 with +. */
  readonly phone: string
  readonly nome: string
  /** field01 … field16. */
  readonly fields: Readonly<Record<string, string>>
  readonly consent?: { readonly source: string; readonly time: string }
}

/** The people that a campaign is sent to, and those that get nothing. */
export interface Audience {
  /** Rows of a campaign in the order they were added, at most `limit` after a position; 0 is the beginning. */
  page(
    campaign: string,
    after: number,
    limit: number,
  ): Promise<{ readonly rows: readonly AudienceRow[]; readonly next: number | undefined }>
  count(campaign: string): Promise<number>
  /** Without those who were forgotten or are not in the campaign. */
  open(campaign: string, contacts: readonly string[]): Promise<ReadonlyMap<string, OpenedContact>>
  /** Suppressed for this account and category (opt-out list), by the HMAC of the number. */
  suppressed(metaaccount: string, category: string, phones: readonly string[]): Promise<ReadonlySet<string>>
  /** `phone` in E.164. May be repeated. */
  suppress(metaaccount: string, category: string, phone: string, source: string): Promise<void>
}

/** Somebody to add, as the rules of numbers and fields left them (domain/audience/). */
export interface NewContact extends OpenedContact {
  /** ISO 3166 of the number. */
  readonly country: string
  /** Digits of other spellings under which the person may write. */
  readonly aliases: readonly string[]
}

export interface AddedContacts {
  /** For each that was given: its contact, and whether it was in the campaign already. */
  readonly contacts: readonly { readonly contact: string; readonly isDuplicate: boolean }[]
}
