import { Slices } from '#commands/slices.ts'
import type { StoredEvent } from '#schemas/event.ts'
import {
  AUDIENCE_PREFIX,
  CONTACT_KEYS_PREFIX,
  type SealedContact,
  SUPPRESSION_PREFIX,
  UPLOAD_ROWS_PREFIX,
} from '#schemas/events/audience.ts'
import { FollowedIndex } from '../../log/followed-index.ts'

/** An index of another version is rebuilt from the log. */
const VERSION = 3

/** Rows of an upload that are moved or removed together. */
const ROWS_TOGETHER = 50
/** Above all places. */
const EVERYWHERE = Number.MAX_SAFE_INTEGER

/** `upload.before`: the place after which the rows of an upload are added. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS audience (number INTEGER PRIMARY KEY, campaign TEXT NOT NULL UNIQUE, sealed TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS member (
    place INTEGER PRIMARY KEY AUTOINCREMENT, audience INTEGER NOT NULL, contact TEXT NOT NULL, phone TEXT NOT NULL,
    country TEXT NOT NULL, added TEXT NOT NULL, upload TEXT, sealed TEXT NOT NULL,
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
    before INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS upload_digest ON upload (campaign, digest);
  CREATE TABLE IF NOT EXISTS suppressed (
    account TEXT NOT NULL, category TEXT NOT NULL, phone TEXT NOT NULL, PRIMARY KEY (account, category, phone)
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
  readonly sealed: string
}

const MEMBER = 'place, contact, phone, country, added, upload, sealed'
const memberOf = (row: Readonly<Record<string, unknown>>): MemberRow => ({
  place: Number(row.place),
  contact: String(row.contact),
  phone: String(row.phone),
  country: String(row.country),
  added: String(row.added),
  upload: row.upload === null ? null : String(row.upload),
  sealed: String(row.sealed),
})

/** Index of audiences and suppressions: built from the log, safe to delete. */
export class AudienceIndex extends FollowedIndex {
  /** Readers see rows up to this place: an upload appears as a whole, although its rows are added in slices. */
  #visible = EVERYWHERE

  constructor(file: string) {
    super(file, { version: VERSION, schema: SCHEMA })
  }

  protected change(event: StoredEvent): void | Promise<void> {
    const { stream } = event
    if (stream.startsWith(UPLOAD_ROWS_PREFIX)) return this.#upload(event)
    if (stream.startsWith(AUDIENCE_PREFIX)) this.#audience(event)
    else if (stream.startsWith(SUPPRESSION_PREFIX)) this.#suppression(event)
    else if (stream.startsWith(CONTACT_KEYS_PREFIX)) this.#keys(event)
  }

  #audience({ stream, type, data, time }: StoredEvent): void {
    const campaign = stream.slice(AUDIENCE_PREFIX.length)
    if (type === 'AudienceBegun') {
      const key = JSON.stringify(data.key)
      this.sql.run('INSERT OR IGNORE INTO audience (campaign, sealed) VALUES (?, ?)', campaign, key)
      return
    }
    const audience = this.#numberOf(campaign)
    if (type === 'ContactsAdded')
      for (const row of data.rows as unknown as readonly SealedContact[]) this.#add(audience, row, time, null)
    if (type === 'ContactChanged') this.#change(audience, data as unknown as SealedContact)
    if (type === 'ContactsRemoved')
      for (const contact of data.contacts as readonly string[])
        this.sql.run('DELETE FROM member WHERE audience = ? AND contact = ?', audience, contact)
  }

  /** Of equal numbers only the first is added. Returns true when the row was added. */
  #add(audience: number, row: SealedContact, time: string, upload: string | null): boolean {
    const { contact, phone, aliases, country, sealed } = row
    if (this.isForgotten(contact)) return false
    const changes = this.sql.run(
      'INSERT OR IGNORE INTO member (audience, contact, phone, country, added, upload, sealed) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...[audience, contact, phone, country, time, upload, sealed],
    )
    if (changes === 0) return false
    this.#spell(contact, phone, aliases)
    return true
  }

  #spell(contact: string, phone: string, aliases: readonly string[]): void {
    for (const hmac of [phone, ...aliases])
      this.sql.run('INSERT OR IGNORE INTO spelling (hmac, contact, phone) VALUES (?, ?, ?)', hmac, contact, phone)
  }

  #change(audience: number, { contact, phone, aliases, country, sealed }: SealedContact): void {
    if (this.isForgotten(contact)) return
    this.sql.run(
      'UPDATE OR IGNORE member SET phone = ?, country = ?, sealed = ? WHERE audience = ? AND contact = ?',
      ...[phone, country, sealed, audience, contact],
    )
    this.#spell(contact, phone, aliases)
  }

  #upload({ stream, type, data, time }: StoredEvent): void | Promise<void> {
    const upload = stream.slice(UPLOAD_ROWS_PREFIX.length)
    if (type === 'UploadReceived')
      this.sql.run(
        'INSERT OR IGNORE INTO upload (upload, campaign, digest, file, time) VALUES (?, ?, ?, ?, ?)',
        ...[upload, String(data.campaign), String(data.digest), String(data.file), time],
      )
    if (type === 'UploadRows')
      for (const row of data.rows as readonly unknown[])
        this.sql.run('INSERT INTO pending (upload, row) VALUES (?, ?)', upload, JSON.stringify(row))
    if (type === 'OriginalRemoved') this.sql.run('UPDATE upload SET file = NULL WHERE upload = ?', upload)
    if (type === 'UploadCompleted') return this.#complete(upload, time)
    // A node that takes over an upload restarts at its first row.
    if (type === 'UploadFailed' || (type === 'UploadTaken' && data.isRenewal !== true)) return this.#dropPending(upload)
  }

  async #complete(upload: string, time: string): Promise<void> {
    const campaign = this.sql.get('SELECT campaign FROM upload WHERE upload = ?', upload)?.campaign
    const audience = this.#numberOf(String(campaign))
    this.sql.run(
      'UPDATE upload SET before = (SELECT coalesce(max(place), 0) FROM member) WHERE upload = ? AND before IS NULL',
      upload,
    )
    const before = Number(this.sql.get('SELECT before FROM upload WHERE upload = ?', upload)?.before)
    this.#visible = before
    await this.#takePending(upload, rows => {
      for (const row of rows) this.#add(audience, JSON.parse(row) as SealedContact, time, upload)
    })
    const added = this.sql.get('SELECT count(*) AS n FROM member WHERE audience = ? AND place > ?', audience, before)?.n
    this.sql.run('UPDATE upload SET added = ? WHERE upload = ? AND added IS NULL', Number(added), upload)
    this.#visible = EVERYWHERE
  }

  #dropPending(upload: string): void | Promise<void> {
    if (this.sql.get('SELECT 1 FROM pending WHERE upload = ? LIMIT 1', upload) !== undefined)
      return this.#takePending(upload, () => undefined)
  }

  /** Removes the pending rows of an upload in slices, after each was used. */
  async #takePending(upload: string, use: (rows: readonly string[]) => void): Promise<void> {
    const slices = new Slices()
    for (;;) {
      this.sql.begin()
      const rows = this.sql.all(
        'SELECT place, row FROM pending WHERE upload = ? ORDER BY place LIMIT ?',
        ...[upload, ROWS_TOGETHER],
      )
      const last = rows.at(-1)?.place
      if (last === undefined) return
      use(rows.map(({ row }) => String(row)))
      this.sql.run('DELETE FROM pending WHERE upload = ? AND place <= ?', upload, last)
      if (slices.isOver) await slices.next()
    }
  }

  #suppression({ stream, type, data }: StoredEvent): void {
    const account = stream.slice(SUPPRESSION_PREFIX.length)
    if (type === 'ContactSuppressed')
      this.sql.run(
        'INSERT OR IGNORE INTO suppressed (account, category, phone) VALUES (?, ?, ?)',
        ...[account, String(data.category), String(data.phone)],
      )
  }

  #keys({ data }: StoredEvent): void {
    for (const contact of data.forgotten as readonly string[]) {
      this.sql.run('INSERT OR IGNORE INTO forgotten (contact) VALUES (?)', contact)
      this.sql.run('DELETE FROM member WHERE contact = ?', contact)
      this.sql.run('DELETE FROM spelling WHERE contact = ?', contact)
    }
  }

  isForgotten(contact: string): boolean {
    return this.sql.get('SELECT 1 FROM forgotten WHERE contact = ?', contact) !== undefined
  }

  #numberOf(campaign: string): number {
    return Number(this.sql.get('SELECT number FROM audience WHERE campaign = ?', campaign)?.number ?? 0)
  }

  /** The sealed key of a campaign; undefined when it has no audience. */
  keyOf(campaign: string): unknown {
    const row = this.sql.get('SELECT sealed FROM audience WHERE campaign = ?', campaign)
    return row === undefined ? undefined : JSON.parse(String(row.sealed))
  }

  count(campaign: string): number {
    const audience = this.#numberOf(campaign)
    const sql = 'SELECT count(*) AS n FROM member WHERE audience = ? AND place <= ?'
    return Number(this.sql.get(sql, audience, this.#visible)?.n ?? 0)
  }

  page(campaign: string, after: number, limit: number): readonly MemberRow[] {
    return this.sql
      .all(
        `SELECT ${MEMBER} FROM member WHERE audience = ? AND place > ? AND place <= ? ORDER BY place LIMIT ?`,
        ...[this.#numberOf(campaign), after, this.#visible, limit],
      )
      .map(memberOf)
  }

  /** Sorted newest first. */
  newest(campaign: string, offset: number, limit: number): readonly MemberRow[] {
    return this.sql
      .all(
        `SELECT ${MEMBER} FROM member WHERE audience = ? AND place <= ? ORDER BY place DESC LIMIT ? OFFSET ?`,
        ...[this.#numberOf(campaign), this.#visible, limit, offset],
      )
      .map(memberOf)
  }

  member(campaign: string, contact: string): MemberRow | undefined {
    const audience = this.#numberOf(campaign)
    const row = this.sql.get(`SELECT ${MEMBER} FROM member WHERE audience = ? AND contact = ?`, audience, contact)
    return this.#visibleMember(row)
  }

  memberWith(campaign: string, phone: string): MemberRow | undefined {
    const audience = this.#numberOf(campaign)
    const row = this.sql.get(`SELECT ${MEMBER} FROM member WHERE audience = ? AND phone = ?`, audience, phone)
    return this.#visibleMember(row)
  }

  /** Number of contacts of a campaign with one of these numbers, which must differ. */
  countWith(campaign: string, phones: readonly string[]): number {
    // A cross join keeps the order of the tables, and + keeps the index on places out of the plan.
    const row = this.sql.get(
      `SELECT count(*) AS n FROM json_each(?) AS given
       CROSS JOIN member ON member.audience = ? AND member.phone = given.value AND +member.place <= ?`,
      ...[JSON.stringify(phones), this.#numberOf(campaign), this.#visible],
    )
    return Number(row?.n ?? 0)
  }

  /** Number of suppressions, for all accounts and categories, of these numbers, which must differ. */
  countSuppressed(phones: readonly string[]): number {
    const row = this.sql.get(
      `SELECT count(*) AS n FROM json_each(?) AS given
       CROSS JOIN suppressed ON account = '*' AND category = '*' AND phone = given.value`,
      JSON.stringify(phones),
    )
    return Number(row?.n ?? 0)
  }

  #visibleMember(row: Readonly<Record<string, unknown>> | undefined): MemberRow | undefined {
    const member = row && memberOf(row)
    return member !== undefined && member.place <= this.#visible ? member : undefined
  }

  /** Contacts with this spelling of a number. */
  contactsOf(hmac: string): readonly string[] {
    return this.sql.all('SELECT contact FROM spelling WHERE hmac = ?', hmac).map(({ contact }) => String(contact))
  }

  /** HMACs of all numbers a contact has had. */
  phonesOf(contact: string): readonly string[] {
    return this.sql
      .all('SELECT DISTINCT phone FROM spelling WHERE contact = ?', contact)
      .map(({ phone }) => String(phone))
  }

  /** Campaigns that contain a contact. */
  campaignsOf(contact: string): readonly string[] {
    return this.sql
      .all(
        `SELECT campaign FROM member JOIN audience ON audience.number = member.audience
         WHERE contact = ? AND place <= ? ORDER BY campaign`,
        ...[contact, this.#visible],
      )
      .map(({ campaign }) => String(campaign))
  }

  /** The newest added upload of the same bytes. */
  uploadWith(campaign: string, digest: string): { readonly id: string; readonly time: string } | undefined {
    const row = this.sql.get(
      'SELECT upload, time FROM upload WHERE campaign = ? AND digest = ? AND added IS NOT NULL ORDER BY time DESC LIMIT 1',
      campaign,
      digest,
    )
    return row && { id: String(row.upload), time: String(row.time) }
  }

  /** Contacts that an upload added. */
  addedBy(upload: string): number {
    return Number(this.sql.get('SELECT added FROM upload WHERE upload = ?', upload)?.added ?? 0)
  }

  /** Uploads from before a time whose originals are still stored. */
  oldOriginals(before: string): readonly { readonly upload: string; readonly file: string }[] {
    return this.sql
      .all('SELECT upload, file FROM upload WHERE file IS NOT NULL AND time < ? LIMIT 1000', before)
      .map(({ upload, file }) => ({ upload: String(upload), file: String(file) }))
  }

  isSuppressed(account: string, category: string, phone: string): boolean {
    const row = this.sql.get(
      "SELECT 1 FROM suppressed WHERE account IN (?, '*') AND category IN (?, '*') AND phone = ? LIMIT 1",
      ...[account, category, phone],
    )
    return row !== undefined
  }
}
