import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { AuditItem, AuditQuery } from '#projections/query-results.ts'
import { MAX_PAGE_SIZE } from '#schemas/api/query.ts'
import { AUDIT_COLUMNS, auditCells, referencesIn } from '../audit-cells.ts'
import { csvLine } from '../csv.ts'
import { handle } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { requireStillPermitted, sessionOf } from './command.ts'

const CONFIG = { permission: 'readaudit' }
const EXPORT_CONFIG = { permission: 'exportaudit', effect: 'writes' } as const
type Filter = Omit<AuditQuery, 'page' | 'size'>

/** The audit list, its histogram, and its export; an export is itself written to the audit before it begins. */
export const addAudit = (app: FastifyInstance, parts: Parts): void => {
  const { read } = parts
  handle(app, 'GET /audit', CONFIG, async request => read.audit(sessionOf(request).scope, request.query))

  handle(app, 'GET /audit/activity', CONFIG, async request => {
    const { buckets, ...filter } = request.query
    const query = { ...filter, page: 1, size: 1 }
    return { items: await read.auditActivity(sessionOf(request).scope, query, buckets) }
  })

  handle(app, 'GET /audit/export', EXPORT_CONFIG, async (request, reply) => {
    const { format, ...filter } = request.query
    const session = sessionOf(request)
    const { caller } = session
    await parts.record.exported({ caller, correlation: request.id, filter, format })
    const lines = format === 'csv' ? csv(parts, session, filter) : jsonLines(parts, session, filter)
    return reply
      .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8')
      .header('content-disposition', `attachment; filename="audit.${format}"`)
      .send(Readable.from(lines))
  })
}

/**
 * Pages backwards in time from one fixed moment, so that lines written meanwhile shift nothing. The stream breaks off
 * when the session ends or the right is taken.
 */
async function* pagesOf(
  parts: Parts,
  { caller, scope }: Session,
  filter: Filter,
): AsyncGenerator<readonly AuditItem[]> {
  const fixed = { ...filter, to: filter.to ?? new Date().toISOString() }
  for (let page = 1; ; page++) {
    await requireStillPermitted(caller, EXPORT_CONFIG.permission)
    const { items } = await parts.read.audit(scope, { ...fixed, page, size: MAX_PAGE_SIZE })
    yield items
    if (items.length < MAX_PAGE_SIZE) return
  }
}

async function* csv(parts: Parts, session: Session, filter: Filter): AsyncGenerator<string> {
  yield `\ufeff${csvLine(AUDIT_COLUMNS)}`
  for await (const items of pagesOf(parts, session, filter)) {
    const titles = await parts.read.names(session.scope, referencesIn(items))
    for (const item of items) yield csvLine(auditCells(item, titles))
  }
}

async function* jsonLines(parts: Parts, session: Session, filter: Filter): AsyncGenerator<string> {
  for await (const items of pagesOf(parts, session, filter)) {
    for (const item of items) yield `${JSON.stringify(item)}\n`
  }
}
