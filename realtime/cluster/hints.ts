import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { HintBus } from '../port.ts'
import { type Hint, readHint, writeHint } from './hint.ts'

const VERSION = 1
const SENDER_BYTES = 16
const NUMBER_BYTES = 8
const TAG_BYTES = 16
/** version, sender, number, tag */
const HEADER = 1 + SENDER_BYTES + NUMBER_BYTES + TAG_BYTES
const ALGORITHM = 'aes-256-gcm'
/** Keys of senders kept; nodes come and go with every start. */
const ENVELOPE_MAX_SENDERS = 256

interface Opened {
  /** Id of the sending node, new at each start. */
  readonly sender: string
  /** Grows with each message of a sender. */
  readonly number: number
  readonly content: Uint8Array
}

/**
 * Encrypts and signs messages between nodes, bound to their subject, so that only holders of the cluster's keys can
 * read or send. Each sender has its own key; its counter is the nonce.
 */
class Envelope {
  readonly sender: string
  readonly #key: string
  readonly #keys = new Map<string, Buffer>()
  #number = 0

  /** @param key the cluster's, any text */
  constructor(key: string) {
    this.#key = key
    this.sender = randomBytes(SENDER_BYTES).toString('hex')
  }

  /** Bytes that sealing adds to a message. */
  static readonly overhead = HEADER

  seal(subject: string, content: Uint8Array): Uint8Array {
    this.#number += 1
    const nonce = nonceOf(this.#number)
    const cipher = createCipheriv(ALGORITHM, this.#keyOf(this.sender), nonce).setAAD(Buffer.from(subject))
    const body = [cipher.update(content), cipher.final()]
    const sender = Buffer.from(this.sender, 'hex')
    return Buffer.concat([Buffer.of(VERSION), sender, nonce.subarray(-NUMBER_BYTES), cipher.getAuthTag(), ...body])
  }

  /** Undefined for what no node of this cluster has sent on this subject. */
  open(subject: string, sealed: Uint8Array): Opened | undefined {
    if (sealed.length < HEADER || sealed[0] !== VERSION) return undefined
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
    const sender = bytes.toString('hex', 1, 1 + SENDER_BYTES)
    const number = Number(bytes.readBigUInt64BE(1 + SENDER_BYTES))
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#keyOf(sender), nonceOf(number), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(subject))
        .setAuthTag(bytes.subarray(HEADER - TAG_BYTES, HEADER))
      return { sender, number, content: Buffer.concat([decipher.update(bytes.subarray(HEADER)), decipher.final()]) }
    } catch {
      return undefined
    }
  }

  #keyOf(sender: string): Buffer {
    const known = this.#keys.get(sender)
    if (known !== undefined) return known
    const key = createHmac('sha256', this.#key).update(sender).digest()
    if (this.#keys.size >= ENVELOPE_MAX_SENDERS) this.#keys.clear()
    this.#keys.set(sender, key)
    return key
  }
}

const nonceOf = (number: number): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 12 - NUMBER_BYTES)
  return nonce
}

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

const LARGEST = 1_048_576

type Listener = (message: Uint8Array) => void

/** Nodes within one process: the only one, or several in a test. */
export class MemoryBus {
  readonly #ends = new Set<End>()

  /** Takes part as one more node. */
  join(): HintBus {
    const [first] = this.#ends
    const end = new End(this.#ends)
    this.#ends.add(end)
    if (this.#ends.size === 2) first?.reached()
    return end
  }
}

class End implements HintBus {
  readonly largest = LARGEST
  readonly #ends: Set<End>
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #connected: (() => void)[] = []

  constructor(ends: Set<End>) {
    this.#ends = ends
  }

  get connected(): boolean {
    return this.#ends.size > 1 && this.#ends.has(this)
  }

  publish(subject: string, message: Uint8Array): void {
    const copy = Uint8Array.from(message)
    for (const end of this.#ends) if (end !== this) queueMicrotask(() => end.deliver(subject, copy))
  }

  subscribe(subject: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set()
    this.#listeners.set(subject, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  onConnected(listener: () => void): void {
    this.#connected.push(listener)
  }

  async close(): Promise<void> {
    this.#ends.delete(this)
  }

  deliver(subject: string, message: Uint8Array): void {
    for (const listener of this.#listeners.get(subject) ?? []) listener(message)
  }

  /** It is not alone any more. */
  reached(): void {
    for (const listener of this.#connected) listener()
  }
}
