import { setTimeout as pause } from 'node:timers/promises'
import type { ChatMessage } from '../runtime/port.ts'
import { type ChatChannel, type ChatParts, limitsOf } from './port.ts'

const PAGE = 50
const TIMEOUT_MS = 10_000
/** Bytes of an answer that are read; nothing in it is used. */
const MAX_ANSWER = 1_000
/** Conversations that are followed at one time; beyond, the one that was quiet for longest is let go. */
const MAX_FOLLOWED = 10_000

interface Delivery {
  readonly channel: ChatChannel
  position: string
  isRunning: boolean
  isAgain: boolean
  stop(): void
}

/**
 * Posts what the bot says to the callback of its channel: in order, at least once, again after pauses when the other
 * side does not take it. It reads by position, so that a message is left out only after its last try.
 */
export class CallbackDelivery {
  readonly #parts: ChatParts
  readonly #followed = new Map<string, Delivery>()
  readonly #closing = new AbortController()

  constructor(parts: ChatParts) {
    this.#parts = parts
  }

  /** Delivers what is said after a position, and what is said later. */
  follow(channel: ChatChannel, conversation: string, after: string): void {
    const known = this.#followed.get(conversation)
    this.#followed.delete(conversation)
    const delivery = known ?? this.#start(channel, conversation, after)
    this.#followed.set(conversation, delivery)
    if (this.#followed.size > MAX_FOLLOWED) this.#forgetOldest()
    void this.#run(conversation, delivery)
  }

  close(): void {
    this.#closing.abort()
    for (const { stop } of this.#followed.values()) stop()
    this.#followed.clear()
  }

  #start(channel: ChatChannel, conversation: string, after: string): Delivery {
    const stop = this.#parts.conversations.follow(conversation, () => void this.#run(conversation, delivery))
    const delivery: Delivery = { channel, position: after, isRunning: false, isAgain: false, stop }
    return delivery
  }

  #forgetOldest(): void {
    const oldest = [...this.#followed].find(([, { isRunning }]) => !isRunning)
    if (oldest === undefined) return
    oldest[1].stop()
    this.#followed.delete(oldest[0])
  }

  async #run(conversation: string, delivery: Delivery): Promise<void> {
    delivery.isAgain = true
    if (delivery.isRunning) return
    delivery.isRunning = true
    try {
      while (delivery.isAgain && !this.#closing.signal.aborted) {
        delivery.isAgain = false
        await this.#sendNew(conversation, delivery)
      }
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#parts.log.error(error)
    } finally {
      delivery.isRunning = false
    }
  }

  async #sendNew(conversation: string, delivery: Delivery): Promise<void> {
    const { conversations } = this.#parts
    for (;;) {
      const page = await conversations.read(conversation, delivery.position, PAGE)
      for (const message of page?.messages ?? []) {
        if (message.from !== 'user') await this.#post(conversation, delivery.channel, message)
        delivery.position = message.position
      }
      if (page !== undefined && page.messages.length > 0) continue
      if (page === undefined || page.state === 'ended') {
        delivery.stop()
        this.#followed.delete(conversation)
      }
      return
    }
  }

  async #post(conversation: string, { id }: ChatChannel, message: ChatMessage): Promise<void> {
    for (const wait of limitsOf(this.#parts).retryMs) {
      await pause(wait, undefined, { signal: this.#closing.signal, ref: false })
      // What was changed meanwhile counts.
      const channel = await this.#parts.channel(id)
      if (channel === undefined || !channel.isEnabled || channel.callbackUrl === '') return
      const owner = await this.#parts.conversations.owner(conversation)
      if (owner === undefined) return
      const answer = await this.#parts.call({
        method: 'POST',
        url: channel.callbackUrl,
        headers: [
          ['content-type', 'application/json'],
          ['idempotency-key', `${conversation}.${message.id}`],
          ...(channel.password === '' ? [] : [['authorization', channel.password] as const]),
        ],
        body: JSON.stringify({ conversation, user: owner.user.id, message }),
        timeout: TIMEOUT_MS,
        most: MAX_ANSWER,
      })
      if (answer.ok && answer.value.status >= 200 && answer.value.status < 300) return
    }
    this.#parts.log.warn({ channel: id, conversation, message: message.id }, 'a callback did not take a message')
  }
}
