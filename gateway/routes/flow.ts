import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { FlowQueryScope } from '#commands/flow/flow-reader.ts'
import type { FlowKind } from '#realtime/port.ts'
import {
  flowCallersQuery,
  flowCallersSchema,
  flowDifferenceSchema,
  flowErrorsSchema,
  flowFindQuery,
  flowHistorySchema,
  flowHitsSchema,
  flowReplacedSchema,
  flowReplacementBody,
  flowRestoreBody,
  flowSchema,
  flowsRewrittenSchema,
  flowUsesQuery,
  nothingQuery,
  unusedVariablesSchema,
  variableRenamingBody,
} from '#schemas/api/flow-text.ts'
import { flowDiffQuery, flowHistoryQuery } from '#schemas/api/query.ts'
import { idParam, revisionParam, revisionSchema } from '#schemas/api/write.ts'
import type { Flows } from '../flow/flows.ts'
import { isKnownRevision } from '../http/headers.ts'
import { commandBody, fileBody } from '../http/pipeline.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { neededRevisionOf, revisionOf, runCommand, sessionOf } from './command.ts'

/** Whether the caller may know of the flow at all; answers 404 otherwise. */
export const isThere = async ({ read }: Parts, request: FastifyRequest, reply: FastifyReply, kind: FlowKind) => {
  const { id } = request.params as { id: string }
  if ((await read.detail(sessionOf(request).scope, kind, id)) !== undefined) return true
  refuse(reply, { code: 'entity.notfound' })
  return false
}

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

/** Texts in the flows of a bot: finds uses and texts, and changes them in all flows. */
export const addFlowText = (app: FastifyInstance, parts: Parts): void => {
  addReads(app, parts)
  addWrites(app, parts)
}

function addReads(app: FastifyInstance, { read, commands }: Parts): void {
  const config = { permission: 'readbot' }
  const tags = ['bot']

  /** The flows of the bot that the caller may read; undefined, and answered, where there is no such bot for them. */
  const askedOf = async (request: FastifyRequest, reply: FastifyReply): Promise<FlowQueryScope | undefined> => {
    const { scope, caller } = sessionOf(request)
    const { id } = request.params as Id
    if ((await read.detail(scope, 'bot', id)) !== undefined) {
      return { bot: id, may: kind => caller.permits(`read${kind}`) }
    }
    refuse(reply, { code: 'entity.notfound' })
    return undefined
  }

  const ask = <Q extends z.ZodType>(
    path: `/bot/:id/flow/${string}`,
    querystring: Q,
    response: z.ZodType,
    answer: (asked: FlowQueryScope, query: z.output<Q>, request: FastifyRequest) => Promise<unknown>,
  ) => {
    const schema = { tags, params: idParam, querystring, response: { 200: response } }
    app.get(path, { config, schema }, async (request, reply) => {
      const asked = await askedOf(request, reply)
      return asked === undefined ? reply : answer(asked, request.query as z.output<Q>, request)
    })
  }

  ask('/bot/:id/flow/uses', flowUsesQuery, flowHitsSchema, (asked, { of, value }) =>
    commands.usesInFlows(asked, of === 'variable' ? { variable: value } : { to: of, id: value }),
  )
  ask('/bot/:id/flow/find', flowFindQuery, flowHitsSchema, (asked, { text, exact, word, dialogtask }) =>
    commands.findInFlows({ ...asked, dialogtask }, { text, isExact: exact, isWholeWord: word }),
  )
  ask('/bot/:id/flow/callers', flowCallersQuery, flowCallersSchema, async (asked, { dialog }) => ({
    items: await commands.callersOf(asked, dialog),
  }))
  ask('/bot/:id/flow/errors', nothingQuery, flowErrorsSchema, (asked, _query, request) =>
    commands.errorsInFlows(asked, sessionOf(request).caller),
  )
  ask('/bot/:id/flow/unused', nothingQuery, unusedVariablesSchema, async (asked, _query, request) => {
    // Of variables they may not read, nobody learns the names.
    const isShown = sessionOf(request).caller.permits('readvariable')
    return { items: isShown ? await commands.unusedVariables(asked) : [] }
  })
}

const WRITES = [
  { path: 'rename', action: 'renamevariable', body: variableRenamingBody },
  { path: 'replace', action: 'replacetext', body: flowReplacementBody },
] as const

function addWrites(app: FastifyInstance, parts: Parts): void {
  for (const { path, action, body } of WRITES) {
    app.post<{ Params: Id }>(
      `/bot/:id/flow/${path}`,
      {
        config: { permission: 'updatebot' },
        schema: { tags: ['bot'], params: idParam, body: commandBody(body), response: { 200: flowsRewrittenSchema } },
      },
      async (request, reply) => {
        const done = await runCommand(parts, request, reply, { entity: 'bot', action, id: request.params.id })
        return done === undefined ? reply : { revision: done.revision, ...done.result }
      },
    )
  }
}
