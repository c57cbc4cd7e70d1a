import type { Call } from '../../outbound/call.ts'
import type { ProviderUser } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { outboundOf } from '../shared/provider-call.ts'

/** An agent's typing is shown at most this often, ms. */
const PAUSE_MS = 20_000

interface TypingParts {
  readonly call: Call
  readonly failed: (error: unknown) => void
  readonly now: () => number
}

/** Requests that show "typing" to people, where the provider has a call for it. */
export class TypingSigns {
  readonly #parts: TypingParts
  /** When an agent's typing was shown, ms since 1970, by conversation. */
  readonly #shown = new Map<string, number>()

  constructor(parts: TypingParts) {
    this.#parts = parts
  }

  /** Whether an agent's typing may be shown in a conversation again; the next pause begins then. */
  isDue(conversation: string): boolean {
    const now = this.#parts.now()
    for (const [one, at] of this.#shown) if (now - at >= PAUSE_MS) this.#shown.delete(one)
    if (this.#shown.has(conversation)) return false
    this.#shown.set(conversation, now)
    return true
  }

  /** Ignores the answer: the message is sent anyway. */
  show({ adapter, fields }: ProviderChannel, to: ProviderUser, answered: string | undefined): void {
    const request = adapter?.typing?.(to, fields, answered)
    if (request !== undefined) void this.#parts.call(outboundOf(request)).catch(this.#parts.failed)
  }
}
