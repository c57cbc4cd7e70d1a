import type { FastifyInstance } from 'fastify'
import type { FlowKind } from '#realtime/port.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

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
