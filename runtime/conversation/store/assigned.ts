import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import type { EventStore } from '#commands/store/port.ts'
import { chatPersonStream } from '#schemas/events/conversation.ts'
import { appendIfFirst, exclusiveDrafts } from '../../log/exclusive-append.ts'

interface Assigned {
  readonly tail: Tail
  /** Undefined: the person never wrote on this channel. */
  readonly conversation: string | undefined
}

/** Newest conversation of a person on a channel: if several nodes open one, a single node succeeds. */
export const openAssigned = (store: EventStore) => ({
  async newest(channel: string, person: string): Promise<Assigned> {
    const stream = chatPersonStream(channel, person)
    for await (const { revision, hash, data } of store.read(stream, { direction: 'backwards', limit: 1 }))
      return { tail: { revision, hash }, conversation: String(data.conversation) }
    return { tail: NO_STREAM, conversation: undefined }
  },

  /** False if another node assigned a conversation after `tail`. */
  async assign(channel: string, person: string, { tail }: Assigned, conversation: string): Promise<boolean> {
    const stream = chatPersonStream(channel, person)
    const drafts = exclusiveDrafts(stream, [{ type: 'ConversationAssigned', data: { conversation } }])
    return (await appendIfFirst(store, stream, tail, drafts)) !== undefined
  },
})
