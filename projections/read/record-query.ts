import { itemChanges } from '#domain/field/merge-items.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { tokenOfSession } from '#schemas/events/origin.ts'
import type { Change, HistoryItem, Person, Row, Scope } from '../port.ts'
import { FLOW_LINES_SQL, type TokenName } from '../query-results.ts'
import { numberOf, type SqlRow, stringOf, textOf } from '../statement-cache.ts'
import { answer, columnName } from '../table.ts'
import type { StoredChange } from '../write/audit-log.ts'
import { answered, type ModelReader } from './model-reader.ts'

/** One thing: as it is, as it was, and what happened to it. */
export class RecordQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  detail(scope: Scope, entity: string, id: string, options: { removed?: boolean } = {}): Row | undefined {
    const table = this.#reader.tables.get(entity)
    const row = this.#reader.open(scope, entity, id)
    if (table === undefined || row === undefined) return undefined
    const there = row.listed === 1 || (entity === 'user' && row.f_forgotten === 1)
    return there || options.removed === true ? this.#reader.row(table, row) : undefined
  }

  fileHolders(scope: Scope, file: string): readonly { readonly entity: string; readonly id: string }[] | undefined {
    const rows = this.#reader.statements.all('SELECT entity, id FROM file_holder WHERE file = ?', file)
    if (rows.length === 0) return undefined
    return rows
      .map(row => ({ entity: stringOf(row, 'entity'), id: stringOf(row, 'id') }))
      .filter(({ entity, id }) => this.#reader.open(scope, entity, id) !== undefined)
  }

  hierarchyOf(scope: Scope, entity: string, id: string): string | undefined {
    const row = this.#reader.open(scope, entity, id)
    if (row === undefined || row.listed !== 1) return undefined
    return this.#reader.levelId(numberOf(row, 'level')) ?? undefined
  }

  history(
    scope: Scope,
    entity: string,
    id: string,
    page: { after: number; size: number },
  ): { items: readonly HistoryItem[]; total: number } | undefined {
    if (this.#reader.open(scope, entity, id) === undefined) return undefined
    const where = `FROM audit JOIN kind ON kind.key = audit.kind
      WHERE subject = (SELECT key FROM subject WHERE id = ? AND entity = ?) AND kind.type NOT IN (${FLOW_LINES_SQL})`
    const total = numberOf(this.#reader.statements.get(`SELECT count(*) AS n ${where}`, id, entity), 'n')
    const rows = this.#reader.statements.all(
      `SELECT audit.revision, audit.time, audit.actor, audit.changes, audit.origin, kind.type, kind.action ${where}
       AND audit.revision > ? ORDER BY audit.revision LIMIT ?`,
      id,
      entity,
      page.after,
      page.size,
    )
    const personOf = this.#reader.acquaintances(scope)
    const items = rows.map(row => ({
      revision: numberOf(row, 'revision'),
      type: stringOf(row, 'type'),
      time: new Date(numberOf(row, 'time')).toISOString(),
      actor: actorOf(this.#reader, numberOf(row, 'actor'), personOf),
      ...tokenOf(this.#reader, row),
      action: stringOf(row, 'action'),
      changes: changesOf(textOf(row, 'changes')),
    }))
    return { items, total }
  }

  at(scope: Scope, entity: string, id: string, revision: number): JsonObject | undefined {
    const table = this.#reader.tables.get(entity)
    const row = this.#reader.open(scope, entity, id)
    if (table === undefined || row === undefined || revision > numberOf(row, 'revision')) return undefined
    const lines = this.#reader.statements.all(
      `SELECT changes FROM audit JOIN kind ON kind.key = audit.kind
       WHERE subject = (SELECT key FROM subject WHERE id = ? AND entity = ?) AND kind.type <> 'FlowEdited'
       AND revision <= ? ORDER BY revision`,
      id,
      entity,
      revision,
    )
    if (lines.length === 0 && table.single !== true) return undefined
    const fields: Record<string, Json> = {}
    for (const { name, initial, words } of answered(table))
      if (words !== true) fields[name] = JSON.parse(initial) as Json
    // No event gives it to what exists from the start.
    if (table.single === true && table.parent !== null) fields[table.parent] = textOf(row, columnName(table.parent))
    for (const line of lines) {
      for (const change of storedChanges(textOf(line, 'changes'))) {
        if (!Object.hasOwn(fields, change.path)) continue
        fields[change.path] = valueAfter(change)
      }
    }
    return fields
  }
}

const valueAfter = ({ after, secret, set, list }: StoredChange): Json => {
  if (secret === true) return set === true ? { set: true } : null
  return list === true ? answer('list', after) : after
}

const storedChanges = (text: string | null): StoredChange[] =>
  text === null ? [] : (JSON.parse(text) as StoredChange[])

export const changesOf = (text: string | null): Change[] =>
  storedChanges(text).flatMap(({ path, before, after, secret, words, list }) =>
    list
      ? listChanges(path, before, after)
      : [{ path, before, after, ...(secret ? { secret } : {}), ...(words ? { words } : {}) }],
  )

const listChanges = (path: string, before: Json, after: Json): Change[] =>
  itemChanges(path, before, after).map(change => ({
    ...change,
    before: answer('list', change.before),
    after: answer('list', change.after),
  }))

export const actorOf = (reader: ModelReader, key: number, personOf: (id: string) => Person): Person | null => {
  if (key === 0) return null
  const id = textOf(reader.statements.get('SELECT id FROM actor WHERE key = ?', key), 'id')
  return id === null ? null : personOf(id)
}

/** The API token that a line was caused with, if it was one. */
export const tokenOf = (reader: ModelReader, { origin }: SqlRow): { readonly token?: TokenName } => {
  if (typeof origin !== 'number') return {}
  const row = reader.statements.get("SELECT id FROM origin WHERE key = ? AND id LIKE 'token:%'", origin)
  const id = row === undefined ? undefined : tokenOfSession(stringOf(row, 'id'))
  return id === undefined ? {} : { token: { id, name: reader.title('apitoken', id) } }
}
