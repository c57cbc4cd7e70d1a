import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { ConversationFilter, ConversationRecord, ConversationRecords } from '#runtime/port.ts'
import { handle } from '../http/handle.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
import { type ConversationParts, figureOf, recordReading, visibleBotIds } from './conversation.ts'
import { csvLine, MAX_SELECTED } from './export.ts'

/** Conversations that are in memory at once. */
const BATCH = 500
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

/** GET /conversation/export: the conversations that a filter leaves as CSV, without any of their words (RUNTIME 91). */
export const addConversationExport = (app: FastifyInstance, { parts, conversations }: ConversationParts): void => {
  handle(app, 'GET /conversation/export', { permission: 'readbot' }, async (request, reply) => {
    const { bot, from, to, ...rest } = request.query
    const filter = {
      ...rest,
      ...figureOf(request.query),
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
