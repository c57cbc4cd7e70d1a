import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { diffFlows } from '#domain/flow/diff-flows.ts'
import { parseFlowFile } from '#domain/flow/parse-flow-file.ts'
import type { FlowKind } from '#realtime/port.ts'
import {
  flowDifferenceSchema,
  flowHistorySchema,
  flowReplacedSchema,
  flowRestoreBody,
  flowSchema,
} from '#schemas/api/flow.ts'
import { flowDiffQuery, flowHistoryQuery } from '#schemas/api/query.ts'
import { idParam, revisionParam, revisionSchema } from '#schemas/api/write.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, FIELD_ERROR_CODES, type FieldError, refused } from '#schemas/refusal.ts'
import type { Flows } from '../flow/flows.ts'
import { commandBody } from '../http/pipeline.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { revisionOf, sessionOf } from './command.ts'
import { runOnce } from './run-once.ts'

const FILE_LIMIT = 64_000_000

interface Id {
  readonly id: string
}

/** The flow of a dialog or handler: as a file, through time, and back. */
export const addFlow = (app: FastifyInstance, parts: Parts, flows: Flows, kind: FlowKind): void => {
  addFlowReads(app, parts, flows, kind)
  addFlowWrites(app, parts, flows, kind)
}

/** Whether the caller may know of the flow at all; answers 404 otherwise. */
const isThere = async ({ read }: Parts, request: FastifyRequest, reply: FastifyReply, kind: FlowKind) => {
  const { id } = request.params as Id
  if ((await read.detail(sessionOf(request).scope, kind, id)) !== undefined) return true
  refuse(reply, { code: 'entity.notfound' })
  return false
}

function addFlowReads(app: FastifyInstance, parts: Parts, flows: Flows, kind: FlowKind): void {
  const config = { permission: `read${kind}` }
  const tags = [kind]

  app.get<{ Params: Id }>(
    `/${kind}/:id/flow`,
    { config, schema: { tags, params: idParam, response: { 200: flowSchema } } },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const { file, revision } = await flows.live(kind, request.params.id)
      return reply.header('etag', `"${revision}"`).send(file)
    },
  )

  app.get<{ Params: Id; Querystring: z.output<typeof flowHistoryQuery> }>(
    `/${kind}/:id/flow/history`,
    {
      config,
      schema: { tags, params: idParam, querystring: flowHistoryQuery, response: { 200: flowHistorySchema } },
    },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const found = await parts.read.flowHistory(sessionOf(request).scope, request.params.id, request.query)
      return found ?? { items: [], total: 0 }
    },
  )

  app.get<{ Params: z.output<typeof revisionParam> }>(
    `/${kind}/:id/flow/at/:revision`,
    { config, schema: { tags, params: revisionParam, response: { 200: flowSchema } } },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const { id, revision } = request.params
      const file = await flows.at(kind, id, revision)
      if (file === undefined) return refuse(reply, { code: 'entity.notfound' })
      return reply.header('etag', `"${revision}"`).send(file)
    },
  )

  app.get<{ Params: Id; Querystring: z.output<typeof flowDiffQuery> }>(
    `/${kind}/:id/flow/diff`,
    {
      config,
      schema: { tags, params: idParam, querystring: flowDiffQuery, response: { 200: flowDifferenceSchema } },
    },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const { from, to } = request.query
      const { id } = request.params
      const [before, after] = await Promise.all([flows.at(kind, id, from), flows.at(kind, id, to)])
      if (before === undefined || after === undefined) return refuse(reply, { code: 'entity.notfound' })
      return diffFlows(before, after)
    },
  )
}

function addFlowWrites(app: FastifyInstance, parts: Parts, flows: Flows, kind: FlowKind): void {
  const permission = `update${kind}`
  const tags = [kind]

  app.put<{ Params: Id; Body: Json }>(
    `/${kind}/:id/flow`,
    {
      bodyLimit: FILE_LIMIT,
      config: { permission, file: true },
      schema: { tags, params: idParam, body: fileBody, response: { 200: flowReplacedSchema } },
    },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const { id } = request.params
      const parsed = parseFlowFile(request.body)
      if (!parsed.ok) return refuse(reply, { code: 'flow.format', errors: parsed.errors.map(errorOf) })
      const js = scriptIn(request.body, kind)
      if (js === null) return refuse(reply, { code: 'flow.format', errors: [{ path: 'js', code: 'type' }] })
      const done = await runOnce(parts, request, reply, { entity: kind, action: 'replaceflow', id }, async author => {
        if (request.headers['if-match'] !== undefined && revisionOf(request) !== (await flows.log.revision(id)))
          return refused('entity.revision')
        const changed = await flows.replace(id, js === undefined ? parsed.file : { ...parsed.file, js }, author)
        return accepted({ ...changed, result: { unknown: parsed.unknown } })
      })
      if (done === undefined) return reply
      return reply.header('etag', `"${done.revision}"`).send({ revision: done.revision, ...done.result })
    },
  )

  app.post<{ Params: Id; Body: z.output<typeof flowRestoreBody> }>(
    `/${kind}/:id/flow/restore`,
    {
      config: { permission },
      schema: { tags, params: idParam, body: flowRestoreBody, response: { 200: revisionSchema } },
    },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const { id } = request.params
      const { revision, blocks } = request.body
      const given = { revision, ...(blocks === undefined ? {} : { blocks }) }
      const done = await runOnce(parts, request, reply, { entity: kind, action: 'restoreflow', id }, async author => {
        const changed = await flows.restore(kind, id, given, author)
        return changed === undefined ? refused('entity.revision') : accepted(changed)
      })
      return done === undefined ? reply : { revision: done.revision }
    },
  )
}

/** Shown in the documentation as a flow file; `parseFlowFile` is what reads it. */
const fileBody = commandBody(flowSchema)

/** The script of a handler's file; null when there is something else in its place. */
function scriptIn(body: Json, kind: FlowKind): string | null | undefined {
  const js = kind === 'handler' ? (body as { readonly js?: Json }).js : undefined
  return js === undefined || typeof js === 'string' ? js : null
}

function errorOf({ path, code }: { readonly path: string; readonly code: string }): FieldError {
  return { path, code: FIELD_ERROR_CODES.find(known => known === code) ?? 'format' }
}
