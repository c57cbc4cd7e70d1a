import type { Refusal } from '#schemas/refusal.ts'
import type { Listener } from './listener.ts'

/** Readers of this node, by conversation. */
export class Listeners {
  readonly #most: number
  readonly #open = new Map<string, Set<Listener>>()
  #isDraining = false

  constructor(most: number) {
    this.#most = most
  }

  /** Undefined where one more may listen. */
  refusal(conversation: string): Refusal | undefined {
    if (this.#isDraining) return { code: 'server.draining' }
    const isFull = (this.#open.get(conversation)?.size ?? 0) >= this.#most
    return isFull ? { code: 'request.toomany', params: { retryAfter: 60 } } : undefined
  }

  /** Answers how to take it out again. */
  add(conversation: string, listener: Listener): () => void {
    const open = this.#open.get(conversation) ?? new Set()
    this.#open.set(conversation, open.add(listener))
    return () => {
      open.delete(listener)
      if (open.size === 0) this.#open.delete(conversation)
    }
  }

  /** Ends all of them; they come again to another node. */
  drain(): void {
    this.#isDraining = true
    for (const open of this.#open.values()) for (const listener of open) listener.close(4503)
  }
}
