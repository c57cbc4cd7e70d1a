import { type CheckedStory, type StoryNames, stepsOf } from '#domain/nlu/check-story.ts'
import { allRows } from '#projections/all-rows.ts'
import type { ReadModels, Scope } from '#projections/port.ts'
import type { Json } from '#schemas/event.ts'
import { projectContent } from './project-content.ts'

const nameOf = ({ name }: Readonly<Record<string, Json | undefined>>): string => (typeof name === 'string' ? name : '')

/** Names of the tasks, dialogs and handlers of the bots of a project. Undefined without such a bot. */
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

/** Names that steps of a project's stories may use; `utter_<intent>` is the answer to an intent. */
export const storyNames = async (read: ReadModels, scope: Scope, project: string): Promise<StoryNames> => {
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

export const projectStories = async (
  read: ReadModels,
  scope: Scope,
  project: string,
): Promise<readonly CheckedStory[]> => {
  const rows = await allRows(read, scope, 'story', { nluproject: project })
  return rows.map(row => ({ id: row.id, name: nameOf(row), steps: stepsOf(row.steps) }))
}
