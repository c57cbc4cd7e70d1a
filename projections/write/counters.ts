import type { StoredEvent } from '#schemas/event.ts'
import { tinyUrlVisitedSchema } from '#schemas/events/notification.ts'
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

const [bot, botservice] = ['bot', 'botservice'].map(tableName)
const [servicesup, status, needed] = ['servicesup', 'runningstatus', 'minservicesneeded'].map(columnName)
const [ofBot, state] = ['bot', 'state'].map(columnName)

const UP = `SELECT count(*) FROM ${botservice} WHERE ${ofBot} = ${bot}.id AND ${state} = 'up' AND listed = 1`

const COUNT = `UPDATE ${bot} SET ${servicesup} = (${UP}) WHERE id = ? AND ${servicesup} IS NOT (${UP})`

/** Status of a bot that is not stopped, from its running services (RUNTIME 94). */
const STATUS = `CASE WHEN ${needed} IS NULL OR ${needed} = 0 THEN 'started'
  WHEN ${servicesup} >= ${needed} THEN 'running' ELSE 'pending' END`
const STAND = `UPDATE ${bot} SET ${status} = ${STATUS} WHERE id = ? AND ${status} <> 'stopped' AND ${status} <> ${STATUS}`

const botOf = (statements: StatementCache, entity: string, id: string): string | undefined => {
  if (entity !== 'botservice') return entity === 'bot' ? id : undefined
  const found = statements.get(`SELECT ${ofBot} AS bot FROM ${botservice} WHERE id = ?`, id)?.bot
  return typeof found === 'string' ? found : undefined
}

/**
 * After an event of a bot or one of its services: counts those that are up, and what follows for the bot's status. That is
 * no change of the bot itself. Answers the bot where something changed.
 */
export const countServices = (
  statements: StatementCache,
  tables: ReadonlyMap<string, Table>,
  entity: string,
  id: string,
): string | undefined => {
  if (!tables.has('botservice')) return undefined
  const served = botOf(statements, entity, id)
  if (served === undefined) return undefined
  const changes = [COUNT, STAND].map(sql => Number(statements.prepare(sql).run(served).changes))
  return changes.some(count => count > 0) ? served : undefined
}

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
