import type { StoredEvent } from '#schemas/event.ts'
import { tinyUrlVisitedSchema } from '#schemas/events/visit.ts'
import type { StatementCache } from '../statement-cache.ts'
import { columnName, type Table, tableName } from '../table.ts'

const ENTITY = 'tinyurlmapping'

/** Adds to `hits` of a short address, which is no change of it. False when it is not there. */
export const addVisits = (
  statements: StatementCache,
  tables: ReadonlyMap<string, Table>,
  event: StoredEvent,
  id: string,
): boolean => {
  if (event.type !== 'TinyUrlVisited' || !tables.has(ENTITY)) return false
  const { count } = tinyUrlVisitedSchema.parse(event.data)
  const hits = columnName('hits')
  const { changes } = statements
    .prepare(`UPDATE ${tableName(ENTITY)} SET ${hits} = COALESCE(${hits}, 0) + ? WHERE id = ?`)
    .run(count, id)
  return Number(changes) > 0
}
