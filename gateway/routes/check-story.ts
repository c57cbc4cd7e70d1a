import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { checkStory, stepsOf } from '#domain/nlu/check-story.ts'
import { projectStories, storyNames } from '#runtime/nlu/story-names.ts'
import { checkStoryBody, storyFaultsSchema } from '#schemas/api/nlu.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** POST /nluproject/{id}/checkstory: faults of a story being edited (NLU.md 5.13). Writes nothing. */
export const addCheckStory = (app: FastifyInstance, { read }: Parts): void => {
  app.post<{ Params: { id: string }; Body: z.output<typeof checkStoryBody> }>(
    '/nluproject/:id/checkstory',
    {
      config: { permission: 'readstory', effect: 'reads' },
      schema: { tags: ['nluproject'], params: idParam, body: checkStoryBody, response: { 200: storyFaultsSchema } },
    },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const project = await read.detail(scope, 'nluproject', request.params.id)
      if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
      const [names, others] = await Promise.all([
        storyNames(read, scope, project.id),
        projectStories(read, scope, project.id),
      ])
      const { story, steps } = request.body
      if (story !== null && !others.some(({ id }) => id === story)) return refuse(reply, { code: 'entity.notfound' })
      return { faults: checkStory({ id: story ?? '', name: '', steps: stepsOf(steps as never) }, others, names) }
    },
  )
}
