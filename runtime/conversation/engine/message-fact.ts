import { maskedHolder } from '#commands/keys/secret.ts'
import type { Json } from '#schemas/event.ts'
import type { SentMessage } from '../../port.ts'
import type { ConversationEngine } from './engine.ts'
import { type FoldedConversation, streamOf } from './folded-conversation.ts'
import type { Words } from './message-encryption.ts'
import type { Fact } from './turn-fact.ts'

/** A message in its stored form, with a claim when no node has one (RUNTIME 63). */
export const messageFact = async (
  held: FoldedConversation,
  message: SentMessage,
  words: Words,
  engine: ConversationEngine,
): Promise<Fact> => {
  // Messages to an agent answer no question of the bot.
  const isAsked = held.state.status !== 'agent' && message.type !== 'menu' && message.type !== 'opening'
  const masked = isAsked && held.state.frames.at(-1)?.wait?.masked === true
  const holder = masked ? maskedHolder(held.id) : held.person
  const { id, written, ...said } = message
  const time = engine.now()
  return {
    type: 'MessageReceived',
    cause: `${held.id} message ${id}`,
    time,
    data: {
      message: id,
      said: await words.seal(holder, said as unknown as Json, streamOf(held)),
      ...(masked ? { masked } : {}),
      // A clock that is ahead must not keep the channel's window open.
      ...(written === undefined ? {} : { written: Math.min(written, time) }),
      ...(engine.isFree(held) ? { claim: { ...engine.claim() } } : {}),
    },
  }
}
