import type { Live } from '#domain/behaviour.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { liveChildren } from '../version/capture-version.ts'
import type { StoredTest } from './conversation-test-port.ts'

/** Live dialogs and handlers of a bot. */
export const flowsOf = async (
  context: CommandContext,
  bot: string,
): Promise<{
  readonly tasks: readonly Live[]
  readonly dialogs: readonly Live[]
  readonly handlers: readonly Live[]
}> => {
  const tasks = await liveChildren(context, 'bot', bot, 'dialogtask')
  const within = async (kind: string) =>
    (await Promise.all(tasks.map(({ id }) => liveChildren(context, 'dialogtask', id, kind)))).flat()
  const [dialogs, handlers] = await Promise.all([within('dialog'), within('handler')])
  return { tasks, dialogs, handlers }
}

export const storedTest = ({ id, fields }: Pick<Live, 'id' | 'fields'>): StoredTest => ({
  id,
  name: String(fields.name ?? ''),
  file: String(fields.file ?? ''),
})
