import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { allRows } from '#projections/all-rows.ts'
import type { BotServices } from '#runtime/service/bot-services.ts'
import { botServicesSchema } from '#schemas/api/bot-service.ts'
import { idParam } from '#schemas/api/write.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'
import type { ActionDone } from './entity.ts'

/** `fix` of a bot says per service what it did (RUNTIME 95). */
export const operateBots =
  (services: BotServices | undefined): ActionDone =>
  async (entity, action, id) =>
    entity === 'bot' && action === 'fix' && services !== undefined
      ? ((await services.fix(id)) as unknown as JsonObject)
      : {}

type Services = z.input<typeof botServicesSchema>

/** GET /bot/{id}/services: the parts of a bot as they are on record, and as each node says that they are now. */
export const addBotServices = (app: FastifyInstance, { read }: Parts, services: BotServices): void => {
  app.get<{ Params: { id: string } }>(
    '/bot/:id/services',
    {
      config: { permission: 'readbotservice' },
      schema: { tags: ['bot'], params: idParam, response: { 200: botServicesSchema } },
    },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const { id } = request.params
      const bot = await read.detail(scope, 'bot', id)
      if (bot === undefined) return refuse(reply, { code: 'entity.notfound' })
      const rows = await allRows(read, scope, 'botservice', { bot: id })
      const nodes = services.nodesOf(id)
      const items = rows.map(row => ({
        id: row.id,
        name: String(row.name),
        systemid: String(row.systemid),
        state: row.state,
        status: row.status,
        buildversion: row.buildversion ?? null,
        since: row.modified_at,
        nodes: nodes
          .filter(({ systemid }) => systemid === row.systemid)
          .map(({ node, version, status, since }) => ({ node, version, status, since: new Date(since).toISOString() })),
      }))
      const { runningstatus, servicesup, minservicesneeded } = bot
      const answer = { runningstatus, up: servicesup ?? 0, needed: minservicesneeded ?? 0, items }
      return answer as unknown as Services
    },
  )
}
