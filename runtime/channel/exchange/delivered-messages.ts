import { isBrought } from '#schemas/channel-type.ts'
import { messageStatus } from './delivery-state.ts'
import type { Exchange } from './open-exchange.ts'

/** Delivery status of a message at a provider; `code`: reason of a failure. `time`: ISO 8601 UTC. */
interface MessageDelivery {
  readonly status: string
  readonly code: string
  readonly time: string
}

/** Delivery status of a conversation's messages by their id; empty for channels that are not pushed to a provider. */
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
