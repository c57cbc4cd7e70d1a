import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Change, Person, Scope } from '#projections/port.ts'
import type { AuditItem, AuditQuery } from '#projections/query-results.ts'
import { recountResults } from '#runtime/metrics/recount.ts'
import { MAX_PAGE_SIZE } from '#schemas/api/query.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { isObject } from '#schemas/json.ts'
import { accepted } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { requireStillPermitted, runWrite, sessionOf } from './command.ts'
import { csvLine } from './export.ts'

export const AUDIT_COLUMNS = [
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
  'before',
  'after',
  'changes',
  'address',
  'agent',
] as const

/** Titles by entity and id. */
type Titles = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The field at a dotted path: `headers.0.value` is the field `value` of an item. */
const fieldAt = (entity: string, path: string): Field | undefined => {
  const [name = '', , member] = path.split('.')
  const field = isEntityName(entity) ? entityOf(entity).fields[name] : undefined
  return field?.kind === 'list' && member !== undefined ? field.item[member] : field
}

const idsIn = (value: Json): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string')

/** Ids referenced in the values of these lines, by entity. */
export const referencesIn = (items: readonly AuditItem[]): Readonly<Record<string, readonly string[]>> => {
  const found: Record<string, Set<string>> = {}
  for (const { entity, changes } of items) {
    for (const { path, before, after } of changes) {
      const to = fieldAt(entity, path)?.to
      if (to === undefined) continue
      found[to] ??= new Set()
      for (const id of [...idsIn(before), ...idsIn(after)]) found[to].add(id)
    }
  }
  return Object.fromEntries(Object.entries(found).map(([to, ids]) => [to, [...ids]]))
}

/** A block or a link of a flow in words, another object as JSON. */
const objectText = (value: JsonObject): string => {
  const { title, type, fields, from, to } = value
  if (typeof type === 'string' && typeof title === 'string') {
    const changed = Array.isArray(fields) ? ` [${fields.join(', ')}]` : ''
    return `${title === '' ? type : `${title} (${type})`}${changed}`
  }
  return typeof from === 'string' && typeof to === 'string' ? `${from} → ${to}` : JSON.stringify(value)
}

const plainText = (value: Json, titles: Readonly<Record<string, string>>): string => {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((one: Json) => plainText(one, titles)).join(', ')
  if (isObject(value)) return objectText(value)
  return typeof value === 'string' ? (titles[value] ?? value) : String(value)
}

const sideText = ({ entity, changes }: AuditItem, side: 'before' | 'after', titles: Titles): string =>
  changes
    .map((change: Change) => {
      const known = titles[fieldAt(entity, change.path)?.to ?? ''] ?? {}
      return `${change.path}: ${change.secret || change.words ? '•••' : plainText(change[side], known)}`
    })
    .join('\n')

/** The cells of one line: the values before and after in words, and the changes as the API answers them, as JSON. */
export const auditCells = (item: AuditItem, titles: Titles): string[] => [
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
  sideText(item, 'before', titles),
  sideText(item, 'after', titles),
  JSON.stringify(item.changes),
  item.origin?.address ?? '',
  item.origin?.agent ?? '',
]

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

type Chain = AnswerOf<'GET /audit/chain'>

/** Integrity of the log: its newest seal; time, author and findings of the last verification. */
export const addChain = (app: FastifyInstance, parts: Parts): void => {
  handle(app, 'GET /audit/chain', CONFIG, request => chainOf(parts, sessionOf(request).scope))

  handle(app, 'POST /audit/chain/verify', CONFIG, async (request, reply) => {
    const { caller, scope } = sessionOf(request)
    const done = await runWrite(parts, request, reply, async () => {
      parts.trust.verify(caller.user, request.id)
      return accepted({})
    })
    return done === undefined ? reply : reply.send(await chainOf(parts, scope))
  })
}

/** Only callers who see all levels learn the place of a break: stream names hold ids from any level. */
async function chainOf({ trust, read, store }: Parts, scope: Scope): Promise<Chain> {
  // Read before the findings: a verification that ends in between is then shown as running, never as without findings.
  const { running } = trust
  const [seal, verified, recounts] = await Promise.all([
    trust.newestSeal(),
    trust.newestVerification(),
    recountResults(store),
  ])
  const people = await read.people(
    scope,
    [verified?.actor, running?.actor].filter(id => typeof id === 'string'),
  )
  const personOf = (id: string | null): Person | null => people.find(person => person.id === id) ?? null
  const seesAll = (await read.levels(scope)).some(({ parent }) => parent === null)
  return {
    key: trust.key,
    seal: seal === undefined ? null : { number: seal.number, time: seal.time, events: seal.total },
    unsealed: trust.unsealed,
    recounts: recounts.map(({ lines, ...result }) => ({ ...result, lines: seesAll ? lines : [] })),
    running: running === undefined ? null : { since: running.since, user: personOf(running.actor) },
    verification:
      verified === undefined
        ? null
        : {
            ...verified.result,
            time: verified.time,
            user: personOf(verified.actor),
            findings: seesAll ? verified.result.findings : [],
          },
  }
}
