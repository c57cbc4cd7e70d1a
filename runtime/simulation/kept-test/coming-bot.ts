import type { ComingRow } from '#commands/conversation-test/port.ts'
import { allRows } from '#projections/all-rows.ts'
import type { Page, ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'

const EPOCH = new Date(0).toISOString()

const newRow = (id: string): Row => ({
  id,
  revision: 0,
  hierarchylevel: null,
  created_at: EPOCH,
  modified_at: EPOCH,
  created_by: null,
  modified_by: null,
})

/** The present rows with those that are about to change as they are going to be. */
export const readWith = (read: ReadModels, rows: readonly ComingRow[]): ReadModels => {
  if (rows.length === 0) return read
  const coming = Map.groupBy(rows, ({ entity }) => entity)
  const changed = (row: Row | undefined, id: string, fields: JsonObject | null): Row | undefined =>
    fields === null ? undefined : { ...(row ?? newRow(id)), ...fields, id }
  const detail: ReadModels['detail'] = async (scope, entity, id, options) => {
    const row = await read.detail(scope, entity, id, options)
    const one = coming.get(entity)?.find(each => each.id === id)
    return one === undefined ? row : changed(row, id, one.fields)
  }
  const list: ReadModels['list'] = async (scope, entity, query): Promise<Page<Row>> => {
    const others = coming.get(entity)
    if (others === undefined) return read.list(scope, entity, query)
    const held = new Map((await allRows(read, SYSTEM_SCOPE, entity, query.filter)).map(row => [row.id, row]))
    for (const { id, fields } of others) {
      const row = changed(held.get(id), id, fields)
      const isMeant = row !== undefined && Object.entries(query.filter).every(([name, value]) => row[name] === value)
      if (isMeant) held.set(id, row)
      else held.delete(id)
    }
    const items = [...held.values()]
    return { items, total: items.length, page: query.page, size: query.size }
  }
  return new Proxy(read, {
    get: (target, name) => {
      if (name === 'detail') return detail
      if (name === 'list') return list
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
