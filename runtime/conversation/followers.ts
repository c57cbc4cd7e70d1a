import type { ConversationNotification } from '../port.ts'
import type { FoldedConversation } from './engine/folded-conversation.ts'
import { stateOf } from './index/list-conversations.ts'

type Listener = (news: ConversationNotification) => void

/** Listeners of conversations on this node. */
export class Followers {
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #happened: ((conversation: string) => void) | undefined

  /** `happened` is called for every conversation. */
  constructor(happened?: (conversation: string) => void) {
    this.#happened = happened
  }

  /** Returns the function that ends the subscription. */
  follow(conversation: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(conversation) ?? new Set()
    this.#listeners.set(conversation, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(conversation) === listeners) this.#listeners.delete(conversation)
    }
  }

  has(conversation: string): boolean {
    return this.#listeners.has(conversation)
  }

  hint(conversation: string, news: ConversationNotification): void {
    for (const listener of this.#listeners.get(conversation) ?? []) listener(news)
  }

  tell(held: FoldedConversation): void {
    this.#happened?.(held.id)
    this.hint(held.id, { kind: 'messages' })
    this.hint(held.id, { kind: 'state', state: stateOf(held) })
    if (held.ended !== undefined) this.hint(held.id, { kind: 'ended', reason: held.ended })
  }
}
