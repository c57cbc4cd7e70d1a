import type { FastifyInstance } from 'fastify'
import type { Rooms } from '#realtime/port.ts'
import { botOverviewSchema } from '#schemas/api/bot-overview.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
import { editingNow } from './editing-now.ts'

/** GET /bot/{id}/overview: contents of a bot, its live parts, and its editors. */
export const addBotOverview = (app: FastifyInstance, { read }: Parts, rooms: Rooms): void => {
  app.get<{ Params: { id: string } }>(
    '/bot/:id/overview',
    {
      config: { permission: 'readbot' },
      schema: { tags: ['bot'], params: idParam, response: { 200: botOverviewSchema } },
    },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const { id } = request.params
      const overview = await read.botOverview(scope, id, Date.now())
      if (overview === undefined) return refuse(reply, { code: 'entity.notfound' })
      return { ...overview, editing: await editingNow(read, scope, rooms, id) }
    },
  )
}
