import type { StatementCache } from '../statement-cache.ts'
import { columnName, type Table, tableName } from '../table.ts'

const NEEDED = ['published', 'publishedrevision', 'modified']

/**
 * Keeps `modified` of what has a flow: true while the live flow is at another revision than the published one. Drawing
 * that is undone counts as an edit.
 */
export const markModified = (statements: StatementCache, table: Table, id: string, liveRevision: number): boolean => {
  if (!NEEDED.every(name => table.columns.some(column => column.name === name))) return false
  const [published, revision, modified] = NEEDED.map(columnName)
  const isModified = `(${published} = 1 AND ${revision} IS NOT ?)`
  const { changes } = statements
    .prepare(
      `UPDATE ${tableName(table.name)} SET ${modified} = ${isModified} WHERE id = ? AND ${modified} <> ${isModified}`,
    )
    .run(liveRevision, id, liveRevision)
  return Number(changes) > 0
}
