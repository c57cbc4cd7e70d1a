import { randomUUID } from 'node:crypto'
import { channelType } from '#schemas/channel-type.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { Call } from '../../outbound/call.ts'
import type { Outcome } from '../channel-port.ts'
import type { ProviderChannel } from '../open-channels.ts'
import { userIdOf } from './delivery-state.ts'
import type { ExchangeIndex } from './exchange-index.ts'
import type { ReceiptEvent } from './inbox.ts'
import { sendPart } from './send-part.ts'

const HOUR_MS = 3_600_000
/** Messages whose receipts are remembered by a node. */
const MAX_REMEMBERED = 500

interface TestParts {
  readonly index: Pick<ExchangeIndex, 'lastWord'>
  readonly call: Call
  readonly personOf: (channel: string, user: string) => Promise<string>
  readonly now: () => number
}

/** A test message on its way. */
export interface TestMessage {
  readonly id: string
  readonly channel: string
  /** The provider's id; empty: it gives none. */
  readonly provided: string
  /** ms since 1970 at which the provider took it. */
  readonly at: number
  readonly state: 'sent' | 'delivered' | 'read' | 'failed'
  /** ms from the send to the newest receipt; undefined before one. */
  readonly after: number | undefined
  /** The provider's code of a failure. */
  readonly code: string
}

/** Outcome of a send, its duration in ms, and the message if the provider accepted it. */
export interface SentTest {
  readonly outcome: Outcome
  readonly ms: number
  readonly message: TestMessage | undefined
}

const RANK: Readonly<Record<TestMessage['state'], number>> = { sent: 0, delivered: 1, read: 2, failed: 3 }
/** States by receipt. */
const STATES = {
  queued: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  played: 'read',
  failed: 'failed',
} as const

/**
 * Test messages of the page of a channel. They belong to no conversation, no bot and no statistics. The node that sent a
 * message keeps its receipts.
 */
export class TestMessages {
  readonly #parts: TestParts
  readonly #messages = new Map<string, TestMessage>()

  constructor(parts: TestParts) {
    this.#parts = parts
  }

  /** Whether a person wrote to the channel, within the hours in which its provider takes free words. */
  async isHearing(channel: ProviderChannel, to: string): Promise<boolean> {
    const { index, personOf, now } = this.#parts
    const last = index.lastWord(channel.id, await personOf(channel.id, userIdOf(channel.type, to)))
    const hours = channelType(channel.type)?.windowHours
    return last > 0 && (hours === undefined || now() - last <= hours * HOUR_MS)
  }

  /** Sends words, once. */
  async send(channel: ProviderChannel, to: string, text: string): Promise<Result<SentTest>> {
    const { adapter, type } = channel
    if (adapter === undefined) return refused('channel.unsupported')
    const id = randomUUID()
    const part = { message: { kind: 'text' as const, text }, to: { id: userIdOf(type, to) }, key: `test-${id}` }
    const started = performance.now()
    const outcome = await sendPart(this.#parts.call, channel, adapter, part)
    const ms = Math.round(performance.now() - started)
    if (outcome.kind !== 'sent') return accepted({ outcome, ms, message: undefined })
    const at = this.#parts.now()
    const message = {
      id,
      channel: channel.id,
      provided: outcome.id,
      at,
      state: 'sent',
      after: undefined,
      code: '',
    } as const
    this.#messages.set(id, message)
    const [oldest] = this.#messages.keys()
    if (this.#messages.size > MAX_REMEMBERED && oldest !== undefined) this.#messages.delete(oldest)
    return accepted({ outcome, ms, message })
  }

  get(channel: string, id: string): TestMessage | undefined {
    const message = this.#messages.get(id)
    return message?.channel === channel ? message : undefined
  }

  /** Applies a receipt; false when it is of no test message of this node. */
  receive(channel: string, { id: provided, callback, code = '', ...receipt }: ReceiptEvent): boolean {
    const state = STATES[receipt.state]
    const message = this.#messages.get(callback?.replace(/^test-/u, '') ?? '') ?? this.#provided(channel, provided)
    if (message === undefined || message.channel !== channel) return false
    if (RANK[state] > RANK[message.state])
      this.#messages.set(message.id, { ...message, state, code, after: this.#parts.now() - message.at })
    return true
  }

  #provided(channel: string, provided: string): TestMessage | undefined {
    if (provided === '') return undefined
    return [...this.#messages.values()].find(each => each.channel === channel && each.provided === provided)
  }
}
