import type { JsonObject } from '#schemas/event.ts'
import type { OptOutOrigin } from '#schemas/events/campaign.ts'

/** `upload.before`: the place after which the rows of an upload are added. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS audience (number INTEGER PRIMARY KEY, campaign TEXT NOT NULL UNIQUE, sealed TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS member (
    place INTEGER PRIMARY KEY AUTOINCREMENT, audience INTEGER NOT NULL, contact TEXT NOT NULL, phone TEXT NOT NULL,
    country TEXT NOT NULL, added TEXT NOT NULL, upload TEXT, line INTEGER, sealed TEXT NOT NULL,
    UNIQUE (audience, phone), UNIQUE (contact, audience)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS member_audience ON member (audience, place);
  CREATE TABLE IF NOT EXISTS spelling (
    hmac TEXT NOT NULL, contact TEXT NOT NULL, phone TEXT NOT NULL, PRIMARY KEY (hmac, contact)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS spelling_contact ON spelling (contact);
  CREATE TABLE IF NOT EXISTS pending (
    place INTEGER PRIMARY KEY, upload TEXT NOT NULL, row TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS pending_upload ON pending (upload, place);
  CREATE TABLE IF NOT EXISTS upload (
    upload TEXT PRIMARY KEY, campaign TEXT NOT NULL, added INTEGER, digest TEXT NOT NULL, file TEXT, time TEXT NOT NULL,
    before INTEGER, names TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS upload_digest ON upload (campaign, digest);
  CREATE TABLE IF NOT EXISTS optout (
    place INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, list TEXT NOT NULL, category TEXT NOT NULL,
    source TEXT NOT NULL, rule TEXT NOT NULL, reason TEXT NOT NULL, actor TEXT, time TEXT NOT NULL, active INTEGER NOT NULL,
    origin TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS optout_list ON optout (list, active, source);
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

/** Names of the columns of an upload by field, as JSON text; null where the file had none. */
export const namesText = (rules: unknown): string | null => {
  const { mapping } = (rules ?? {}) as { readonly mapping?: { readonly names?: JsonObject } }
  return mapping?.names === undefined ? null : JSON.stringify(mapping.names)
}
