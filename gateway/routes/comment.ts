import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { FlowKind } from '#realtime/port.ts'
import { commentPageSchema, readersSchema } from '#schemas/api/comment.ts'
import { commentQuery, readerQuery } from '#schemas/api/query.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

interface Id {
  readonly id: string
}

/** Comment threads on the blocks of a flow, and the people to mention there; comments are written as entities. */
export const addComment = (app: FastifyInstance, { read }: Parts, kind: FlowKind): void => {
  const config = { permission: `read${kind}` }
  const described = { tags: [kind], params: idParam }

  app.get<{ Params: Id; Querystring: z.output<typeof commentQuery> }>(
    `/${kind}/:id/comment`,
    { config, schema: { ...described, querystring: commentQuery, response: { 200: commentPageSchema } } },
    async (request, reply) => {
      const { resolved, block, page, size } = request.query
      const narrowed = { ...(resolved === undefined ? {} : { resolved }), ...(block === undefined ? {} : { block }) }
      const { scope } = sessionOf(request)
      const threads = await read.comments(scope, kind, request.params.id, { page, size, ...narrowed })
      return threads ?? refuse(reply, { code: 'entity.notfound' })
    },
  )

  app.get<{ Params: Id; Querystring: z.output<typeof readerQuery> }>(
    `/${kind}/:id/reader`,
    { config, schema: { ...described, querystring: readerQuery, response: { 200: readersSchema } } },
    async (request, reply) => {
      const items = await read.readers(sessionOf(request).scope, kind, request.params.id, request.query)
      return items === undefined ? refuse(reply, { code: 'entity.notfound' }) : { items }
    },
  )
}
