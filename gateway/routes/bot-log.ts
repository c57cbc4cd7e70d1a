import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { botLogQuery, botLogSchema } from '#schemas/api/bot-log.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** GET /bot/{id}/logs: what went wrong while a bot ran, by ids and codes. */
export const addBotLog = (app: FastifyInstance, { read, botLog }: Parts): void => {
  app.get<{ Params: { id: string }; Querystring: z.output<typeof botLogQuery> }>(
    '/bot/:id/logs',
    {
      config: { permission: 'readbot' },
      schema: { tags: ['bot'], params: idParam, querystring: botLogQuery, response: { 200: botLogSchema } },
    },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const { id } = request.params
      if ((await read.detail(scope, 'bot', id)) === undefined) return refuse(reply, { code: 'entity.notfound' })
      return botLog.read(id, request.query)
    },
  )
}
