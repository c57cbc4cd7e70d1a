import type { CommandContext } from '../pipeline/command-context.ts'
import { undoneSeed } from '../pipeline/event-id.ts'
import type { Run } from '../pipeline/run.ts'
import { WrongRevision } from '../store/port.ts'
import { perform } from './perform.ts'

const runsNoCommand = () => Promise.reject(new Error('bringing a thing back runs no command'))

/** Brings a thing back that this command has just removed. A name that was taken meanwhile gets a number. */
export const undoRemoval = async (context: CommandContext, { author, entity }: Run, id: string): Promise<void> => {
  const source = { kind: entity.name, id }
  const undo = { ...author, seed: undoneSeed(author.seed) }
  for (let resumed = false; ; resumed = true) {
    try {
      const step = { do: 'restore', entity: entity.name, id, fields: {}, source } as const
      await perform(context, undo, step, { ids: {}, resumed, execute: runsNoCommand })
      return
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}
