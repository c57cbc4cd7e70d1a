import type { JsonObject } from '#schemas/event.ts'
import type { ChatPage } from '../../port.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'

/** `active` from the acceptance of a message until its turn is stored. */
export const stateOf = (held: FoldedConversation): ChatPage['state'] => {
  if (held.ended !== undefined) return 'ended'
  return held.inbox.length > 0 || held.state.status === 'active' ? 'active' : held.state.status
}

export const pageOf = (held: FoldedConversation, messages: ChatPage['messages'], after: string): ChatPage => ({
  messages,
  watermark: messages.at(-1)?.position ?? after,
  state: stateOf(held),
  wait:
    ((held.state.status === 'waiting'
      ? held.messages.findLast(({ wait }) => wait !== undefined)?.wait
      : null) as JsonObject | null) ?? null,
  agent:
    held.agent === undefined
      ? null
      : { name: '', avatar: '', ...held.agent.agent, isWaiting: held.agent.connected === undefined },
})
