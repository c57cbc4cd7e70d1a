import { setTimeout as pause } from 'node:timers/promises'
import type { FoldedConversation } from '../../conversation/engine/folded-conversation.ts'
import type { Call } from '../../outbound/call.ts'
import type { ChatMessage } from '../../port.ts'
import type { ProviderUser } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { outboundOf } from '../shared/provider-call.ts'
import { hasSpokenAfter, type Sending } from './delivery-state.ts'

/** An agent's typing is shown at most this often, ms. */
const PAUSE_MS = 20_000
/** The delay of a message applies while the message is newer than this, and up to this length. */
const FRESH_MS = 60_000
const MAX_DELAY_MS = 20_000
const LOOK_MS = 100
/** Shorter delays show no "typing". */
const SHOWN_DELAY_MS = 500

interface TypingParts {
  readonly load: (conversation: string) => Promise<FoldedConversation | undefined>
  readonly call: Call
  readonly failed: (error: unknown) => void
  readonly now: () => number
}

/** Requests that show "typing" to people, where the provider has a call for it, and the delays of messages. */
export class TypingSigns {
  readonly #parts: TypingParts
  /** When an agent's typing was shown, ms since 1970, by conversation. */
  readonly #shown = new Map<string, number>()
  #isClosed = false

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

  /** Delays a message as if it was typed. */
  async delay(
    held: FoldedConversation,
    message: ChatMessage,
    { channel, to }: Pick<Sending, 'channel' | 'to'>,
  ): Promise<void> {
    const { load, now } = this.#parts
    const delay = Math.min(typeof message.delay === 'number' ? message.delay : 0, MAX_DELAY_MS)
    const began = now()
    if (began - Date.parse(message.time) > FRESH_MS) return
    if (delay >= SHOWN_DELAY_MS) this.show(channel, to, held.answers)
    // A message of the person ends the delay.
    while (now() - began < delay && !this.#isClosed) {
      const latest = await load(held.id)
      if (latest !== undefined && hasSpokenAfter(latest, message)) return
      await pause(LOOK_MS, undefined, { ref: false })
    }
  }

  /** Ends all delays. */
  close(): void {
    this.#isClosed = true
  }
}
