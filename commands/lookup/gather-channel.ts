import { type ChannelFacts, numberOf } from '#domain/channel.ts'
import type { Fields } from '#domain/entity.ts'
import { channel } from '#schemas/entities/channel.ts'
import type { CommandContext, LoadFacts } from '../pipeline/command-context.ts'
import type { Run } from '../pipeline/run.ts'
import { awaitLookup } from '../process/contents.ts'

/** The other enabled channel of the same type and number. */
const takenBy = async (context: CommandContext, { command }: Run, fields: Fields): Promise<ChannelFacts['taken']> => {
  const number = numberOf(fields)
  if (number === '' || fields.enable === false) return undefined
  await awaitLookup(context)
  for (const id of await context.lookup.children('type', String(fields.type), channel.name)) {
    if (id === command.id) continue
    const { state } = await context.loader.load(channel, id)
    if (state.status !== 'live' || state.fields.enable === false || numberOf(state.fields) !== number) continue
    const { caller } = command
    const isVisible = caller.user === null || (state.level !== null && caller.subtree.has(state.level))
    return { name: isVisible && caller.permits('readchannel') ? String(state.fields.name) : null }
  }
  return undefined
}

/** Fields that decide whether a number is taken. */
const OF_NUMBER = ['type', 'enable', 'account_id', 'sender_number']

export const gatherChannel: LoadFacts<ChannelFacts> = async (context, run, state, given) => {
  const { id } = run.command
  const isAbout = run.entity.name === channel.name && OF_NUMBER.some(name => name in given)
  if (!isAbout) return { id }
  const taken = await takenBy(context, run, { ...('fields' in state ? state.fields : {}), ...given })
  return { id, ...(taken === undefined ? {} : { taken }) }
}
