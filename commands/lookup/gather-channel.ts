import type { ChannelFacts } from '#domain/channel.ts'
import type { LoadFacts } from '../pipeline/command-context.ts'

export const gatherChannel: LoadFacts<ChannelFacts> = async (_context, { command }) => ({ id: command.id })
