import type { FastifyInstance, FastifyReply } from 'fastify'
import type { FlowQueryScope } from '#commands/flow/flow-reader.ts'
import type { FlowKind } from '#realtime/port.ts'
import { handle, type IdRequest } from '../http/handle.ts'
import { isKnownRevision } from '../http/headers.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import type { Flows } from '../server-parts.ts'
import { neededRevisionOf, revisionOf, runCommand, sessionOf } from './command.ts'

/** Whether the caller may know of the flow at all; answers 404 otherwise. */
export const isThere = async ({ read }: Parts, request: IdRequest, reply: FastifyReply, kind: FlowKind) => {
  const { id } = request.params
  if ((await read.detail(sessionOf(request).scope, kind, id)) !== undefined) return true
  refuse(reply, { code: 'entity.notfound' })
  return false
}

const FILE_LIMIT = 64_000_000
const JSON_TYPE = 'application/json; charset=utf-8'

/** The flow of a dialog or handler: as a file, through time, and back. */
export const addFlow = (app: FastifyInstance, parts: Parts, flows: Flows, kind: FlowKind): void => {
  addFlowReads(app, parts, flows, kind)
  addFlowWrites(app, parts, kind)
}

function addFlowReads(app: FastifyInstance, parts: Parts, flows: Flows, kind: FlowKind): void {
  const options = { path: { kind }, permission: `read${kind}` }

  handle(app, 'GET /{kind}/{id}/flow', options, async (request, reply) => {
    if (!(await isThere(parts, request, reply, kind))) return reply
    const { id } = request.params
    const known = await flows.log.revision(id)
    if (isKnownRevision(request, known)) return reply.header('etag', `"${known}"`).code(304).send()
    const { file, revision } = await flows.live(kind, id)
    return reply.header('etag', `"${revision}"`).type(JSON_TYPE).send(file)
  })

  handle(app, 'GET /{kind}/{id}/flow/history', options, async (request, reply) => {
    if (!(await isThere(parts, request, reply, kind))) return reply
    const found = await parts.read.flowHistory(sessionOf(request).scope, request.params.id, request.query)
    return reply.send(found ?? { items: [], total: 0 })
  })

  handle(app, 'GET /{kind}/{id}/flow/at/{revision}', options, async (request, reply) => {
    if (!(await isThere(parts, request, reply, kind))) return reply
    const { id, revision } = request.params
    const file = await flows.at(kind, id, revision)
    if (file === undefined) return refuse(reply, { code: 'entity.notfound' })
    return reply.header('etag', `"${revision}"`).type(JSON_TYPE).send(file)
  })

  handle(app, 'GET /{kind}/{id}/flow/diff', options, async (request, reply) => {
    if (!(await isThere(parts, request, reply, kind))) return reply
    const { from, to } = request.query
    const { id } = request.params
    const difference = await flows.difference(id, from, to)
    if (difference === undefined) return refuse(reply, { code: 'entity.notfound' })
    return reply.type(JSON_TYPE).send(difference)
  })
}

function addFlowWrites(app: FastifyInstance, parts: Parts, kind: FlowKind): void {
  const options = { path: { kind }, permission: `update${kind}` }

  handle(app, 'PUT /{kind}/{id}/flow', { ...options, bodyLimit: FILE_LIMIT, body: 'text' }, async (request, reply) => {
    if (!(await isThere(parts, request, reply, kind))) return reply
    const { id } = request.params
    const only = neededRevisionOf(request)
    const given = { entity: kind, action: 'importflow', id, input: { flow: request.body ?? '' }, only }
    const done = await runCommand(parts, request, reply, given)
    if (done === undefined) return reply
    return reply.header('etag', `"${done.revision}"`).send({ revision: done.revision, ...done.result })
  })

  handle(app, 'POST /{kind}/{id}/flow/restore', { ...options, body: 'command' }, async (request, reply) => {
    if (!(await isThere(parts, request, reply, kind))) return reply
    const given = { entity: kind, action: 'restoreflow', id: request.params.id, only: revisionOf(request) }
    const done = await runCommand(parts, request, reply, given)
    return done === undefined ? reply : { revision: done.revision }
  })
}

/** Texts in the flows of a bot: finds uses and texts, and changes them in all flows. */
export const addFlowText = (app: FastifyInstance, parts: Parts): void => {
  addReads(app, parts)
  addWrites(app, parts)
}

function addReads(app: FastifyInstance, { read, commands }: Parts): void {
  const config = { permission: 'readbot' }

  /** Gives the answer the flows of the bot that the caller may read; answers 404 without such a bot. */
  const withFlows =
    <R extends IdRequest, A>(answer: (flows: FlowQueryScope, request: R) => Promise<A>) =>
    async (request: R, reply: FastifyReply) => {
      const { scope, caller } = sessionOf(request)
      const { id } = request.params
      if ((await read.detail(scope, 'bot', id)) === undefined) return refuse(reply, { code: 'entity.notfound' })
      return answer({ bot: id, may: kind => caller.permits(`read${kind}`) }, request)
    }

  handle(
    app,
    'GET /bot/{id}/flow/uses',
    config,
    withFlows((flows, { query: { of, value } }) =>
      commands.usesInFlows(flows, of === 'variable' ? { variable: value } : { to: of, id: value }),
    ),
  )
  handle(
    app,
    'GET /bot/{id}/flow/find',
    config,
    withFlows((flows, { query: { text, exact, word, dialogtask } }) =>
      commands.findInFlows({ ...flows, dialogtask }, { text, isExact: exact, isWholeWord: word }),
    ),
  )
  handle(
    app,
    'GET /bot/{id}/flow/callers',
    config,
    withFlows(async (flows, { query }) => ({ items: await commands.callersOf(flows, query.dialog) })),
  )
  handle(
    app,
    'GET /bot/{id}/flow/errors',
    config,
    withFlows((flows, request) => commands.errorsInFlows(flows, sessionOf(request).caller)),
  )
  handle(
    app,
    'GET /bot/{id}/flow/unused',
    config,
    withFlows(async (flows, request) => {
      // Of variables they may not read, nobody learns the names.
      const isShown = sessionOf(request).caller.permits('readvariable')
      return { items: isShown ? await commands.unusedVariables(flows) : [] }
    }),
  )
}

const REWRITES = [
  ['POST /bot/{id}/flow/rename', 'renamevariable'],
  ['POST /bot/{id}/flow/replace', 'replacetext'],
] as const

function addWrites(app: FastifyInstance, parts: Parts): void {
  for (const [name, action] of REWRITES)
    handle(app, name, { permission: 'updatebot', body: 'command' }, async (request, reply) => {
      const done = await runCommand(parts, request, reply, { entity: 'bot', action, id: request.params.id })
      return done === undefined ? reply : reply.send({ revision: done.revision, ...done.result })
    })
}

/** Comment threads on the blocks of a flow, and the people to mention there; comments are written as entities. */
export const addComment = (app: FastifyInstance, { read }: Parts, kind: FlowKind): void => {
  const options = { path: { kind }, permission: `read${kind}` }

  handle(app, 'GET /{kind}/{id}/comment', options, async (request, reply) => {
    const { resolved, block, page, size } = request.query
    const narrowed = { ...(resolved === undefined ? {} : { resolved }), ...(block === undefined ? {} : { block }) }
    const { scope } = sessionOf(request)
    const threads = await read.comments(scope, kind, request.params.id, { page, size, ...narrowed })
    return threads ?? refuse(reply, { code: 'entity.notfound' })
  })

  handle(app, 'GET /{kind}/{id}/reader', options, async (request, reply) => {
    const items = await read.readers(sessionOf(request).scope, kind, request.params.id, request.query)
    return items === undefined ? refuse(reply, { code: 'entity.notfound' }) : { items }
  })
}
