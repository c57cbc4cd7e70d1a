import { createHash } from 'node:crypto'
import type { Command, Outcome } from './port.ts'
import type { Tools } from './tools.ts'

export const once = async (
  tools: Tools,
  command: Command,
  execute: (seed: string) => Promise<Outcome>,
): Promise<Outcome> => {
  if (command.key === undefined) return execute(tools.newId())
  return execute(
    createHash('sha256')
      .update(JSON.stringify([command.caller.user, command.key]))
      .digest('hex'),
  )
}
