import type { JsonObject } from '#schemas/event.ts'
import type { FieldKind } from '#schemas/field/kind.ts'
import { foldText } from '../fold-text.ts'
import type { Scope } from '../port.ts'
import type { FieldText } from '../query-results.ts'
import { numberOf, stringOf, textOf } from '../statement-cache.ts'
import { type Column, columnName, type Table, tableName } from '../table.ts'
import type { ListQueries } from './list-query.ts'
import { type ModelReader, resolveMentions, spanCondition } from './model-reader.ts'

/** Newest matches of an entity that are looked at for the best ones. */
const LOOKED_AT = 100
const DEEPEST = 5

/** The entity whose things say which texts are searched. */
const INDEX = 'sitesearchindex'

/** A site search index: covers its level and the levels below, within its bot or project if set. */
interface Index {
  readonly level: number
  readonly within: string | null
}

interface Hit {
  readonly entity: string
  readonly id: string
  readonly name: string
  readonly rank: number
}

/**
 * The search box: finds things of all kinds by name, those that begin with the text first, and by all of their searched
 * texts what a site search index covers.
 */
export class SearchQueries {
  readonly #reader: ModelReader
  readonly #lists: ListQueries

  constructor(reader: ModelReader, lists: ListQueries) {
    this.#reader = reader
    this.#lists = lists
  }

  search(scope: Scope, text: string, size: number): readonly JsonObject[] {
    const wanted = foldText(text)
    if (wanted === '') return []
    const tables = [...this.#reader.tables.values()].filter(
      table => scope.readable === 'all' || scope.readable.has(table.name),
    )
    const personOf = this.#reader.acquaintances(scope)
    return tables
      .flatMap(table => this.#hits(scope, table, wanted))
      .sort((one, other) => one.rank - other.rank || one.name.length - other.name.length)
      .slice(0, size)
      .map(({ entity, id, name }) => ({
        entity,
        id,
        name: resolveMentions(entity, name, personOf),
        parents: this.parents(entity, id),
      }))
  }

  /** Parents, outermost first: [{entity, id, name}]. */
  parents(entity: string, id: string): { entity: string; id: string; name: string | null }[] {
    const found: { entity: string; id: string; name: string | null }[] = []
    let table = this.#reader.tables.get(entity)
    let at = id
    while (table?.parent && found.length < DEEPEST) {
      const sql = `SELECT f_${table.parent} AS parent FROM ${tableName(table.name)} WHERE id = ?`
      const parent = textOf(this.#reader.statements.get(sql, at), 'parent')
      if (parent === null) break
      found.unshift({ entity: table.parent, id: parent, name: this.#reader.title(table.parent, parent) })
      at = parent
      table = this.#reader.tables.get(table.parent)
    }
    return found
  }

  #indexesOf(entity: string): readonly Index[] {
    if (!this.#reader.tables.has(INDEX)) return []
    const sql = `SELECT level, coalesce(f_nluproject, f_bot) AS within FROM ${tableName(INDEX)} WHERE listed = 1 AND f_entity_type = ?`
    return this.#reader.statements
      .all(sql, entity)
      .map(row => ({ level: numberOf(row, 'level'), within: textOf(row, 'within') }))
  }

  #isCovered(indexes: readonly Index[], entity: string, id: string, level: number): boolean {
    return indexes.some(
      index =>
        this.#reader.isIn(level, { kind: 'below', level: index.level }) &&
        (index.within === null || this.parents(entity, id).some(parent => parent.id === index.within)),
    )
  }

  #hits(scope: Scope, table: Table, wanted: string): Hit[] {
    const span = this.#reader.span(scope)
    const found = this.#lists.catalog(table.name).find(wanted, level => this.#reader.isIn(level, span))
    const sql = `SELECT id, level, f_${table.title} AS title FROM ${tableName(table.name)} WHERE rid = ?`
    const indexes = this.#indexesOf(table.name)
    return found.slice(-LOOKED_AT).flatMap(rid => {
      const row = this.#reader.statements.get(sql, rid)
      const name = stringOf(row, 'title')
      const id = stringOf(row, 'id')
      const at = foldText(name).indexOf(wanted)
      if (at >= 0) return [{ entity: table.name, id, name, rank: at === 0 ? 0 : 1 }]
      const isCovered = this.#isCovered(indexes, table.name, id, numberOf(row, 'level'))
      return isCovered ? [{ entity: table.name, id, name, rank: 2 }] : []
    })
  }
}

/** Kinds whose stored values can hold an address, as text or within JSON. */
const TEXTUAL: ReadonlySet<FieldKind> = new Set([
  'string',
  'text',
  'markdown',
  'code',
  'json',
  'strings',
  'url',
  'palette',
  'expression',
  'image',
  'list',
])

const isSearched = ({ kind, secret, personal }: Column): boolean => TEXTUAL.has(kind) && !secret && !personal

/** Fields of live things that hold a text, in what the caller may read. */
export class TextQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** At most `limit`, by entity and then newest first. */
  fieldsWithText(scope: Scope, text: string, limit: number): readonly FieldText[] {
    const found: FieldText[] = []
    for (const table of this.#reader.tables.values()) {
      if (found.length >= limit) break
      const isReadable = scope.readable === 'all' || scope.readable.has(table.name)
      if (isReadable) found.push(...this.#inTable(scope, table, text, limit - found.length))
    }
    return found
  }

  #inTable(scope: Scope, table: Table, text: string, limit: number): readonly FieldText[] {
    const columns = table.columns.filter(isSearched)
    if (columns.length === 0) return []
    const { sql, values } = spanCondition(this.#reader.homeSpan(scope), 'level')
    const holds = columns.map(({ name }) => `instr(${columnName(name)}, ?1) > 0`).join(' OR ')
    const names = columns.map(({ name }) => columnName(name)).join(', ')
    const rows = this.#reader.statements.all(
      `SELECT id, ${columnName(table.title)} AS title, ${names} FROM ${tableName(table.name)}
       WHERE listed = 1 AND (${holds}) ${sql.replace('?', '?3')} ORDER BY rid DESC LIMIT ?2`,
      text,
      limit,
      ...values,
    )
    return rows.flatMap(row =>
      columns.flatMap(({ name }) => {
        const value = textOf(row, columnName(name))
        if (value?.includes(text) !== true) return []
        return [{ entity: table.name, id: stringOf(row, 'id'), title: textOf(row, 'title') ?? '', field: name, value }]
      }),
    )
  }
}
