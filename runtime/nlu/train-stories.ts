import { randomUUID } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { systemCaller } from '#commands/people/system.ts'
import { type CheckedStory, checkStory } from '#domain/nlu/check-story.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { projectStories, storyNames } from './story-names.ts'

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
  const outcome = await commands.execute({ ...command, caller: systemCaller(), correlation: randomUUID() })
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
 * not learn from stories (NLU.md 5.13).
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
