import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { BotServices } from '#runtime/service/bot-services.ts'
import { botLogQuery, botLogSchema } from '#schemas/api/bot-log.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** GET /bot/{id}/logs: failures of a running bot on any node, by ids and codes. */
export const addBotLog = (
  app: FastifyInstance,
  { read, botLogs }: Parts,
  services: Pick<BotServices, 'hearsAll'> | undefined,
): void => {
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
      const heard = services?.hearsAll() ?? true
      return { ...(await botLogs.read(id, request.query)), heard }
    },
  )
}
