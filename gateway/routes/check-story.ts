import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { type CheckedStory, checkStory, type StoryNames, stepsOf } from '#domain/nlu/check-story.ts'
import type { ReadModels, Scope } from '#projections/port.ts'
import { checkStoryBody, storyFaultsSchema } from '#schemas/api/nlu.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Json } from '#schemas/event.ts'
import { projectContent } from '../nlu/project-content.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { allRows } from '../report/granted-reports.ts'
import { sessionOf } from './command.ts'

const nameOf = ({ name }: Readonly<Record<string, Json | undefined>>): string => (typeof name === 'string' ? name : '')

/** Names of all that bots of a project have published or not: tasks, dialogs and handlers. Undefined without such a bot. */
const actionsOf = async (read: ReadModels, scope: Scope, project: string): Promise<readonly string[] | undefined> => {
  const bots = await allRows(read, scope, 'bot', { nluproject: project })
  if (bots.length === 0) return undefined
  const tasks = (await Promise.all(bots.map(({ id }) => allRows(read, scope, 'dialogtask', { bot: id })))).flat()
  const flows = tasks.flatMap(({ id }) => [
    allRows(read, scope, 'dialog', { dialogtask: id }),
    allRows(read, scope, 'handler', { dialogtask: id }),
  ])
  return [...tasks, ...(await Promise.all(flows)).flat()].map(nameOf)
}

/** What steps of a project's stories can name; `utter_<intent>` is what is answered to an intent. */
const namesOf = async (read: ReadModels, scope: Scope, project: string): Promise<StoryNames> => {
  const [data, actions] = await Promise.all([
    projectContent(read, 'nluproject', project),
    actionsOf(read, scope, project),
  ])
  const intents = data?.intents ?? []
  const answered = intents.filter(({ responses }) => responses.length > 0)
  return {
    intents: new Map(intents.map(({ name, statements }) => [name, statements.length > 0])),
    entities: new Set([
      ...(data?.entities ?? []).map(({ name }) => name),
      ...(data?.regexes ?? []).map(({ entity }) => entity),
    ]),
    actions: actions && new Set([...actions, ...answered.map(({ name }) => `utter_${name}`)]),
  }
}

/** POST /nluproject/{id}/checkstory: what is wrong with a story as it is edited (NLU.md 5.13). Writes nothing. */
export const addCheckStory = (app: FastifyInstance, { read }: Parts): void => {
  app.post<{ Params: { id: string }; Body: z.output<typeof checkStoryBody> }>(
    '/nluproject/:id/checkstory',
    {
      config: { permission: 'readstory', readOnly: true },
      schema: { tags: ['nluproject'], params: idParam, body: checkStoryBody, response: { 200: storyFaultsSchema } },
    },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const project = await read.detail(scope, 'nluproject', request.params.id)
      if (project === undefined) return refuse(reply, { code: 'entity.notfound' })
      const [names, rows] = await Promise.all([
        namesOf(read, scope, project.id),
        allRows(read, scope, 'story', { nluproject: project.id }),
      ])
      const { story, steps } = request.body
      if (story !== null && !rows.some(({ id }) => id === story)) return refuse(reply, { code: 'entity.notfound' })
      const others = rows.map((row): CheckedStory => ({ id: row.id, name: nameOf(row), steps: stepsOf(row.steps) }))
      return { faults: checkStory({ id: story ?? '', name: '', steps: stepsOf(steps as never) }, others, names) }
    },
  )
}
