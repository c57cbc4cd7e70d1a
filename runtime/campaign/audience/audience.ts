import { createHmac, createSecretKey } from 'node:crypto'
import { decrypt, encrypt } from '#commands/keys/secret.ts'
import { phoneVariants } from '#domain/audience/phone.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { OptOutOrigin, SealedContact } from '#schemas/events/campaign.ts'

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

/**
 * Suffix of the audience that holds the contacts of lists and segments with which a campaign was planned. An audience
 * without it has the id of its campaign or its saved list.
 */
const PLANNED = '-planned'
export const plannedAudience = (campaign: string): string => campaign + PLANNED
/** The campaign or list of an audience. */
export const holderOf = (audience: string): string =>
  audience.endsWith(PLANNED) ? audience.slice(0, -PLANNED.length) : audience

/** One contact of a campaign, without personal data. */
export interface AudienceRow {
  readonly contact: string
  /** HMAC of the E.164 number under the index key; equal numbers are equal. */
  readonly phone: string
  /** ISO 3166. */
  readonly country?: string
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

/** `upload.before`: the place after which the rows of an upload are added. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS audience (
    number INTEGER PRIMARY KEY, campaign TEXT NOT NULL UNIQUE, sealed TEXT NOT NULL, changed TEXT, names TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS member (
    place INTEGER PRIMARY KEY AUTOINCREMENT, audience INTEGER NOT NULL, contact TEXT NOT NULL, phone TEXT NOT NULL,
    country TEXT NOT NULL, added TEXT NOT NULL, upload TEXT, line INTEGER, sealed TEXT NOT NULL, copied TEXT,
    UNIQUE (audience, phone), UNIQUE (contact, audience)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS member_audience ON member (audience, place);
  CREATE TABLE IF NOT EXISTS spelling (
    hmac TEXT NOT NULL, contact TEXT NOT NULL, phone TEXT NOT NULL, PRIMARY KEY (hmac, contact)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS spelling_contact ON spelling (contact);
  CREATE TABLE IF NOT EXISTS pending (
    place INTEGER PRIMARY KEY, upload TEXT NOT NULL, rows TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pending_upload ON pending (upload, place);
  CREATE TABLE IF NOT EXISTS upload (
    upload TEXT PRIMARY KEY, campaign TEXT NOT NULL, added INTEGER, digest TEXT NOT NULL, file TEXT, time TEXT NOT NULL,
    before INTEGER, names TEXT, columns TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS upload_digest ON upload (campaign, digest);
  CREATE TABLE IF NOT EXISTS optout (
    place INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, list TEXT NOT NULL, category TEXT NOT NULL,
    source TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL, actor TEXT, time TEXT NOT NULL, active INTEGER NOT NULL,
    origin TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS optout_list ON optout (list, active, source);
  CREATE INDEX IF NOT EXISTS optout_campaign ON optout (origin ->> 'campaign', time) WHERE kind = 'stop';
  CREATE TABLE IF NOT EXISTS optout_person (
    digest TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (digest, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS forgotten (contact TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
`

/** One contact of a campaign, as stored in the index. */
export interface MemberRow {
  readonly place: number
  readonly contact: string
  readonly phone: string
  readonly country: string
  readonly added: string
  readonly upload: string | null
  /** Line in the file of the upload, from 1. */
  readonly line: number | null
  readonly sealed: string
}

export const MEMBER = 'place, contact, phone, country, added, upload, line, sealed'
export const memberOf = (row: Readonly<Record<string, unknown>>): MemberRow => ({
  place: Number(row.place),
  contact: String(row.contact),
  phone: String(row.phone),
  country: String(row.country),
  added: String(row.added),
  upload: row.upload === null ? null : String(row.upload),
  line: row.line === null ? null : Number(row.line),
  sealed: String(row.sealed),
})

/** One entry of an opt-out list. */
export interface OptOutEntry extends OptOutOrigin {
  readonly place: number
  readonly kind: 'stop' | 'start' | 'pass'
  readonly list: string
  readonly category: string
  readonly source: string
  readonly rule: string
  readonly reason: string
  readonly actor: string | null
  readonly time: string
  /** A suppression that nothing has lifted. */
  readonly isActive: boolean
}

export const entryOf = (row: Readonly<Record<string, unknown>>): OptOutEntry => ({
  ...(JSON.parse(String(row.origin)) as OptOutOrigin),
  place: Number(row.place),
  kind: row.kind as OptOutEntry['kind'],
  list: String(row.list),
  category: String(row.category),
  source: String(row.source),
  rule: String(row.rule),
  reason: String(row.reason),
  actor: row.actor === null ? null : String(row.actor),
  time: String(row.time),
  isActive: row.active === 1,
})

/** Sources of events from before there were codes for them. */
export const sourceOf = (source: string): string => (source === 'reply' ? 'word' : source)

const ORIGIN: readonly (keyof OptOutOrigin)[] = ['campaign', 'channel', 'bot', 'account', 'word']
/** The origin of an opt-out, as JSON text. */
export const originText = (data: JsonObject): string =>
  JSON.stringify(
    Object.fromEntries(ORIGIN.flatMap(name => (typeof data[name] === 'string' ? [[name, data[name]]] : []))),
  )

/** A part of an upload's mapping as JSON text: the columns by field, or their names; null without it. */
export const mappingText = (rules: unknown, part: 'columns' | 'names'): string | null => {
  const { mapping } = (rules ?? {}) as { readonly mapping?: JsonObject }
  const stored = mapping?.[part]
  return stored === undefined ? null : JSON.stringify(stored)
}

const MAX_ROWS = 1024
/** With the other members of the event this stays far below the 1 MiB of an append. */
const MAX_BYTES = 512 * 1024
/** Size of a row without its ciphertext. */
const ROW_BYTES = 200

/** Splits rows into chunks that fit into one event each. */
export function* chunksOf(rows: readonly SealedContact[]): Generator<readonly SealedContact[]> {
  let chunk: SealedContact[] = []
  let bytes = 0
  for (const row of rows) {
    const size = row.sealed.length + ROW_BYTES
    if (chunk.length > 0 && (chunk.length === MAX_ROWS || bytes + size > MAX_BYTES)) {
      yield chunk
      chunk = []
      bytes = 0
    }
    chunk.push(row)
    bytes += size
  }
  if (chunk.length > 0) yield chunk
}

/** Derived from both keys: a row is unreadable without the contact's or without the campaign's. */
export const rowKey = (contactKey: Buffer, campaignKey: Buffer): Buffer =>
  createHmac('sha256', createSecretKey(contactKey)).update(campaignKey).digest()

interface RowPlace {
  readonly campaign: string
  readonly contact: string
  readonly contactKey: Buffer
  readonly campaignKey: Buffer
}

const contextOf = ({ campaign, contact }: Pick<RowPlace, 'campaign' | 'contact'>): string =>
  `contact ${campaign} ${contact}`

export const sealRow = (place: RowPlace, opened: OpenedContact): string =>
  encrypt(rowKey(place.contactKey, place.campaignKey), Buffer.from(JSON.stringify(opened)), contextOf(place))

/**
 * Opens a row with its own key, where the keys that it is derived from are not at hand.
 * @throws SealBroken
 */
export const openRowWith = (
  key: Buffer,
  place: Pick<RowPlace, 'campaign' | 'contact'>,
  sealed: string,
): OpenedContact => JSON.parse(decrypt(key, sealed, contextOf(place)).toString())

/** @throws SealBroken */
export const openRow = (place: RowPlace, sealed: string): OpenedContact =>
  openRowWith(rowKey(place.contactKey, place.campaignKey), place, sealed)
