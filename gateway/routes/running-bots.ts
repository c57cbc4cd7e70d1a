import type { FastifyInstance } from 'fastify'
import type { RunningNlu } from '#runtime/service/running-nlu.ts'
import { RUNNING_SOURCES, runningBotsSchema } from '#schemas/api/running-bots.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** GET /{nlusettings,nluproject,brain,agentchannel}/{id}/running: whether running bots follow what is stored, within five seconds. */
export const addRunningBots = (app: FastifyInstance, { read }: Parts, running: RunningNlu): void => {
  for (const entity of RUNNING_SOURCES)
    app.get<{ Params: { id: string } }>(
      `/${entity}/:id/running`,
      {
        config: { permission: `read${entity}` },
        schema: { tags: [entity], params: idParam, response: { 200: runningBotsSchema } },
      },
      async (request, reply) => {
        const { id } = request.params
        const row = await read.detail(sessionOf(request).scope, entity, id)
        return row === undefined ? refuse(reply, { code: 'entity.notfound' }) : running.ask({ entity, id })
      },
    )
}
