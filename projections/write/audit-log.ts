import type { Json, StoredEvent } from '#schemas/event.ts'
import { isOriginId, ORIGIN_DAYS } from '#schemas/events/origin.ts'
import { originSeenSchema } from '#schemas/events/session.ts'
import { numberOf, type StatementCache, stringOf } from '../statement-cache.ts'
import type { LateWork } from './late-work.ts'

const MAX_CACHED_ORIGINS = 10_000
const DAY_MS = 86_400_000
const EMPTY = 'address = NULL, agent = NULL, name = NULL, time = NULL'

/** Addresses and browsers of sessions and attempts to sign in, by the small integers that audit lines refer to. */
export class OriginTable {
  readonly #statements: StatementCache
  readonly #keys = new Map<string, number>()

  constructor(statements: StatementCache) {
    this.#statements = statements
  }

  keyOf(causation: string | null): number | null {
    if (!isOriginId(causation)) return null
    const known = this.#keys.get(causation)
    if (known !== undefined) return known
    this.#statements.run('INSERT OR IGNORE INTO origin (id) VALUES (?)', causation)
    const key = numberOf(this.#statements.get('SELECT key FROM origin WHERE id = ?', causation), 'key')
    if (this.#keys.size >= MAX_CACHED_ORIGINS) this.#keys.clear()
    this.#keys.set(causation, key)
    return key
  }

  /** Stores what an event says, and removes what is older than the retention at its time. */
  apply({ data, time }: StoredEvent): void {
    const { origin, user, fields } = originSeenSchema.parse(data)
    const { address, agent, name = null } = fields
    // Personal values of forgotten users are no texts.
    const text = (value: unknown) => (typeof value === 'string' ? value : null)
    this.#statements.run(
      `INSERT INTO origin (id, time, user, address, agent, name) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET time = excluded.time, user = excluded.user, address = excluded.address,
         agent = excluded.agent, name = excluded.name`,
      origin,
      time,
      user,
      text(address),
      text(agent),
      name,
    )
    const oldest = new Date(Date.parse(time) - ORIGIN_DAYS * DAY_MS).toISOString()
    this.#statements.run(`UPDATE origin SET ${EMPTY} WHERE time IS NOT NULL AND time < ?`, oldest)
  }

  /** A forgotten user leaves no address and no browser. */
  forget(user: string): void {
    this.#statements.run(`UPDATE origin SET ${EMPTY} WHERE user = ?`, user)
  }
}

/** A stored change; `set`: whether a secret exists afterwards. */
export interface StoredChange {
  readonly path: string
  readonly before: Json
  readonly after: Json
  readonly secret?: true
  readonly set?: boolean
  readonly words?: true
  /** A list of groups: answered item by item. */
  readonly list?: true
}

export interface AuditLine {
  readonly time: string
  readonly entity: string
  readonly id: string
  readonly type: string
  readonly action: string
  readonly level: number
  readonly actor: string | null
  readonly revision: number
  readonly changes: readonly StoredChange[]
  /** Key of the fold whose summary replaces the changes. */
  readonly fold?: number
  /** Origin, as JSON. */
  readonly source?: string | null
  /** `causation` of the event: the session or attempt where there is one. */
  readonly origin?: string | null
}

const HOUR = 3_600_000
const LATE_LEVELS = 'audit-levels'
const MAX_CACHED_SUBJECTS = 50_000

/** Audit lines and what makes them fast to count. `flush` must end every batch. */
export class AuditLog {
  readonly #statements: StatementCache
  readonly #late: LateWork
  readonly #membership: (actor: string) => { groups: string; roles: string }
  readonly #kinds = new Map<string, number>()
  readonly #actors = new Map<string, number>()
  readonly #memberships = new Map<string, number>()
  readonly #subjects = new Map<string, { key: number; level: number }>()
  readonly #counts = new Map<string, number>()
  readonly #origins: OriginTable
  #next: number

  constructor(
    statements: StatementCache,
    late: LateWork,
    membership: (actor: string) => { groups: string; roles: string },
  ) {
    this.#statements = statements
    this.#late = late
    this.#membership = membership
    this.#origins = new OriginTable(statements)
    this.#next = numberOf(statements.get('SELECT max(n) AS n FROM audit'), 'n') + 1
    for (const row of statements.all('SELECT key, entity, type FROM kind')) {
      this.#kinds.set(`${stringOf(row, 'entity')} ${stringOf(row, 'type')}`, numberOf(row, 'key'))
    }
    for (const row of statements.all('SELECT key, id FROM actor')) {
      this.#actors.set(stringOf(row, 'id'), numberOf(row, 'key'))
    }
  }

  add(line: AuditLine): void {
    const subject = this.#subject(line.entity, line.id, line.level, line.revision === 1)
    const kind = this.#kind(line)
    const actor = this.#actor(line.actor)
    const time = Date.parse(line.time)
    this.#statements.run(
      'INSERT INTO audit (n, time, kind, subject, actor, level, membership, revision, fold, changes, source, origin) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)',
      this.#next,
      time,
      kind,
      subject,
      actor,
      line.level,
      this.#member(line.actor),
      line.revision,
      line.fold ?? null,
      line.changes.length === 0 ? null : JSON.stringify(line.changes),
      line.source ?? null,
      line.origin === undefined ? null : this.#origins.keyOf(line.origin),
    )
    this.#next += 1
    this.#count(Math.floor(time / HOUR), kind, actor, line.level, 1)
  }

  /** A group changed: reads memberships again. */
  forgetMemberships(): void {
    this.#memberships.clear()
  }

  /** Groups of this person changed. */
  forgetMembership(actor: string): void {
    this.#memberships.delete(actor)
  }

  /** The level of what a line is about; undefined for what there is no line of yet. */
  levelOf(entity: string, id: string): number | undefined {
    const known = this.#subjects.get(`${entity} ${id}`)
    if (known !== undefined) return known.level
    const row = this.#statements.get('SELECT level FROM subject WHERE id = ? AND entity = ?', id, entity)
    return row === undefined ? undefined : numberOf(row, 'level')
  }

  /** Lines follow their entity to the level it has now. */
  move(entity: string, id: string, level: number): void {
    this.#subject(entity, id, level, false)
  }

  /** Takes these paths out of every line of a subject. */
  blank(entity: string, id: string, paths: ReadonlySet<string>): void {
    this.#rewrite(entity, id, change => (paths.has(change.path) ? [] : [change]))
  }

  /** Marks earlier values of a path as secret in every line of a subject. */
  conceal(entity: string, id: string, path: string): void {
    this.#rewrite(entity, id, change => {
      const told = change.path === path && change.secret !== true && (change.before ?? change.after) !== null
      return [told ? { path, before: null, after: null, secret: true, set: change.after !== null } : change]
    })
  }

  #rewrite(entity: string, id: string, anew: (change: StoredChange) => readonly StoredChange[]): void {
    const subject = this.#statements.get('SELECT key FROM subject WHERE id = ? AND entity = ?', id, entity)
    const lines = this.#statements.all(
      'SELECT n, changes FROM audit WHERE subject = ? AND changes IS NOT NULL',
      numberOf(subject, 'key'),
    )
    for (const line of lines) {
      const changes = JSON.parse(stringOf(line, 'changes')) as StoredChange[]
      const kept = changes.flatMap(anew)
      if (kept.length === changes.length && kept.every((change, at) => change === changes[at])) continue
      const text = kept.length === 0 ? null : JSON.stringify(kept)
      this.#statements.run('UPDATE audit SET changes = ? WHERE n = ?', text, numberOf(line, 'n'))
    }
  }

  /** Moves lines to the levels that a rebuild found out later, and counts all of them. */
  catchUp(): void {
    const level = '(SELECT subject.level FROM subject WHERE subject.key = audit.subject)'
    if (this.#late.count(LATE_LEVELS) > 0)
      this.#statements.run(`UPDATE audit SET level = ${level} WHERE level <> ${level}`)
    this.#statements.run('DELETE FROM audit_count')
    this.#statements.run(
      `INSERT INTO audit_count SELECT time / ${HOUR}, kind, actor, level, count(*) FROM audit GROUP BY 1, 2, 3, 4`,
    )
  }

  flush(): void {
    let emptied = false
    for (const [key, n] of this.#counts) {
      if (n === 0) continue
      const [hour, kind, actor, level] = key.split(' ').map(Number)
      if (n < 0) emptied = true
      this.#statements.run(
        `INSERT INTO audit_count VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (hour, kind, actor, level) DO UPDATE SET n = n + excluded.n`,
        hour ?? 0,
        kind ?? 0,
        actor ?? 0,
        level ?? 0,
        n,
      )
    }
    if (emptied) this.#statements.run('DELETE FROM audit_count WHERE n = 0')
    this.#counts.clear()
  }

  #count(hour: number, kind: number, actor: number, level: number, n: number): void {
    if (this.#late.isBuilding) return
    const key = `${hour} ${kind} ${actor} ${level}`
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + n)
  }

  #kind(line: AuditLine): number {
    const name = `${line.entity} ${line.type}`
    const known = this.#kinds.get(name)
    if (known !== undefined) return known
    const key = this.#kinds.size + 1
    this.#kinds.set(name, key)
    this.#statements.run('INSERT INTO kind VALUES (?, ?, ?, ?)', key, line.entity, line.action, line.type)
    return key
  }

  #actor(id: string | null): number {
    if (id === null) return 0
    const known = this.#actors.get(id)
    if (known !== undefined) return known
    const key = this.#actors.size + 1
    this.#actors.set(id, key)
    this.#statements.run('INSERT INTO actor VALUES (?, ?)', key, id)
    return key
  }

  #member(actor: string | null): number {
    if (actor === null) return 0
    const known = this.#memberships.get(actor)
    if (known !== undefined) return known
    const { groups, roles } = this.#membership(actor)
    this.#statements.run('INSERT OR IGNORE INTO membership (groups, roles) VALUES (?, ?)', groups, roles)
    const row = this.#statements.get('SELECT key FROM membership WHERE groups = ? AND roles = ?', groups, roles)
    const key = numberOf(row, 'key')
    this.#memberships.set(actor, key)
    return key
  }

  /** @param isFirst what it most likely is: either is found out */
  #subject(entity: string, id: string, level: number, isFirst: boolean): number {
    const name = `${entity} ${id}`
    let known = this.#subjects.get(name)
    if (known === undefined) {
      known = this.#storedSubject(entity, id, level, isFirst)
      if (this.#subjects.size >= MAX_CACHED_SUBJECTS) this.#subjects.clear()
      this.#subjects.set(name, known)
    }
    if (known.level !== level) {
      this.#relevel(known.key, level)
      known.level = level
    }
    return known.key
  }

  #storedSubject(entity: string, id: string, level: number, isFirst: boolean): { key: number; level: number } {
    const present = isFirst ? undefined : this.#presentSubject(entity, id)
    if (present !== undefined) return present
    const insert = this.#statements.prepare('INSERT OR IGNORE INTO subject (entity, id, level) VALUES (?, ?, ?)')
    const { changes, lastInsertRowid } = insert.run(entity, id, level)
    if (changes === 1) return { key: Number(lastInsertRowid), level }
    return this.#presentSubject(entity, id) ?? { key: 0, level }
  }

  #presentSubject(entity: string, id: string): { key: number; level: number } | undefined {
    const row = this.#statements.get('SELECT key, level FROM subject WHERE id = ? AND entity = ?', id, entity)
    return row && { key: numberOf(row, 'key'), level: numberOf(row, 'level') }
  }

  #relevel(subject: number, level: number): void {
    this.#statements.run('UPDATE subject SET level = ? WHERE key = ?', level, subject)
    // A rebuild has no index of the lines yet.
    if (this.#late.defer(LATE_LEVELS, '')) return
    const lines = this.#statements.all('SELECT time, kind, actor, level FROM audit WHERE subject = ?', subject)
    for (const line of lines) {
      const hour = Math.floor(numberOf(line, 'time') / HOUR)
      const kind = numberOf(line, 'kind')
      const actor = numberOf(line, 'actor')
      this.#count(hour, kind, actor, numberOf(line, 'level'), -1)
      this.#count(hour, kind, actor, level, 1)
    }
    this.#statements.run('UPDATE audit SET level = ? WHERE subject = ?', level, subject)
  }
}
