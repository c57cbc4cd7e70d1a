import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { cellText, csvRecord, fieldColumns, keyColumns } from '#domain/csv/cell.ts'
import type { ListQuery, Row } from '#projections/port.ts'
import type { ConversationFilter, ConversationRecord, ConversationRecords } from '#runtime/port.ts'
import { exportQuery, filtersOf } from '#schemas/api/query.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { deferSchema, handle } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { refuse } from '../problem.ts'
import { requireStillPermitted, sessionOf } from './command.ts'
import { type ConversationParts, figureOf, recordReading, visibleBotIds } from './conversation.ts'

/** A checked query of a list. */
type CheckedQuery = Readonly<Record<string, Json | undefined>>
type Selected = Omit<ListQuery, 'page' | 'size'>

/** Filters and order of a list, from a checked query. */
export const selectionOf = (query: CheckedQuery, filters: readonly string[]): Selected => {
  const { search, sort, hierarchylevel, home, removed } = query as unknown as Omit<Selected, 'filter'>
  const filter = Object.fromEntries(
    filters.flatMap(name => {
      const value = query[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    filter,
    ...(search === undefined || search === '' ? {} : { search }),
    ...(sort === undefined ? {} : { sort }),
    ...(hierarchylevel === undefined ? {} : { hierarchylevel }),
    ...(home === undefined ? {} : { home }),
    ...(removed === undefined ? {} : { removed }),
  }
}

/** The same with its page. */
export const listQueryOf = (query: CheckedQuery, filters: readonly string[]): ListQuery => {
  const { page, size } = query as unknown as Pick<ListQuery, 'page' | 'size'>
  return { page, size, ...selectionOf(query, filters) }
}

/** Rows that one export, or one bulk command by filter, takes. */
export const MAX_SELECTED = 100_000
/** Rows that are in memory at once. */
const BATCH = 500

/** The list of an entity as CSV, all pages of it. */
export const addExport = (app: FastifyInstance, parts: Parts, entity: EntityDeclaration): void => {
  const { name } = entity
  const filters = filtersOf(entity)
  const permission = `read${name}`
  handle(
    app,
    'GET /{entity}/export',
    { path: { entity: name }, permission, schemas: { query: deferSchema(() => exportQuery(entity)) } },
    async (request, reply) => {
      const session = sessionOf(request)
      const query = selectionOf(request.query, filters)
      const { items, total } = await parts.read.selection(session.scope, name, query, MAX_SELECTED)
      if (total > MAX_SELECTED)
        return refuse(reply, { code: 'selection.toolarge', params: { count: total, max: MAX_SELECTED } })
      const ids = items.map(({ id }) => id)
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}.csv"`)
        .send(Readable.from(records(parts, session, entity, ids)))
    },
  )
}

/** Reads the rows batch by batch. The stream breaks off when the session ends or the right is taken. */
async function* records(
  parts: Parts,
  { caller, scope }: Session,
  entity: EntityDeclaration,
  ids: readonly string[],
): AsyncGenerator<string> {
  const keys = keyColumns(entity)
  const columns = fieldColumns(entity)
  yield csvRecord([...keys, ...columns])
  for (let at = 0; at < ids.length; at += BATCH) {
    await requireStillPermitted(caller, `read${entity.name}`)
    const rows = await parts.read.rows(scope, entity.name, ids.slice(at, at + BATCH))
    yield rows
      .filter(row => row.forgotten !== true)
      .map(row => csvRecord([...keys.map(key => String(row[key] ?? '')), ...textsOf(entity, columns, row)]))
      .join('')
  }
}

function textsOf({ fields }: EntityDeclaration, columns: readonly string[], row: Row): string[] {
  return columns.map(name => {
    const field = fields[name]
    return field === undefined ? '' : cellText(field, row[name] ?? row[field.fallback ?? ''] ?? null)
  })
}

/** Characters that a spreadsheet runs as a formula, wide forms included, or strips to find one. */
const FIRST = /^(?=[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])/
/** Some split at these even inside quotes, and find a formula behind them. */
const INNER = /([;\t\r\n])(?=["' ]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** One line of CSV (RFC 4180). A cell that a spreadsheet would run as a formula gets a leading apostrophe. */
export const csvLine = (cells: readonly string[]): string =>
  `${cells
    .map(cell => cell.replace(FIRST, "'").replace(INNER, "$1'"))
    .map(cell => (/[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(',')}\r\n`

const COLUMNS = [
  'id',
  'bot',
  'channel',
  'channeltype',
  'person',
  'status',
  'reason',
  'release',
  'started',
  'last',
  'ended',
  'turns',
  'retained',
  'origin',
] as const

const textOf = (record: ConversationRecord, column: (typeof COLUMNS)[number]): string => {
  const value = record[column]
  if (value === null) return ''
  return column === 'started' || column === 'last' || column === 'ended'
    ? new Date(Number(value)).toISOString()
    : String(value)
}

async function* lines(
  records: ConversationRecords,
  seen: readonly string[],
  filter: ConversationFilter,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(COLUMNS)}`
  for (let page = 1; ; page += 1) {
    const { items } = records.list(seen, filter, page, BATCH)
    yield items.map(record => csvLine(COLUMNS.map(column => textOf(record, column)))).join('')
    if (items.length < BATCH) return
    // Between two batches others have their turn.
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** GET /conversation/export: the conversations that a filter leaves as CSV, without any of their words. */
export const addConversationExport = (app: FastifyInstance, { parts, conversations }: ConversationParts): void => {
  handle(app, 'GET /conversation/export', { permission: 'readbot' }, async (request, reply) => {
    const { bot, from, to, ...rest } = request.query
    const filter = {
      ...rest,
      ...figureOf(sessionOf(request).scope, request.query),
      ...(from === undefined ? {} : { from: Date.parse(from) }),
      // Later conversations shift no page.
      to: to === undefined ? Date.now() : Date.parse(to),
    }
    const records = await conversations.records()
    const { access, scope } = sessionOf(request)
    const seen = await visibleBotIds(parts.read, scope, bot)
    const total = records?.list(seen, filter, 1, 1).total ?? 0
    if (total > MAX_SELECTED)
      return refuse(reply, { code: 'selection.toolarge', params: { count: total, max: MAX_SELECTED } })
    const level = bot === undefined ? access.level : (await parts.read.detail(scope, 'bot', bot))?.hierarchylevel
    // A bot outside the caller's levels exports nothing, and a line without its level would be seen in all levels.
    if (level !== undefined) await recordReading(parts, request, { verb: 'exported', bot: bot ?? null, level })
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="conversations.csv"')
      .send(records === undefined ? `\ufeff${csvLine(COLUMNS)}` : Readable.from(lines(records, seen, filter)))
  })
}
