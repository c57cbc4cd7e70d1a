import type { HintBus } from '../port.ts'
import { Envelope } from './envelope.ts'
import { type Hint, readHint, writeHint } from './hint.ts'

/** Why a message of another node, or for others, was not used. */
type Drop = 'forged' | 'malformed' | 'repeated' | 'oversize'

interface HintsOptions {
  readonly bus: HintBus
  /** Id of the store that the nodes share: clusters on one bus do not hear each other. */
  readonly store: string
  /** A secret that only its nodes know. */
  readonly key: string
  /** Figures for metrics. */
  readonly on?: {
    readonly sent?: () => void
    readonly received?: () => void
    readonly dropped?: (why: Drop) => void
  }
}

/** Senders whose newest number is kept. Each start of a node is a new sender. */
const MAX_SENDERS = 10_000

type HintListener = (sender: string, hint: Hint, bytes: Uint8Array) => void

/** Exchanges hints with the other nodes of this cluster; drops foreign, malformed and repeated messages. */
export class Hints {
  readonly #options: HintsOptions
  readonly #envelope: Envelope
  readonly #prefix: string

  constructor(options: HintsOptions) {
    this.#options = options
    this.#envelope = new Envelope(options.key)
    this.#prefix = `parley.${options.store.replaceAll(/[^A-Za-z0-9_-]/g, '_')}.`
  }

  /** Id of this node in the cluster, new at each start. */
  get node(): string {
    return this.#envelope.sender
  }

  /** Whether there may be anyone to speak with. */
  get connected(): boolean {
    return this.#options.bus.connected
  }

  onConnected(listener: () => void): void {
    this.#options.bus.onConnected(listener)
  }

  /** Bytes that may go along with a hint; a little is left for the hint itself. */
  get largest(): number {
    return this.#options.bus.largest - Envelope.overhead - 10_000
  }

  send(topic: string, hint: Hint, bytes?: Uint8Array): void {
    const { bus, on } = this.#options
    if (!bus.connected) return
    const subject = this.#prefix + topic
    const message = this.#envelope.seal(subject, writeHint(hint, bytes))
    if (message.length > bus.largest) {
      on?.dropped?.('oversize')
      return
    }
    bus.publish(subject, message)
    on?.sent?.()
  }

  /** Returns how to stop. */
  listen(topic: string, listener: HintListener): () => void {
    const subject = this.#prefix + topic
    const newest = new Map<string, number>()
    return this.#options.bus.subscribe(subject, message => {
      const opened = this.#envelope.open(subject, message)
      if (opened === undefined) return this.#drop('forged')
      const { sender, number, content } = opened
      if (number <= (newest.get(sender) ?? 0)) return this.#drop('repeated')
      newest.set(sender, number)
      const [first] = newest.keys()
      if (newest.size > MAX_SENDERS && first !== undefined) newest.delete(first)
      const read = readHint(content)
      if (read === undefined) return this.#drop('malformed')
      this.#options.on?.received?.()
      listener(sender, read.hint, read.bytes)
    })
  }

  close(): Promise<void> {
    return this.#options.bus.close()
  }

  #drop(why: Drop): void {
    this.#options.on?.dropped?.(why)
  }
}
