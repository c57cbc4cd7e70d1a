import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { AuditItem, AuditQuery, Scope } from '#projections/port.ts'
import { auditActivityQuery, auditExportQuery, auditQuery, MAX_PAGE_SIZE } from '#schemas/api/query.ts'
import { auditPageSchema } from '#schemas/api/write.ts'
import { csvLine } from '../csv.ts'
import type { Parts } from '../port.ts'
import { sessionOf } from './command.ts'

const TAGS = ['audit']
const CONFIG = { permission: 'readaudit' }
const COLUMNS = [
  'time',
  'entity',
  'entityid',
  'name',
  'action',
  'service',
  'user',
  'groups',
  'roles',
  'hierarchy',
  'revision',
  'changes',
]

type Filter = Omit<AuditQuery, 'page' | 'size'>

/** The audit list, its histogram, and its export; an export is itself written to the audit before it begins. */
export const addAudit = (app: FastifyInstance, parts: Parts): void => {
  const { read } = parts
  app.get<{ Querystring: z.output<typeof auditQuery> }>(
    '/audit',
    { config: CONFIG, schema: { tags: TAGS, querystring: auditQuery, response: { 200: auditPageSchema } } },
    async request => read.audit(sessionOf(request).scope, request.query as AuditQuery),
  )

  app.get<{ Querystring: z.output<typeof auditActivityQuery> }>(
    '/audit/activity',
    { config: CONFIG, schema: { tags: TAGS, querystring: auditActivityQuery } },
    async request => {
      const { buckets, ...filter } = request.query
      const query = { ...(filter as Filter), page: 1, size: 1 }
      return { items: await read.auditActivity(sessionOf(request).scope, query, buckets) }
    },
  )

  app.get<{ Querystring: z.output<typeof auditExportQuery> }>(
    '/audit/export',
    { config: CONFIG, schema: { tags: TAGS, querystring: auditExportQuery } },
    async (request, reply) => {
      const { format, ...filter } = request.query
      const { scope, caller } = sessionOf(request)
      await parts.record.exported({ caller, correlation: request.id, filter: filter as Filter, format })
      const lines = format === 'csv' ? csv(parts, scope, filter as Filter) : jsonLines(parts, scope, filter as Filter)
      return reply
        .type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8')
        .header('content-disposition', `attachment; filename="audit.${format}"`)
        .send(Readable.from(lines))
    },
  )
}

/** Pages backwards in time from one fixed moment, so that lines written meanwhile shift nothing. */
async function* linesOf(parts: Parts, scope: Scope, filter: Filter): AsyncGenerator<AuditItem> {
  const fixed = { ...filter, to: filter.to ?? new Date().toISOString() }
  for (let page = 1; ; page++) {
    const { items } = await parts.read.audit(scope, { ...fixed, page, size: MAX_PAGE_SIZE })
    yield* items
    if (items.length < MAX_PAGE_SIZE) return
  }
}

async function* csv(parts: Parts, scope: Scope, filter: Filter): AsyncGenerator<string> {
  yield `\ufeff${csvLine(COLUMNS)}`
  for await (const item of linesOf(parts, scope, filter)) yield csvLine(cellsOf(item))
}

async function* jsonLines(parts: Parts, scope: Scope, filter: Filter): AsyncGenerator<string> {
  for await (const item of linesOf(parts, scope, filter)) yield `${JSON.stringify(item)}\n`
}

function cellsOf(item: AuditItem): string[] {
  return [
    item.time,
    item.entity,
    item.entityid,
    item.name ?? '',
    item.action,
    item.service,
    item.user?.username ?? item.user?.id ?? '',
    item.groups.join(' '),
    item.roles.join(' '),
    item.hierarchy ?? '',
    String(item.revision),
    JSON.stringify(item.changes),
  ]
}
