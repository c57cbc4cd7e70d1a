import type { Referrer, Referrers } from '#domain/lookup.ts'
import type { Scope } from '../port.ts'
import type { Use, UsedBy } from '../query-results.ts'
import { numberOf, type SqlRow, stringOf } from '../statement-cache.ts'
import { columnName, type Table, tableName } from '../table.ts'
import { type ModelReader, spanCondition } from './model-reader.ts'

/** Referrers that a removal is shown; more are counted alone. */
const MAX_REFERRERS = 200

/** Entity that blocks may reference by name in their bot, not by id. */
const NAMED = 'oauth'
const FLOWS = ['dialog', 'handler']

/** Search keys for the reference index, as JSON texts. */
interface Targets {
  /** Ids and names. */
  readonly sought: string
  /** Holders that do not count. */
  readonly passed: string
  /** Name → id of what it names. */
  readonly named: ReadonlyMap<string, string>
}

/** References to an entity or its contents from outside of them, from the reference index. Live holders only. */
export class UseQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** Undefined: no such thing, or outside the caller's home subtree. */
  usedBy(scope: Scope, entity: string, id: string, { page, size }: { page: number; size: number }): UsedBy | undefined {
    const row = this.#reader.open(scope, entity, id)
    if (row === undefined || row.listed !== 1) return undefined
    const targets = this.#targets([id, ...this.#contentsOf(entity, [id])])
    const span = this.#reader.homeSpan(scope)
    const { sql, values } = spanCondition(span, 's.level')
    const items: Use[] = []
    const kinds: { entity: string; total: number }[] = []
    let hidden = 0
    let skip = (page - 1) * size
    for (const table of this.#reader.tables.values()) {
      const all = this.#count(table, targets, '')
      if (all === 0) continue
      const isReadable = scope.readable === 'all' || scope.readable.has(table.name)
      const visible = isReadable ? this.#count(table, targets, sql, values) : 0
      hidden += all - visible
      if (visible === 0) continue
      kinds.push({ entity: table.name, total: visible })
      if (items.length < size && skip < visible) {
        const rows = this.#reader.statements.all(
          `SELECT r.*, s.${columnName(table.title)} AS title ${from(table)} ${sql}
           ORDER BY s.rid DESC, r.block, r.field LIMIT ? OFFSET ?`,
          targets.sought,
          table.name,
          targets.passed,
          ...values,
          size - items.length,
          skip,
        )
        items.push(...rows.map(useOf))
      }
      skip = Math.max(0, skip - visible)
    }
    const total = kinds.reduce((sum, kind) => sum + kind.total, 0)
    return { items, total, hidden, kinds }
  }

  /** For commands, without a scope: references to these ids from other entities. */
  referrers(ids: readonly string[]): Referrers {
    const targets = this.#targets(ids)
    const items: Referrer[] = []
    let total = 0
    for (const table of this.#reader.tables.values()) {
      const count = this.#count(table, targets, '')
      total += count
      if (count === 0 || items.length >= MAX_REFERRERS) continue
      const rows = this.#reader.statements.all(
        `SELECT r.* ${from(table)} ORDER BY s.rid, r.block, r.field LIMIT ?`,
        targets.sought,
        table.name,
        targets.passed,
        MAX_REFERRERS - items.length,
      )
      const targetOf = (row: SqlRow) => targets.named.get(stringOf(row, 'target')) ?? stringOf(row, 'target')
      items.push(...rows.map(row => ({ ...holderOf(row), target: targetOf(row) })))
    }
    return { items, total }
  }

  #count(table: Table, targets: Targets, condition: string, values: readonly number[] = []): number {
    const sql = `SELECT count(*) AS n ${from(table)} ${condition}`
    return numberOf(this.#reader.statements.get(sql, targets.sought, table.name, targets.passed, ...values), 'n')
  }

  /** Ids, and the names of what blocks may name; flows of other bots that say such a name mean another thing. */
  #targets(ids: readonly string[]): Targets {
    const named = this.#reader.tables.has(NAMED) ? this.#named(ids) : []
    const strangers = named.flatMap(({ name, bot }) => this.#strangers(name, bot))
    return {
      sought: JSON.stringify([...ids, ...named.map(({ name }) => name)]),
      passed: JSON.stringify([...ids, ...strangers]),
      named: new Map(named.map(({ id, name }) => [name, id])),
    }
  }

  #named(ids: readonly string[]) {
    const rows = this.#reader.statements.all(
      `SELECT s.id, s.f_name AS name, s.f_bot AS bot FROM json_each(?) t CROSS JOIN ${tableName(NAMED)} s ON s.id = t.value`,
      JSON.stringify(ids),
    )
    return rows.map(row => ({ id: stringOf(row, 'id'), name: stringOf(row, 'name'), bot: stringOf(row, 'bot') }))
  }

  /** Flows of other bots that contain a name. */
  #strangers(name: string, bot: string): readonly string[] {
    const flows = FLOWS.filter(entity => this.#reader.tables.has(entity)).map(
      entity => `SELECT r.id, f.f_dialogtask AS task FROM reference r JOIN ${tableName(entity)} f ON f.id = r.id
        WHERE r.target = ?1 AND r.entity = '${entity}'`,
    )
    if (flows.length === 0) return []
    const rows = this.#reader.statements.all(
      `SELECT DISTINCT h.id FROM (${flows.join(' UNION ')}) h JOIN ${tableName('dialogtask')} k ON k.id = h.task
       WHERE k.f_bot <> ?2`,
      name,
      bot,
    )
    return rows.map(row => stringOf(row, 'id'))
  }

  #contentsOf(entity: string, ids: readonly string[]): string[] {
    return [...this.#reader.tables.values()].flatMap(child => {
      const isInside = child.parent === entity && child.holdsParent !== true
      if (!isInside && child.removedWith?.includes(entity) !== true) return []
      const parents = 'SELECT value FROM json_each(?)'
      const sql = `SELECT id FROM ${tableName(child.name)} WHERE ${columnName(entity)} IN (${parents}) AND listed = 1`
      const inner = this.#reader.statements.all(sql, JSON.stringify(ids)).map(row => stringOf(row, 'id'))
      return inner.length === 0 ? [] : [...inner, ...this.#contentsOf(child.name, inner)]
    })
  }
}

const from = (table: Table): string => `FROM json_each(?) t
  CROSS JOIN reference r ON r.target = t.value AND r.entity = ?
  CROSS JOIN ${tableName(table.name)} s ON s.id = r.id AND s.listed = 1
  WHERE r.id NOT IN (SELECT value FROM json_each(?))`

const holderOf = (row: SqlRow): Omit<Referrer, 'target'> => {
  const block = stringOf(row, 'block')
  const holder = { entity: stringOf(row, 'entity'), id: stringOf(row, 'id'), field: stringOf(row, 'field') }
  return block === '' ? holder : { ...holder, block }
}

const useOf = (row: SqlRow): Use => {
  const { block, ...holder } = holderOf(row)
  const title = typeof row.title === 'string' ? row.title : holder.id
  return { ...holder, title, ...(block === undefined ? {} : { flow: { dialog: holder.id, block } }) }
}
