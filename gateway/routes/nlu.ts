import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { parseBody, trainingSchema, understandingSchema } from '#schemas/api/nlu.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Json } from '#schemas/event.ts'
import { PROJECT_ENTITIES, type ProjectEntity } from '../nlu/project-content.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

interface Id {
  readonly id: string
}

const textOrNull = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null)

const addProject = (app: FastifyInstance, { read, nlu }: Parts, entity: ProjectEntity): void => {
  const config = { permission: `read${entity}` }
  const tags = [entity]
  app.post<{ Params: Id; Body: z.output<typeof parseBody> }>(
    `/${entity}/:id/parse`,
    {
      config: { ...config, readOnly: true },
      schema: { tags, params: idParam, body: parseBody, response: { 200: understandingSchema } },
    },
    async (request, reply) => {
      const project = await read.detail(sessionOf(request).scope, entity, request.params.id)
      if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
      const answer = await nlu.parse(entity, project, { ...request.body, fuzzy: true, now: Date.now() })
      return answer ?? refuse(reply, { code: 'nlu.model' })
    },
  )
  app.get<{ Params: Id }>(
    `/${entity}/:id/training`,
    { config, schema: { tags, params: idParam, response: { 200: trainingSchema } } },
    async (request, reply) => {
      const project = await read.detail(sessionOf(request).scope, entity, request.params.id)
      if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
      return {
        status: String(project.training_status),
        started: textOrNull(project.training_started_at),
        finished: textOrNull(project.training_finished_at),
        error: textOrNull(project.training_error),
        progress: nlu.progress(project.id) ?? null,
      }
    },
  )
}

/** POST /nluproject/{id}/parse, GET /nluproject/{id}/training, and the same of a brain. */
export const addNlu = (app: FastifyInstance, parts: Parts): void => {
  for (const entity of PROJECT_ENTITIES) addProject(app, parts, entity)
}
