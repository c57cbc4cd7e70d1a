import type { Commands } from '#commands/command-handler.ts'
import { systemCaller } from '#commands/people/system.ts'
import { modelsOf } from '#domain/nlu-training.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Nlu } from '#runtime/nlu/open-nlu.ts'
import type { JsonObject } from '#schemas/event.ts'

interface TrainSample {
  readonly commands: Pick<Commands, 'execute'>
  readonly read: ReadModels
  readonly nlu: Pick<Nlu, 'admit'>
  /** Id of the sample's NLU project. */
  readonly project: string
  readonly signal: AbortSignal
}

const ENTITY = 'nluproject'

/** The project when no training of it runs; undefined if it was removed or `signal` is aborted. */
const untilTrained = (read: ReadModels, project: string, signal: AbortSignal): Promise<Row | undefined> =>
  new Promise((resolve, reject) => {
    const end = (row: Row | undefined) => {
      stop()
      signal.removeEventListener('abort', abort)
      resolve(row)
    }
    const abort = () => end(undefined)
    const look = async () => {
      const row = await read.detail(SYSTEM_SCOPE, ENTITY, project)
      if (row?.training_status !== 'started') end(row)
    }
    const stop = read.onApplied(({ touched }) => {
      if (touched.some(({ id }) => id === project)) look().catch(reject)
    })
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    else look().catch(reject)
  })

/**
 * Trains the sample's NLU project as from the console, and sets its model for production. May be interrupted and
 * repeated. Returns false when interrupted; keeps other users' changes of the project.
 */
export const trainSample = async ({ commands, read, nlu, project, signal }: TrainSample): Promise<boolean> => {
  const act = async (action: string, input: JsonObject) => {
    const correlation = crypto.randomUUID()
    const outcome = await commands.execute({
      entity: ENTITY,
      action,
      id: project,
      input,
      caller: systemCaller(),
      correlation,
    })
    if (outcome.ok && outcome.position !== undefined) await read.reached(outcome.position)
  }
  const before = await untilTrained(read, project, signal)
  const isUntrained = before !== undefined && modelsOf(before.models).length === 0
  if (isUntrained && before.training_status === 'none' && nlu.admit(project)) await act('train', {})
  const row = await untilTrained(read, project, signal)
  const models = modelsOf(row?.models)
  const [newest] = models
  if (newest !== undefined && !models.some(({ production }) => production))
    await act('setproduction', { model: newest.id })
  return !signal.aborted
}
