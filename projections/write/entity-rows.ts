import type { SQLInputValue } from 'node:sqlite'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { verbOf } from '#schemas/events/entity.ts'
import { jsonEqual } from '#schemas/json.ts'
import { numberOf, type SqlRow, type StatementCache, stringOf } from '../statement-cache.ts'
import { columnName, fromSql, isShownSecret, shown, type Table, tableName } from '../table.ts'
import type { AuditLog, StoredChange } from './audit-log.ts'
import type { LateWork } from './late-work.ts'
import type { LevelTree } from './level-tree.ts'
import { FileHolders, type ReferenceIndex, ReferenceTitles } from './reference-index.ts'
import { changeOf, createdOf, fieldsOf, foldedOf, pushValue, RowPlans, singlesIn, type UpdatePlan } from './row-plan.ts'

interface Standing {
  readonly level: number
  /** Its parent is removed, or it is a forgotten person: the row exists but is in no list. */
  readonly hidden: number
}

const REMEMBERED = 10_000
const TALLY = 'INSERT INTO tally VALUES (?, ?, ?) ON CONFLICT (entity, level) DO UPDATE SET n = n + excluded.n'
/** Actions whose audit line names the way of a sign-in and the identity provider. */
const PROVIDED: ReadonlySet<string> = new Set(['signedin', 'credentialsremoved', 'linked'])

/** Folds the events of declared entities into one row each, and one audit line each. `flush` must end every batch. */
export class EntityRows {
  readonly #tables: ReadonlyMap<string, Table>
  readonly #statements: StatementCache
  readonly #levels: LevelTree
  readonly #audit: AuditLog
  readonly #touch: (entity: string, id: string) => void
  readonly #references: ReferenceIndex
  readonly #files: FileHolders
  readonly #titles: ReferenceTitles
  readonly #singles: readonly Table[]
  readonly #plans = new Map<Table, RowPlans>()
  /** Level and visibility of parents, by entity and id, until they move or are removed. */
  readonly #parents = new Map<string, Standing>()
  readonly #tallies = new Map<string, Map<number, number>>()

  constructor(
    tables: ReadonlyMap<string, Table>,
    statements: StatementCache,
    levels: LevelTree,
    audit: AuditLog,
    references: ReferenceIndex,
    late: LateWork,
    touch: (entity: string, id: string) => void,
  ) {
    this.#tables = tables
    this.#singles = [...tables.values()].filter(({ single }) => single === true)
    this.#statements = statements
    this.#levels = levels
    this.#audit = audit
    this.#touch = touch
    this.#references = references
    this.#files = new FileHolders(statements)
    this.#titles = new ReferenceTitles(statements, tables, late)
  }

  levelOf(table: Table, id: string): number {
    return numberOf(this.#statements.get(`SELECT level FROM ${tableName(table.name)} WHERE id = ?`, id), 'level')
  }

  /** The verb that was folded; undefined for what leaves no trace: an abandoned stream, a fence. */
  apply(event: StoredEvent, table: Table, id: string, seq: number): string | undefined {
    const verb = verbOf(table.type, event.type)
    const fields = fieldsOf(event.data)
    const plans = this.#plansOf(table)
    // Nothing can be there before the first event of a stream.
    const isFirst = event.revision === 1 && table.single !== true
    const plan = isFirst ? undefined : plans.update(fields)
    const row = plan?.read.get(id) as SqlRow | undefined
    if (plan === undefined || row === undefined) {
      if (verb !== 'created') return undefined
      const { level, changes } = this.#insert(event, table, plans, id, fields, seq)
      this.#line(event, table, id, 'created', level, changes)
      this.#insertSingles(event, table, id, fields, seq)
    } else if (verb === 'fenced') {
      this.#statements.run(`UPDATE ${tableName(table.name)} SET revision = ? WHERE id = ?`, event.revision, id)
      return undefined
    } else {
      this.#update(event, table, plan, id, row, verb, fields, seq)
    }
    this.#touch(table.name, id)
    return verb
  }

  readonly #titleOf = (entity: string, id: Json): string | null => this.#titles.keyOf(entity, id)

  #plansOf(table: Table): RowPlans {
    let plans = this.#plans.get(table)
    if (plans === undefined) {
      plans = new RowPlans(this.#statements, table)
      this.#plans.set(table, plans)
    }
    return plans
  }

  /** Inserts single children with their parent, without an event of their own. */
  #insertSingles(event: StoredEvent, table: Table, id: string, fields: JsonObject, seq: number): void {
    for (const single of singlesIn(this.#singles, table, id, fields)) {
      const plans = this.#plansOf(single.table)
      // The whole installation has one, however many roots its tree has.
      if (this.#statements.get(`SELECT 1 FROM ${tableName(single.table.name)} WHERE id = ?`, single.id)) continue
      const atDefaults = { ...event, revision: 0, actor: null, level: null }
      this.#insert(atDefaults, single.table, plans, single.id, single.fields, seq)
      this.#touch(single.table.name, single.id)
      this.#insertSingles(event, single.table, single.id, single.fields, seq)
    }
  }

  #insert(event: StoredEvent, table: Table, plans: RowPlans, id: string, fields: JsonObject, seq: number) {
    const { level, hidden } = this.#place(event, table, id, fields)
    const { revision, time, actor } = event
    const values: SQLInputValue[] = [id, revision, level, seq, 1 - hidden, 0, hidden, time, actor, time, actor]
    const changes: StoredChange[] = []
    for (const { column, initial, atInitial } of plans.inserted) {
      const given = fields[column.name] ?? (column.name in fields ? null : initial)
      if (atInitial !== undefined && given === initial) {
        values.push(...atInitial.values)
        changes.push(...atInitial.changes)
        continue
      }
      pushValue(values, column, given, this.#titleOf)
      this.#references.replace(table, column, id, null, given)
      this.#files.add(table, column, id, given)
      changes.push(...createdOf(column, given))
    }
    values.push(foldedOf(table, name => searchable(fields[name])))
    plans.insert.run(...values)
    this.#tally(table.name, level, 1 - hidden)
    return { level, changes }
  }

  #update(
    event: StoredEvent,
    table: Table,
    plan: UpdatePlan,
    id: string,
    row: SqlRow,
    verb: string,
    fields: JsonObject,
    seq: number,
  ): void {
    const values: SQLInputValue[] = [event.revision, seq, event.time, event.actor]
    const changes: StoredChange[] = []
    const whole = verb === 'restored' && row.removed === 1
    for (const column of plan.columns) {
      const given = fields[column.name] ?? null
      const before = fromSql(column, row[columnName(column.name)])
      changes.push(...changeOf(column, before, given, whole))
      this.#references.replace(table, column, id, before, given)
      this.#files.add(table, column, id, given)
      if (isShownSecret(column, shown(column, given)) && !isShownSecret(column, before))
        this.#audit.conceal(table.name, id, column.name)
      pushValue(values, column, given, this.#titleOf)
      if (column.name === table.title && !jsonEqual(before, given)) this.#titles.rename(table, id, given)
    }
    if (plan.searched) values.push(foldedOf(table, name => searchable(fields[name] ?? row[columnName(name)])))
    plan.write.run(...values, numberOf(row, 'rid'))
    const here = this.#standing(event, table, id, fields, row)
    if (verb === 'transferred')
      changes.push({
        path: 'hierarchylevel',
        before: this.#levels.id(numberOf(row, 'level')),
        after: this.#levels.id(here.level),
      })
    const standing = table.name === 'user' && verb === 'forgotten' ? { ...here, hidden: 1 } : here
    const removed = verb === 'removed' ? 1 : verb === 'restored' ? 0 : numberOf(row, 'removed')
    this.#line(event, table, id, verb, standing.level, changes)
    if (removed === row.removed && standing.level === row.level && standing.hidden === row.hidden) return
    this.#stand(table, id, row, removed, standing)
    this.#cascade(table, id, { level: standing.level, hidden: Math.max(removed, standing.hidden) }, seq)
  }

  /** Level of a new entity: its own, or its parent's. */
  #place(event: StoredEvent, table: Table, id: string, fields: JsonObject): Standing {
    if (table.name === 'hierarchy') {
      this.#levels.place(id, typeof fields.parent === 'string' ? fields.parent : null)
      return { level: this.#levels.key(id), hidden: 0 }
    }
    const own = { level: this.#levels.key(event.level), hidden: 0 }
    const above = this.#parent(table, fields) ?? own
    return table.ownLevel === true ? { ...own, hidden: above.hidden } : above
  }

  /** Children follow their parent by cascade; only an entity's own events move it directly. */
  #standing(event: StoredEvent, table: Table, id: string, fields: JsonObject, row: SqlRow): Standing {
    const present = { level: numberOf(row, 'level'), hidden: numberOf(row, 'hidden') }
    if (table.name === 'hierarchy') return 'parent' in fields ? this.#place(event, table, id, fields) : present
    if (table.parent !== null) {
      const above = table.parent in fields ? (this.#parent(table, fields) ?? present) : present
      return table.ownLevel === true ? { ...present, hidden: above.hidden } : above
    }
    return event.level === null ? present : { ...present, level: this.#levels.key(event.level) }
  }

  #parent(table: Table, fields: JsonObject): Standing | undefined {
    const above = table.parent === null ? undefined : this.#tables.get(table.parent)
    const id = above === undefined ? undefined : fields[above.name]
    if (above === undefined || typeof id !== 'string') return undefined
    const name = `${above.name} ${id}`
    const known = this.#parents.get(name)
    if (known !== undefined) return known
    const row = this.#plansOf(above).standing.get(id) as SqlRow | undefined
    if (row === undefined) return undefined
    const standing = { level: numberOf(row, 'level'), hidden: 1 - numberOf(row, 'listed') }
    if (this.#parents.size >= REMEMBERED) this.#parents.clear()
    this.#parents.set(name, standing)
    return standing
  }

  /** Writes where a row stands, and keeps the counts of what is listed in each level. */
  #stand(table: Table, id: string, row: SqlRow, removed: number, { level, hidden }: Standing): void {
    const listed = removed === 0 && hidden === 0 ? 1 : 0
    this.#parents.delete(`${table.name} ${id}`)
    this.#tally(table.name, numberOf(row, 'level'), -numberOf(row, 'listed'))
    this.#tally(table.name, level, listed)
    this.#statements.run(
      `UPDATE ${tableName(table.name)} SET level = ?, listed = ?, removed = ?, hidden = ? WHERE rid = ?`,
      level,
      listed,
      removed,
      hidden,
      numberOf(row, 'rid'),
    )
  }

  /** Applies the parent's level and visibility to its children. */
  #cascade(table: Table, id: string, above: Standing, seq: number): void {
    for (const child of this.#tables.values()) {
      if (child.parent !== table.name) continue
      const from = `${tableName(child.name)} WHERE ${columnName(table.name)} = ?`
      const rows = this.#statements.all(`SELECT rid, id, level, listed, removed, hidden FROM ${from}`, id)
      for (const row of rows) {
        const standing = above
        if (row.level === standing.level && row.hidden === standing.hidden) continue
        const removed = numberOf(row, 'removed')
        const childId = stringOf(row, 'id')
        this.#stand(child, childId, row, removed, standing)
        this.#statements.run(`UPDATE ${tableName(child.name)} SET seq = ? WHERE rid = ?`, seq, numberOf(row, 'rid'))
        if (row.level !== standing.level) this.#audit.move(child.name, childId, standing.level)
        this.#touch(child.name, childId)
        this.#cascade(child, childId, { ...standing, hidden: Math.max(removed, standing.hidden) }, seq)
      }
    }
  }

  /** A forgotten user leaves their row, their lines and the search index without anything personal. */
  blankPersonal(table: Table, id: string): void {
    const personal = table.columns.filter(column => column.personal)
    const blank = Object.fromEntries(personal.map(({ name }) => [name, null]))
    const plan = this.#plansOf(table).update(blank)
    const row = plan.read.get(id) as SqlRow | undefined
    const sql = `SELECT rid, revision, seq, modified_at, modified_by FROM ${tableName(table.name)} WHERE id = ?`
    const stamps = this.#statements.get(sql, id)
    if (row === undefined || stamps === undefined) return
    const values: SQLInputValue[] = ['revision', 'seq', 'modified_at', 'modified_by'].map(name => stamps[name] ?? null)
    for (const column of plan.columns) pushValue(values, column, null, this.#titleOf)
    if (plan.searched) {
      values.push(foldedOf(table, name => (name in blank ? null : searchable(row[columnName(name)]))))
    }
    plan.write.run(...values, numberOf(row, 'rid'))
    this.#audit.blank(table.name, id, new Set(personal.map(column => column.name)))
  }

  #tally(entity: string, level: number, n: number): void {
    if (n === 0) return
    const levels = this.#tallies.get(entity) ?? new Map<number, number>()
    this.#tallies.set(entity, levels.set(level, (levels.get(level) ?? 0) + n))
  }

  /** Ends a rebuild. */
  catchUp(): void {
    this.#titles.catchUp()
  }

  /** Writes the counts of what is listed, once for a whole batch. */
  flush(): void {
    for (const [entity, levels] of this.#tallies) {
      for (const [level, n] of levels) {
        if (n !== 0) this.#statements.run(TALLY, entity, level, n)
      }
    }
    this.#tallies.clear()
    this.#statements.run('DELETE FROM tally WHERE n = 0')
  }

  #line(
    event: StoredEvent,
    table: Table,
    id: string,
    action: string,
    level: number,
    changes: readonly StoredChange[],
  ): void {
    const { time, type, actor, revision, causation: origin } = event
    const source = PROVIDED.has(action) && event.data.source !== undefined ? JSON.stringify(event.data.source) : null
    this.#audit.add({ time, entity: table.name, id, type, action, level, actor, revision, changes, origin, source })
  }
}

/** Only text is found by its letters; secrets and what is sealed are not. */
const searchable = (value: unknown): Json =>
  typeof value === 'string' ? value : Array.isArray(value) ? (value as Json) : null
