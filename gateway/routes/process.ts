import type { FastifyInstance } from 'fastify'
import type { BatchRow } from '#commands/process/batch.ts'
import { canUndo } from '#commands/process/bulk.ts'
import type { ProcessReport } from '#commands/process/process-report.ts'
import { fieldErrors } from '#domain/field/validate.ts'
import { exportQuery, filtersOf } from '#schemas/api/query.ts'
import { type EntityDeclaration, permissionsOf } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { handle, type RouteRequest } from '../http/handle.ts'
import type { Parts, Session } from '../port.ts'
import { problemOf, refuse } from '../problem.ts'
import { callerOf, READ_YOUR_WRITES_TIMEOUT_MS, runWrite, sessionOf } from './command.ts'
import { MAX_SELECTED, selectionOf } from './export.ts'

/** Refused rows that an answer names. */
const MAX_NAMED = 1000

/** Progress of a process, for its starter, and its undo. */
export const addProcess = (app: FastifyInstance, parts: Parts): void => {
  handle(app, 'GET /process/{id}', {}, async (request, reply) => {
    const report = await parts.commands.processReport(callerOf(request), request.params.id)
    if (report === undefined) return refuse(reply, { code: 'entity.notfound' })
    // The reads that follow show its writes.
    if (report.state !== 'running') {
      const head = await parts.store.head().catch(() => '')
      await parts.read.reached(head, READ_YOUR_WRITES_TIMEOUT_MS)
    }
    return answerOf(report, request.language)
  })

  handle(app, 'POST /process/{id}/undo', { body: 'command' }, async (request, reply) => {
    const started = await runWrite(parts, request, reply, async (seed, caller) => {
      const undo = await parts.commands.startUndo({ caller, seed, correlation: request.id }, request.params.id)
      return undo.ok ? accepted({ result: { process: undo.value } }) : undo
    })
    return started === undefined ? reply : reply.send(started)
  })
}

const answerOf = (report: ProcessReport, language: Language) => {
  const { state, entity, action, done, total, written, refused } = report
  return {
    state,
    entity,
    action,
    done,
    total,
    changed: written.length,
    refusals: refused.length,
    refused: refused.slice(0, MAX_NAMED).map(({ id, refusal }) => {
      const { code, detail, errors } = problemOf({ ...refusal, params: { entity, ...refusal.params } }, language)
      return { id, code, message: detail, ...(errors === undefined ? {} : { errors }) }
    }),
    undo: canUndo(report),
  }
}

type Body = RouteRequest<'POST /{entity}/bulk'>['body']

/** One command on many things of an entity, as a process. */
export const addBulk = (app: FastifyInstance, parts: Parts, entity: EntityDeclaration): void => {
  const anyPermission = permissionsOf(entity).filter(permission => permission !== `read${entity.name}`)
  handle(app, 'POST /{entity}/bulk', { path: { entity: entity.name }, anyPermission }, async (request, reply) => {
    const { action, confirm, input = {} } = request.body
    const session = sessionOf(request)
    const started = await runWrite(parts, request, reply, async (seed, caller) => {
      const given = { entity: entity.name, action, input: input as JsonObject }
      const command = parts.commands.checkBulk(caller, { ...given, ...(confirm === undefined ? {} : { confirm }) })
      if (!command.ok) return command
      const rows = await rowsOf(parts, session, entity, request.body)
      if (!rows.ok) return rows
      const starter = { caller, seed, correlation: request.id }
      const process = await parts.commands.startBulk(starter, entity.name, command.value, rows.value)
      return accepted({ result: { process } })
    })
    return started === undefined ? reply : reply.send(started)
  })
}

const rowsOf = async (
  parts: Parts,
  { scope }: Session,
  entity: EntityDeclaration,
  { ids, filter, action }: Body,
): Promise<Result<readonly BatchRow[]>> => {
  if (ids !== undefined) {
    const unique = [...new Set(ids)]
    const rows = await parts.read.rows(scope, entity.name, unique)
    const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
    return accepted(unique.map(id => rowOf(id, revisions.get(id))))
  }
  if (scope.readable !== 'all' && !scope.readable.has(entity.name)) return refused('access.forbidden')
  const query = Object.fromEntries(Object.entries(filter ?? {}).map(([name, value]) => [name, String(value)]))
  const parsed = exportQuery(entity).safeParse(query)
  if (!parsed.success) {
    const errors = fieldErrors(parsed.error, query)
    return refused('validation.failed', { errors: errors.map(error => ({ ...error, path: `filter.${error.path}` })) })
  }
  const selection = selectionOf(parsed.data as Record<string, Json>, filtersOf(entity))
  const selected = action === 'restore' ? { ...selection, removed: true } : selection
  const { items, total } = await parts.read.selection(scope, entity.name, selected, MAX_SELECTED)
  if (total > MAX_SELECTED) return refused('selection.toolarge', { params: { count: total, max: MAX_SELECTED } })
  return accepted(items)
}

const rowOf = (id: string, revision: number | undefined): BatchRow =>
  revision === undefined ? { id } : { id, revision }
