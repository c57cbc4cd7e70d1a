import type { Json } from '#schemas/event.ts'
import { isObject, objectsOf, stringsOf } from '#schemas/json.ts'
import type { Assignments, ChangeKind } from '../query-results.ts'
import { numberOf, stringOf, textOf } from '../statement-cache.ts'
import { HOUR } from './activity-count.ts'
import { IN_LIST, type ModelReader } from './model-reader.ts'

/** Fields that give rights, by entity. */
const ASSIGNED: Readonly<Record<string, readonly string[]>> = {
  user: ['usergroup'],
  serviceaccount: ['usergroup'],
  usergroup: ['roles', 'parent'],
}

const idsIn = (value: Json | undefined): readonly string[] => (typeof value === 'string' ? [value] : stringsOf(value))

/** Facts for a review of access: since when rights were given, and what was done with them. */
export class AccessReviewQueries {
  readonly #reader: ModelReader

  constructor(reader: ModelReader) {
    this.#reader = reader
  }

  /** Times (ISO 8601) since which the things have their present groups, roles and parents, by id of both. */
  assignments(entity: string, ids: readonly string[]): Assignments {
    const fields = ASSIGNED[entity] ?? []
    return Object.fromEntries(ids.map(id => [id, this.#since(entity, id, fields)]))
  }

  /** Kinds of changes of each of these people since a time (ms). */
  changeKindsOf(users: readonly string[], since: number): Readonly<Record<string, readonly ChangeKind[]>> {
    const sql = `SELECT DISTINCT actor.id, kind.entity, kind.action FROM actor
      CROSS JOIN audit_count INDEXED BY i_audit_count_actor ON audit_count.actor = actor.key
      JOIN kind ON kind.key = audit_count.kind WHERE actor.id ${IN_LIST} AND audit_count.hour >= ?`
    const rows = this.#reader.statements.all(sql, JSON.stringify(users), Math.floor(since / HOUR))
    const kinds = Map.groupBy(rows, row => stringOf(row, 'id'))
    return Object.fromEntries(
      users.map(id => [
        id,
        (kinds.get(id) ?? []).map(row => ({ entity: stringOf(row, 'entity'), action: stringOf(row, 'action') })),
      ]),
    )
  }

  #since(entity: string, id: string, fields: readonly string[]): Readonly<Record<string, string>> {
    const since: Record<string, string> = {}
    const named = fields.map(() => 'instr(changes, ?) > 0').join(' OR ')
    const rows = this.#reader.statements.all(
      `SELECT time, changes FROM audit WHERE subject = (SELECT key FROM subject WHERE id = ? AND entity = ?)
       AND changes IS NOT NULL AND (${named}) ORDER BY revision`,
      id,
      entity,
      ...fields.map(field => `"path":"${field}"`),
    )
    for (const row of rows) {
      const time = new Date(numberOf(row, 'time')).toISOString()
      const changes = objectsOf(JSON.parse(textOf(row, 'changes') ?? '[]'))
      for (const change of changes.filter(one => isObject(one) && fields.includes(String(one.path)))) {
        const after = idsIn(change.after)
        const before = new Set(idsIn(change.before))
        for (const one of before) if (!after.includes(one)) delete since[one]
        for (const one of after) if (!before.has(one)) since[one] = time
      }
    }
    return since
  }
}
