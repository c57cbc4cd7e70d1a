import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Statements } from '#commands/store/embedded/event-file.ts'
import { storageError } from '#commands/store/embedded/message.ts'
import { openReadOnly, type SqliteFormat } from '#commands/store/embedded/sqlite-file.ts'
import { StoreUnavailable } from '#commands/store/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { masterKeys } from './master-key.ts'
import { decrypt, encrypt, KEY_BYTES, KeyRefused, keyIdOf, SealBroken, unpooled, unseal } from './secret.ts'

type Purpose = 'secret' | 'index'

const CHECK = 'parley'
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE data_key (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, purpose TEXT NOT NULL, wrapped TEXT NOT NULL);
  CREATE TABLE user_key (user TEXT PRIMARY KEY, wrapped TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE forgotten (user TEXT PRIMARY KEY) WITHOUT ROWID;`

/** Keys that were made elsewhere, unwrapped; newest first. */
export interface GivenKeys {
  readonly data: readonly { readonly id: string; readonly purpose: Purpose; readonly key: Buffer }[]
  readonly users: ReadonlyMap<string, Buffer>
  readonly forgotten: Iterable<string>
}

/** A new file of keys, wrapped with the master key's wrapping key from the start; new ones unless they are given. */
export function keyFormat(wrapping: Buffer, given?: GivenKeys): SqliteFormat {
  return {
    applicationId: 0x50726c6b,
    version: 1,
    kind: 'a key file',
    fill: db => {
      db.exec(TABLES)
      const check = encrypt(wrapping, Buffer.from(CHECK), 'check')
      db.prepare("INSERT INTO meta (key, value) VALUES ('check', ?)").run(check)
      if (given === undefined) for (const purpose of ['secret', 'index'] as const) insertDataKey(db, wrapping, purpose)
      else insertGiven(db, wrapping, given)
    },
  }
}

/** Wrapped keys in an SQLite file of their own, in which nothing that was deleted stays. */
export class KeyTable {
  private readonly file: string
  private db: DatabaseSync
  private statements: Statements
  private reading: boolean

  /** Read-only where asked, or where the disk allows no more; then the first write tries again. */
  constructor(file: string, readOnly: boolean) {
    this.file = file
    this.reading = readOnly
    this.db = this.guarded(() => (readOnly ? openReadOnly(file).db : this.openOrRead()))
    this.statements = new Statements(this.db)
  }

  fits(wrapping: Buffer): boolean {
    const row = this.statements.get("SELECT value FROM meta WHERE key = 'check'").get()
    try {
      return decrypt(wrapping, String(row?.value), 'check').toString() === CHECK
    } catch (error) {
      if (error instanceof SealBroken) return false
      throw error
    }
  }

  /** Newest first. */
  dataKeys(purpose: Purpose): { id: string; wrapped: string }[] {
    const rows = this.statements
      .get('SELECT id, wrapped FROM data_key WHERE purpose = ? ORDER BY number DESC')
      .all(purpose)
    return rows.map(({ id, wrapped }) => ({ id: String(id), wrapped: String(wrapped) }))
  }

  userKey(user: string): string | undefined {
    const row = this.statements.get('SELECT wrapped FROM user_key WHERE user = ?').get(user)
    return row && String(row.wrapped)
  }

  *userKeys(): Generator<{ user: string; wrapped: string }> {
    for (const { user, wrapped } of this.db.prepare('SELECT user, wrapped FROM user_key').iterate())
      yield { user: String(user), wrapped: String(wrapped) }
  }

  forgotten(): Set<string> {
    return new Set(
      this.db
        .prepare('SELECT user FROM forgotten')
        .all()
        .map(({ user }) => String(user)),
    )
  }

  isForgotten(user: string): boolean {
    return this.statements.get('SELECT 1 FROM forgotten WHERE user = ?').get(user) !== undefined
  }

  /** A number that changes whenever another connection has written. */
  changes(): number {
    return Number(this.statements.get('PRAGMA data_version').get()?.data_version)
  }

  addDataKey(wrapping: Buffer, purpose: Purpose): void {
    this.write(db => insertDataKey(db, wrapping, purpose))
  }

  addUserKey(wrapping: Buffer, user: string): void {
    const wrapped = encrypt(wrapping, randomBytes(KEY_BYTES), userBinding(user))
    this.write(db => db.prepare('INSERT OR IGNORE INTO user_key (user, wrapped) VALUES (?, ?)').run(user, wrapped))
  }

  forget(users: Iterable<string>): void {
    this.write(db => {
      for (const user of users) {
        db.prepare('DELETE FROM user_key WHERE user = ?').run(user)
        db.prepare('INSERT OR IGNORE INTO forgotten (user) VALUES (?)').run(user)
      }
      markForScrub(db)
    })
    this.scrub()
  }

  rewrap(from: Buffer, to: Buffer): void {
    const again = (wrapped: unknown, context: string) => encrypt(to, decrypt(from, String(wrapped), context), context)
    this.write(db => {
      db.prepare("UPDATE meta SET value = ? WHERE key = 'check'").run(encrypt(to, Buffer.from(CHECK), 'check'))
      for (const { id, purpose, wrapped } of db.prepare('SELECT id, purpose, wrapped FROM data_key').all()) {
        const context = dataBinding(String(purpose), String(id))
        db.prepare('UPDATE data_key SET wrapped = ? WHERE id = ?').run(again(wrapped, context), id ?? null)
      }
      for (const { user, wrapped } of db.prepare('SELECT user, wrapped FROM user_key').all()) {
        const renewed = again(wrapped, userBinding(String(user)))
        db.prepare('UPDATE user_key SET wrapped = ? WHERE user = ?').run(renewed, user ?? null)
      }
      markForScrub(db)
    })
    this.scrub()
  }

  /** Ends what a crash left unfinished. */
  finishScrub(): void {
    if (this.statements.get("SELECT 1 FROM meta WHERE key = 'scrub'").get()) this.scrub()
  }

  close(): void {
    this.db.close()
  }

  /** Moving rows between pages leaves copies that secure_delete does not reach: rewrites every page. */
  private scrub(): void {
    this.guarded(() => {
      this.db.exec('VACUUM')
      const busy = this.statements.get('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy
      if (busy !== 0) throw new StoreUnavailable(`${this.file} is being read; what was deleted is not wiped yet`)
      this.db.exec("DELETE FROM meta WHERE key = 'scrub'")
    })
  }

  private write(work: (db: DatabaseSync) => void): void {
    this.guarded(() => {
      if (this.reading) this.reopen()
      this.db.exec('BEGIN IMMEDIATE')
      try {
        work(this.db)
        this.db.exec('COMMIT')
      } finally {
        if (this.db.isTransaction) this.db.exec('ROLLBACK')
      }
    })
  }

  private reopen(): void {
    const writable = openWritable(this.file)
    this.db.close()
    this.db = writable
    this.statements = new Statements(writable)
    this.reading = false
  }

  private openOrRead(): DatabaseSync {
    try {
      return openWritable(this.file)
    } catch {
      this.reading = true
      return openReadOnly(this.file).db
    }
  }

  private guarded<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw storageError(error, this.file)
    }
  }
}

export const userBinding = (user: string) => JSON.stringify(['user', user])
export const dataBinding = (purpose: string, id: string) => JSON.stringify(['data', purpose, id])

function insertDataKey(db: DatabaseSync, wrapping: Buffer, purpose: Purpose): void {
  keepDataKey(db, wrapping, { id: randomBytes(6).toString('hex'), purpose, key: randomBytes(KEY_BYTES) })
}

function keepDataKey(db: DatabaseSync, wrapping: Buffer, { id, purpose, key }: GivenKeys['data'][number]): void {
  const wrapped = encrypt(wrapping, key, dataBinding(purpose, id))
  db.prepare('INSERT INTO data_key (id, purpose, wrapped) VALUES (?, ?, ?)').run(id, purpose, wrapped)
}

function insertGiven(db: DatabaseSync, wrapping: Buffer, { data, users, forgotten }: GivenKeys): void {
  for (const key of [...data].reverse()) keepDataKey(db, wrapping, key)
  const add = db.prepare('INSERT INTO user_key (user, wrapped) VALUES (?, ?)')
  for (const [user, key] of users) add.run(user, encrypt(wrapping, key, userBinding(user)))
  for (const user of forgotten) db.prepare('INSERT INTO forgotten (user) VALUES (?)').run(user)
}

function markForScrub(db: DatabaseSync): void {
  db.exec("INSERT OR IGNORE INTO meta (key, value) VALUES ('scrub', '')")
}

function openWritable(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 5000 })
  try {
    db.exec('PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY; BEGIN IMMEDIATE; ROLLBACK')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

const CACHED_USERS = 10_000

interface DataKey {
  readonly id: string
  readonly key: Buffer
}

/** Unwrapped keys at hand, never staler than the table. */
export class KeyRing {
  readonly table: KeyTable
  wrapping: Buffer
  private readonly users = new Map<string, Buffer>()
  private secrets: readonly DataKey[] = []
  /** A key object: with the bytes of a key `createHmac` takes five times as long. */
  private indexKey: KeyObject | undefined
  private seen = -1

  constructor(table: KeyTable, wrapping: Buffer) {
    this.table = table
    this.wrapping = wrapping
  }

  openSecret(sealed: JsonObject, context: string): Json {
    const id = keyIdOf('$secret', sealed)
    const find = () => this.secrets.find(candidate => candidate.id === id)
    const found = find() ?? this.reload() ?? find()
    if (!found) throw new SealBroken(`The key ${id} of the sealed value of ${context} is not here`)
    return unseal('$secret', found.key, sealed, context)
  }

  /** Undefined when the user's key was destroyed. */
  openPersonal(user: string, sealed: JsonObject, context: string): Json | undefined {
    const key = this.userKey(user)
    return key && unseal('$personal', key, sealed, context)
  }

  hmac(text: string): string {
    this.indexKey ??= this.loadIndexKey()
    return createHmac('sha256', this.indexKey).update(text).digest('hex')
  }

  newestSecret(): DataKey {
    if (this.secrets.length === 0) this.reload()
    const [newest] = this.secrets
    if (!newest) throw new SealBroken('There is no key for secrets')
    return newest
  }

  userKey(user: string): Buffer | undefined {
    const changes = this.table.changes()
    if (changes !== this.seen) this.dropUsers()
    this.seen = changes
    const cached = this.users.get(user)
    if (cached) return cached
    const wrapped = this.table.userKey(user)
    if (wrapped === undefined) return undefined
    const key = unpooled(decrypt(this.wrapping, wrapped, userBinding(user)))
    if (this.users.size >= CACHED_USERS) this.dropUsers()
    this.users.set(user, key)
    return key
  }

  /** Wipes the users' keys from memory; those still there are unwrapped again when needed. */
  dropUsers(): void {
    for (const key of this.users.values()) key.fill(0)
    this.users.clear()
  }

  reload(): undefined {
    this.secrets = this.load('secret')
  }

  close(): void {
    this.dropUsers()
    for (const { key } of this.secrets) key.fill(0)
    this.indexKey = undefined
    this.wrapping.fill(0)
    this.table.close()
  }

  private loadIndexKey(): KeyObject {
    const [index] = this.load('index')
    if (index === undefined) throw new SealBroken('The index key is not here')
    const key = createSecretKey(index.key)
    index.key.fill(0)
    return key
  }

  private load(purpose: Purpose): DataKey[] {
    return this.table.dataKeys(purpose).map(({ id, wrapped }) => ({
      id,
      key: decrypt(this.wrapping, wrapped, dataBinding(purpose, id)),
    }))
  }
}

export interface KeyPlace {
  /** PARLEY_DATA. */
  readonly folder: string
  /** PARLEY_KEY: 32 bytes in base64. Without it the key file of the folder is used. */
  readonly key?: string | undefined
}

/** Keys interface for read models and queries. */
export interface KeysReader {
  readonly secret: {
    /** @throws SealBroken when the value was changed or stands elsewhere than it was made for */
    decrypt(sealed: JsonObject, context: string): Json
  }
  readonly personal: {
    /** Undefined when the user was forgotten. @throws SealBroken as above */
    decrypt(user: string, sealed: JsonObject, context: string): Json | undefined
  }
  readonly index: {
    /** HMAC-SHA256 under the index key, lower-case hex. */
    hmac(text: string): string
  }
  close(): void
}

/**
 * Opens keys that `openKeys` made, for reading alone, in any thread; it sees new and forgotten users at once.
 * @throws KeyRefused with one line
 */
export function openKeysReader(place: KeyPlace): KeysReader {
  const table = new KeyTable(join(place.folder, 'keys.sqlite'), true)
  return reading(new KeyRing(table, fittingKey(table, place)))
}

export function reading(ring: KeyRing): KeysReader {
  return {
    secret: { decrypt: (sealed, context) => ring.openSecret(sealed, context) },
    personal: { decrypt: (user, sealed, context) => ring.openPersonal(user, sealed, context) },
    index: { hmac: text => ring.hmac(text) },
    close: () => ring.close(),
  }
}

/** Closes the table when no key fits. */
export function fittingKey(table: KeyTable, { folder, key }: KeyPlace): Buffer {
  const candidates = masterKeys(folder, key)
  const fitting = candidates.find(candidate => table.fits(candidate))
  if (fitting) return fitting
  table.close()
  const name = key === undefined ? `The key file of ${folder}` : 'PARLEY_KEY'
  const fault = candidates.length === 0 ? 'is missing' : 'is another one than the data was encrypted with'
  throw new KeyRefused(`${name} ${fault}`)
}
