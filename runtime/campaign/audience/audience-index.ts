import { TimeSlicer } from '#commands/time-slicer.ts'
import { agreedColumns } from '#domain/audience/contact-columns.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import {
  AUDIENCE_PREFIX,
  CONTACT_KEYS_PREFIX,
  type ResumedContact,
  type SealedContact,
  SUPPRESSION_PREFIX,
  UPLOAD_ROWS_PREFIX,
} from '#schemas/events/campaign.ts'
import { FollowedIndex } from '../../log/followed-index.ts'
import {
  holderOf,
  MEMBER,
  type MemberRow,
  mappingText,
  memberOf,
  type OptOutEntry,
  originText,
  type PersonDigests,
  SCHEMA,
  sourceOf,
  storedDigests,
} from './audience.ts'
import { PopulationQueries, SuppressionQueries } from './audience-queries.ts'

/** An index of another version is rebuilt from the log. */
const VERSION = 8

/** Above all places. */
const EVERYWHERE = Number.MAX_SAFE_INTEGER

/** The first contact of each person. */
const firstOfEach = (rows: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<number, string> =>
  new Map(rows.toReversed().map(({ person, contact }) => [Number(person), String(contact)]))

/** Index of audiences and suppressions: built from the log, safe to delete. */
export class AudienceIndex extends FollowedIndex {
  readonly population: PopulationQueries
  readonly suppressions: SuppressionQueries
  /** Readers see rows up to this place: an upload appears as a whole, although its rows are added in slices. */
  #visible = EVERYWHERE

  constructor(file: string) {
    super(file, { version: VERSION, schema: SCHEMA })
    this.population = new PopulationQueries(this.sql, () => this.#visible)
    this.suppressions = new SuppressionQueries(this.sql)
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
    this.#changed(audience, time)
    if (type === 'ContactsAdded')
      for (const row of data.rows as unknown as readonly SealedContact[]) this.#add(audience, row, time, null)
    if (type === 'ContactChanged') this.#change(audience, data as unknown as SealedContact)
    if (type === 'FieldsNamed') this.#name(audience, data.names as JsonObject)
    if (type === 'ContactsRemoved')
      for (const contact of data.contacts as readonly string[])
        this.sql.run('DELETE FROM member WHERE audience = ? AND contact = ?', audience, contact)
  }

  /** Of equal numbers only the first is added. Returns true when the row was added. */
  #add(audience: number, row: SealedContact, time: string, upload: string | null): boolean {
    const { contact, phone, aliases, country, sealed, line = null, of = null } = row
    if (this.isForgotten(contact)) return false
    const changes = this.sql.run(
      `INSERT OR IGNORE INTO member (audience, contact, phone, country, added, upload, line, sealed, copied)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[audience, contact, phone, country, time, upload, line, sealed, of],
    )
    if (changes === 0) return false
    this.#spell(contact, phone, aliases)
    return true
  }

  #spell(contact: string, phone: string, aliases: readonly string[]): void {
    for (const hmac of [phone, ...aliases])
      this.sql.run('INSERT OR IGNORE INTO spelling (hmac, contact, phone) VALUES (?, ?, ?)', hmac, contact, phone)
  }

  #change(audience: number, row: SealedContact): void {
    const { contact, phone, aliases, country, sealed, of = null } = row
    if (this.isForgotten(contact)) return
    this.sql.run(
      'UPDATE OR IGNORE member SET phone = ?, country = ?, sealed = ?, copied = ? WHERE audience = ? AND contact = ?',
      ...[phone, country, sealed, of, audience, contact],
    )
    this.#spell(contact, phone, aliases)
  }

  #upload({ stream, type, data, time }: StoredEvent): void | Promise<void> {
    const upload = stream.slice(UPLOAD_ROWS_PREFIX.length)
    if (type === 'UploadReceived')
      this.sql.run(
        `INSERT OR IGNORE INTO upload (upload, campaign, digest, file, time, names, columns)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[upload, String(data.campaign), String(data.digest), String(data.file), time],
        ...[mappingText(data.rules, 'names'), mappingText(data.rules, 'columns')],
      )
    if (type === 'UploadRows')
      this.sql.run('INSERT INTO pending (upload, rows) VALUES (?, ?)', upload, JSON.stringify(data.rows))
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
    await this.#takePending(upload, row => this.#add(audience, row, time, upload))
    const added = this.sql.get('SELECT count(*) AS n FROM member WHERE audience = ? AND place > ?', audience, before)?.n
    this.sql.run('UPDATE upload SET added = ? WHERE upload = ? AND added IS NULL', Number(added), upload)
    if (Number(added) > 0) this.#changed(audience, time)
    this.#visible = EVERYWHERE
  }

  /** A field that has a name keeps it. */
  #name(audience: number, names: JsonObject): void {
    const known = this.sql.get('SELECT names FROM audience WHERE number = ?', audience)?.names
    const all = { ...names, ...(typeof known === 'string' ? (JSON.parse(known) as JsonObject) : {}) }
    this.sql.run('UPDATE audience SET names = ? WHERE number = ?', JSON.stringify(all), audience)
  }

  #changed(audience: number, time: string): void {
    this.sql.run('UPDATE audience SET changed = ? WHERE number = ?', time, audience)
  }

  #dropPending(upload: string): void {
    this.sql.run('DELETE FROM pending WHERE upload = ?', upload)
  }

  /** Removes the pending rows of an upload after each was used, in slices. Rows of an interrupted event are used again. */
  async #takePending(upload: string, use: (row: SealedContact) => void): Promise<void> {
    const slices = new TimeSlicer()
    for (;;) {
      const pending = this.sql.get('SELECT place, rows FROM pending WHERE upload = ? ORDER BY place LIMIT 1', upload)
      if (pending === undefined) return
      for (const row of JSON.parse(String(pending.rows)) as readonly SealedContact[]) {
        this.sql.begin()
        use(row)
        if (slices.isOver) await slices.next()
      }
      this.sql.begin()
      this.sql.run('DELETE FROM pending WHERE place = ?', Number(pending.place))
    }
  }

  #suppression(event: StoredEvent): void {
    const { stream, type, data } = event
    const list = stream.slice(SUPPRESSION_PREFIX.length)
    // Events from before numbers had several spellings hold one digest in `phone`.
    const digests = (data.person ?? [data.phone]) as readonly string[]
    if (type === 'ContactResumed') {
      const { categories, sources } = data as unknown as ResumedContact
      const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ')
      this.sql.run(
        `UPDATE optout SET active = 0 WHERE +list = ? AND active = 1 AND source IN (${marks(sources)})
         AND category IN (${marks(categories)})
         AND place IN (SELECT place FROM optout_person WHERE digest IN (${marks(digests)}))`,
        ...[list, ...sources, ...categories, ...digests],
      )
    }
    if (type === 'ContactSuppressed' || type === 'ContactResumed' || type === 'OptOutPassed')
      this.#tell(list, digests, event)
  }

  #tell(list: string, digests: readonly string[], { type, data, actor, time }: StoredEvent): void {
    const text = (name: string) => String(data[name] ?? '')
    const kind = type === 'ContactSuppressed' ? 'stop' : type === 'ContactResumed' ? 'start' : 'pass'
    this.sql.run(
      `INSERT INTO optout (kind, list, category, source, rule, reason, actor, time, active, origin)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[kind, list, text('category'), sourceOf(text('source')), text('rule'), text('reason')],
      ...[actor, time, kind === 'stop' ? 1 : 0, originText(data)],
    )
    const place = Number(this.sql.get('SELECT max(place) AS place FROM optout')?.place)
    for (const digest of digests)
      this.sql.run('INSERT OR IGNORE INTO optout_person (digest, place) VALUES (?, ?)', digest, place)
  }

  #keys({ data, time }: StoredEvent): void {
    for (const contact of data.forgotten as readonly string[]) {
      const audiences = this.sql.all('SELECT audience FROM member WHERE contact = ?', contact)
      for (const { audience } of audiences) this.#changed(Number(audience), time)
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

  /** When contacts of an audience were added, changed or removed last. */
  changedAt(campaign: string): string | undefined {
    const changed = this.sql.get('SELECT changed FROM audience WHERE campaign = ?', campaign)?.changed
    return typeof changed === 'string' ? changed : undefined
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

  /** Rows of those of these contacts that a campaign has. */
  members(campaign: string, contacts: readonly string[]): readonly MemberRow[] {
    return this.sql
      .all(
        `SELECT ${MEMBER} FROM json_each(?) AS given
         CROSS JOIN member ON contact = given.value AND audience = ? AND +place <= ?`,
        ...[JSON.stringify(contacts), this.#numberOf(campaign), this.#visible],
      )
      .map(memberOf)
  }

  /** Digest of the row that a planned contact was copied from. */
  copiedFrom(audience: string, contact: string): string | undefined {
    const sql = 'SELECT copied FROM member WHERE audience = ? AND contact = ?'
    const copied = this.sql.get(sql, this.#numberOf(audience), contact)?.copied
    return typeof copied === 'string' ? copied : undefined
  }

  /** For each contact that is in one of these lists, those that contain its person. */
  listsOf(lists: readonly string[], contacts: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const rows = this.sql.all(
      `SELECT DISTINCT own.contact AS contact, audience.campaign AS holder FROM json_each(?) AS given
       CROSS JOIN spelling AS own ON own.contact = given.value CROSS JOIN spelling AS other ON other.hmac = own.hmac
       CROSS JOIN member ON member.contact = other.contact AND member.place <= ?
       CROSS JOIN audience ON audience.number = member.audience AND audience.campaign IN (SELECT value FROM json_each(?))`,
      ...[JSON.stringify(contacts), this.#visible, JSON.stringify(lists)],
    )
    const found = new Map<string, string[]>()
    for (const { contact, holder } of rows) {
      const own = found.get(String(contact)) ?? []
      own.push(String(holder))
      found.set(String(contact), own)
    }
    return found
  }

  /** Which of these lists contain a person. */
  listsWith(lists: readonly string[], person: PersonDigests): readonly string[] {
    const marks = person.map(() => '?').join(', ')
    const rows = this.sql.all(
      `SELECT DISTINCT audience.campaign AS holder FROM spelling JOIN member ON member.contact = spelling.contact
       JOIN audience ON audience.number = member.audience WHERE spelling.hmac IN (${marks}) AND member.place <= ?`,
      ...[...person, this.#visible],
    )
    const holders = new Set(rows.map(({ holder }) => String(holder)))
    return lists.filter(list => holders.has(list))
  }

  /** The contact of a campaign with one of these spellings. */
  memberWith(campaign: string, person: PersonDigests): MemberRow | undefined {
    const marks = person.map(() => '?').join(', ')
    const row = this.sql.get(
      `SELECT ${MEMBER} FROM member WHERE audience = ? AND phone IN (${marks}) AND +place <= ? LIMIT 1`,
      ...[this.#numberOf(campaign), ...person, this.#visible],
    )
    return row && memberOf(row)
  }

  /** Contacts of those people that a campaign contains, by place. */
  contactsIn(campaign: string, people: readonly PersonDigests[]): ReadonlyMap<number, string> {
    // A cross join keeps the order of the tables, and + keeps the index on places out of the plan.
    const rows = this.sql.all(
      `SELECT given.key AS person, member.contact AS contact FROM json_each(?) AS given
       CROSS JOIN json_each(given.value) AS spelling
       CROSS JOIN member ON member.audience = ? AND member.phone = spelling.value AND +member.place <= ?`,
      ...[JSON.stringify(people), this.#numberOf(campaign), this.#visible],
    )
    return firstOfEach(rows)
  }

  /** A contact of each of those people that has one and was not forgotten, by place. */
  knownContacts(people: readonly PersonDigests[]): ReadonlyMap<number, string> {
    const rows = this.sql.all(
      `SELECT given.key AS person, known.contact AS contact FROM json_each(?) AS given
       CROSS JOIN json_each(given.value) AS digest CROSS JOIN spelling AS known ON known.hmac = digest.value
       WHERE NOT EXISTS (SELECT 1 FROM forgotten WHERE forgotten.contact = known.contact)`,
      JSON.stringify(people),
    )
    return firstOfEach(rows)
  }

  #visibleMember(row: Readonly<Record<string, unknown>> | undefined): MemberRow | undefined {
    const member = row && memberOf(row)
    return member !== undefined && member.place <= this.#visible ? member : undefined
  }

  /** Contacts with one of these spellings of a number. */
  contactsOf(person: PersonDigests): readonly string[] {
    const marks = person.map(() => '?').join(', ')
    return this.sql
      .all(`SELECT DISTINCT contact FROM spelling WHERE hmac IN (${marks})`, ...person)
      .map(({ contact }) => String(contact))
  }

  /** Rows of the contacts that an entry of an opt-out list is about, newest first, each with its audience. */
  membersOf({ place }: Pick<OptOutEntry, 'place'>): readonly (MemberRow & { readonly audience: string })[] {
    return this.sql
      .all(
        `SELECT DISTINCT member.*, audience.campaign AS holder FROM optout_person
         JOIN spelling ON spelling.hmac = optout_person.digest JOIN member ON member.contact = spelling.contact
         JOIN audience ON audience.number = member.audience
         WHERE optout_person.place = ? AND member.place <= ? ORDER BY member.place DESC LIMIT 50`,
        ...[place, this.#visible],
      )
      .map(row => ({ ...memberOf(row), audience: String(row.holder) }))
  }

  /** HMACs of all numbers a contact has had. */
  phonesOf(contact: string): readonly string[] {
    return this.sql
      .all('SELECT DISTINCT phone FROM spelling WHERE contact = ?', contact)
      .map(({ phone }) => String(phone))
  }

  /** Campaigns and lists that contain a contact, or whose runs do. */
  campaignsOf(contact: string): readonly string[] {
    return this.sql
      .all(
        `SELECT campaign FROM member JOIN audience ON audience.number = member.audience
         WHERE contact = ? AND place <= ? ORDER BY campaign`,
        ...[contact, this.#visible],
      )
      .map(({ campaign }) => holderOf(String(campaign)))
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

  /**
   * Names of the columns that the fields of an audience were imported from: those of the newest upload with the field,
   * else those of the contacts that were copied to it.
   */
  fieldNames(campaign: string): Readonly<Record<string, string>> {
    const rows = this.sql.all(
      'SELECT names FROM upload WHERE campaign = ? AND names IS NOT NULL AND added > 0 ORDER BY time DESC LIMIT 20',
      campaign,
    )
    const copied = this.sql.get('SELECT names FROM audience WHERE campaign = ?', campaign)?.names
    const all = [...rows.map(({ names }) => names), ...(typeof copied === 'string' ? [copied] : [])]
    return Object.assign({}, ...all.map(names => JSON.parse(String(names)) as JsonObject).toReversed())
  }

  /** Columns of the files of an audience's newest uploads, from 0, by the part of a contact. */
  fieldColumns(campaign: string): Readonly<Record<string, number>> {
    const rows = this.sql.all(
      'SELECT columns FROM upload WHERE campaign = ? AND columns IS NOT NULL AND added > 0 ORDER BY time DESC LIMIT 20',
      campaign,
    )
    return agreedColumns(rows.map(({ columns }) => JSON.parse(String(columns)) as Record<string, number>))
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

  /** All spellings of a contact's number. */
  digestsOfRow({ contact, phone }: Pick<MemberRow, 'contact' | 'phone'>): PersonDigests {
    const rows = this.sql.all('SELECT hmac FROM spelling WHERE contact = ? AND phone = ?', contact, phone)
    return storedDigests([phone, ...rows.map(({ hmac }) => String(hmac))])
  }

  /** All spellings of the number of each row, in order. */
  digestsOfRows(rows: readonly Pick<MemberRow, 'contact' | 'phone'>[]): readonly PersonDigests[] {
    const digests = rows.map(({ phone }) => [phone])
    const found = this.sql.all(
      `SELECT given.key AS place, hmac, phone FROM json_each(?) AS given
       CROSS JOIN spelling ON spelling.contact = given.value`,
      JSON.stringify(rows.map(({ contact }) => contact)),
    )
    for (const { place, hmac, phone } of found)
      if (rows[Number(place)]?.phone === phone) digests[Number(place)]?.push(String(hmac))
    return digests.map(storedDigests)
  }

  /** All spellings of a number of which one is known. */
  digestsLike(hmac: string): PersonDigests {
    const rows = this.sql.all(
      `SELECT other.hmac AS hmac FROM spelling AS known JOIN spelling AS other USING (contact)
       WHERE known.hmac = ? AND other.phone = known.phone`,
      hmac,
    )
    return storedDigests([hmac, ...rows.map(row => String(row.hmac))])
  }
}
