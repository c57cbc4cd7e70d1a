import { isBrought } from '#schemas/channel-type.ts'
import { messageStatus } from './delivery-state.ts'
import type { Exchange } from './open-exchange.ts'

/** What became of a message on its way to a provider; `code`: why it failed. `time`: ISO 8601 UTC. */
interface MessageDelivery {
  readonly status: string
  readonly code: string
  readonly time: string
}

/** What became of the messages of a conversation, by their id; nothing for channels that people read themselves. */
export const deliveriesOf = async (
  exchange: (() => Promise<Exchange>) | undefined,
  conversation: { readonly id: string; readonly channeltype: string },
): Promise<(message: unknown) => { readonly delivery?: MessageDelivery }> => {
  if (exchange === undefined || !isBrought(conversation.channeltype)) return () => ({})
  const state = await (await exchange()).state(conversation.id)
  return message => {
    const found = messageStatus(state, String(message))
    return found === undefined ? {} : { delivery: { ...found, time: new Date(found.time).toISOString() } }
  }
}
