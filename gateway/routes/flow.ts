import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
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
import type { Flows } from '../flow/flows.ts'
import { isKnownRevision } from '../http/known-revision.ts'
import { commandBody, fileBody } from '../http/pipeline.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { neededRevisionOf, revisionOf, runCommand, sessionOf } from './command.ts'
import { isThere } from './is-there.ts'

const FILE_LIMIT = 64_000_000
const JSON_TYPE = 'application/json; charset=utf-8'

interface Id {
  readonly id: string
}

/** The flow of a dialog or handler: as a file, through time, and back. */
export const addFlow = (app: FastifyInstance, parts: Parts, flows: Flows, kind: FlowKind): void => {
  addFlowReads(app, parts, flows, kind)
  addFlowWrites(app, parts, kind)
}

function addFlowReads(app: FastifyInstance, parts: Parts, flows: Flows, kind: FlowKind): void {
  const config = { permission: `read${kind}` }
  const tags = [kind]

  app.get<{ Params: Id }>(
    `/${kind}/:id/flow`,
    { config, schema: { tags, params: idParam, response: { 200: flowSchema } } },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const { id } = request.params
      const known = await flows.log.revision(id)
      if (isKnownRevision(request, known)) return reply.header('etag', `"${known}"`).code(304).send()
      const { file, revision } = await flows.live(kind, id)
      return reply.header('etag', `"${revision}"`).type(JSON_TYPE).send(file)
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
      return reply.header('etag', `"${revision}"`).type(JSON_TYPE).send(file)
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
      const difference = await flows.difference(id, from, to)
      if (difference === undefined) return refuse(reply, { code: 'entity.notfound' })
      return reply.type(JSON_TYPE).send(difference)
    },
  )
}

function addFlowWrites(app: FastifyInstance, parts: Parts, kind: FlowKind): void {
  const permission = `update${kind}`
  const tags = [kind]

  app.put<{ Params: Id; Body: string | undefined }>(
    `/${kind}/:id/flow`,
    {
      bodyLimit: FILE_LIMIT,
      config: { permission, file: true },
      schema: { tags, params: idParam, body: fileBody(flowSchema), response: { 200: flowReplacedSchema } },
    },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const { id } = request.params
      const only = neededRevisionOf(request)
      const given = { entity: kind, action: 'importflow', id, input: { flow: request.body ?? '' }, only }
      const done = await runCommand(parts, request, reply, given)
      if (done === undefined) return reply
      return reply.header('etag', `"${done.revision}"`).send({ revision: done.revision, ...done.result })
    },
  )

  app.post<{ Params: Id }>(
    `/${kind}/:id/flow/restore`,
    {
      config: { permission },
      schema: { tags, params: idParam, body: commandBody(flowRestoreBody), response: { 200: revisionSchema } },
    },
    async (request, reply) => {
      if (!(await isThere(parts, request, reply, kind))) return reply
      const given = { entity: kind, action: 'restoreflow', id: request.params.id, only: revisionOf(request) }
      const done = await runCommand(parts, request, reply, given)
      return done === undefined ? reply : { revision: done.revision }
    },
  )
}
