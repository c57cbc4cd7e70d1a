import { appendIfFirst, NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { chatPersonStream, conversationStream } from '#schemas/events/conversation.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import type { FoldedConversation } from '../engine/folded-conversation.ts'
import type { ConversationLog } from './log.ts'

/** A person on a channel. */
interface ChannelPerson {
  readonly channel: string
  readonly person: string
}

/** The person is in a conversation that has not ended. */
interface Live {
  readonly kind: 'live'
  readonly held: FoldedConversation
}

/** The next conversation of the person may be claimed. */
export interface Unclaimed {
  readonly kind: 'unclaimed'
  /** Of the claims on this person. */
  readonly tail: Tail
  /** The newest one. Undefined: none, or it was removed. */
  readonly ended?: FoldedConversation
  /** Id that was claimed and not opened yet; the next claim gets it. */
  readonly unopened?: string
}

/**
 * The one live conversation of a person on a channel that opens one with the first message. Everyone who begins a
 * conversation, the person or an agent, claims its id at the end of one stream that shows no live conversation. Its
 * events then begin with an append to a stream that does not exist yet.
 */
export class PersonConversations {
  readonly #store: EventStore
  readonly #log: ConversationLog

  constructor(store: EventStore, log: ConversationLog) {
    this.#store = store
    this.#log = log
  }

  async newest({ channel, person }: ChannelPerson): Promise<Live | Unclaimed> {
    const { tail, id } = await this.#claimed(channel, person)
    if (id === undefined) return { kind: 'unclaimed', tail }
    const held = (await this.#log.refresh(id)) ?? (await this.#opened(id))
    if (held === 'unopened') return { kind: 'unclaimed', tail, unopened: id }
    if (held === undefined) return { kind: 'unclaimed', tail }
    return held.ended === undefined ? { kind: 'live', held } : { kind: 'unclaimed', tail, ended: held }
  }

  /** False if another conversation was claimed after `newest`. */
  async claim({ channel, person }: ChannelPerson, newest: Unclaimed, id: string): Promise<boolean> {
    if (newest.unopened === id) return true
    const stream = chatPersonStream(channel, person)
    const drafts = exclusiveDrafts(stream, [{ type: 'ConversationAssigned', data: { conversation: id } }])
    return (await appendIfFirst(this.#store, stream, newest.tail, drafts)) !== undefined
  }

  async #claimed(channel: string, person: string): Promise<{ readonly tail: Tail; readonly id?: string }> {
    const stream = chatPersonStream(channel, person)
    for await (const { revision, hash, data } of this.#store.read(stream, { direction: 'backwards', limit: 1 }))
      return { tail: { revision, hash }, id: String(data.conversation) }
    return { tail: NO_STREAM }
  }

  /** Undefined: it was removed. */
  async #opened(id: string): Promise<FoldedConversation | 'unopened' | undefined> {
    const revision = await this.#store.revision(conversationStream(id))
    // If it has events now, another node may have opened it since it was read.
    return revision === 0 ? 'unopened' : this.#log.refresh(id)
  }
}
