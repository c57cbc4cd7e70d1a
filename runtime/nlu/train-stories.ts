import type { Commands } from '#commands/command-handler.ts'
import { systemCommand } from '#commands/port.ts'
import { type CheckedStory, checkStory, type StoryNames, stepsOf } from '#domain/nlu/check-story.ts'
import type { ReadModels, Scope } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
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

/** Faults that fail the training of a story; other faults are only hints. */
const FAILING: readonly string[] = ['intent', 'entity', 'action', 'contradiction']

interface StoryTrainingOptions {
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'execute'>
  readonly failed: (error: unknown) => void
}

interface StoryTraining {
  readonly project: string
  /** `training_started_at` of the project. */
  readonly started: string
}

const record = async ({ commands, failed }: StoryTrainingOptions, id: string, input: JsonObject): Promise<void> => {
  const command = { entity: 'story', action: 'recordtraining', id, input }
  const outcome = await commands.execute(systemCommand(command))
  if (!outcome.ok && outcome.refusal.code !== 'entity.notfound')
    failed(new Error(`the training of a story was not recorded: ${outcome.refusal.code}`))
}

/** Errors are reported, but the training of the project continues. */
const forEachStory = async (
  options: StoryTrainingOptions,
  project: string,
  inputOf: (stories: readonly CheckedStory[]) => Promise<(story: CheckedStory) => JsonObject>,
): Promise<void> => {
  try {
    const stories = await projectStories(options.read, SYSTEM_SCOPE, project)
    if (stories.length === 0) return
    const input = await inputOf(stories)
    for (const story of stories) await record(options, story.id, input(story))
  } catch (error) {
    options.failed(error)
  }
}

export const startStories = (options: StoryTrainingOptions, { project, started }: StoryTraining): Promise<void> =>
  forEachStory(options, project, async () => () => ({ started, status: 'started', code: null }))

/**
 * Ends the training of a project's stories: each fails with the project (`code`) or by its own faults. The engine does
 * not learn from stories.
 */
export const endStories = (
  options: StoryTrainingOptions,
  { project, started }: StoryTraining,
  code: string | null,
): Promise<void> =>
  forEachStory(options, project, async stories => {
    const names = await storyNames(options.read, SYSTEM_SCOPE, project)
    return story => {
      const fault = checkStory(story, stories, names).find(each => FAILING.includes(each.code))
      const why = code ?? (fault === undefined ? null : `${fault.code}: ${fault.name}`)
      return { started, status: why === null ? 'finished' : 'failed', code: why }
    }
  })
