import type { Member } from './port.ts'
import type { ClientRange } from './validate-update.ts'
import { acknowledgedFrame, type Outgoing, outgoing, together, type Wire } from './wire.ts'

export type CloseCode = 4400 | 4401 | 4403 | 4404 | 4413 | 4429 | 4503

/** Cursors are dropped for a client that has this many bytes waiting, and it is closed at the second limit. */
const BEHIND_BYTES = 1_000_000
const LOST_BYTES = 16_000_000
/** Messages a second that a connection may send over time, and how many at once. */
const RATE = 300
const BURST = 3_000

/** One socket in a room: its rights, its messages and how many are durable. */
export class Connection {
  readonly acks: boolean
  member: Member
  /** Document messages received so far. */
  received = 0
  /** Updates that build on structs this connection has yet to send in its step 2. */
  readonly held: Uint8Array[] = []
  heldBytes = 0
  hasSentStep2 = false
  /** Foreign edits in its step 2, left to their authors: its later messages may build on them. */
  leftOut: readonly ClientRange[] = []
  /** Held updates build on edits that their author has not sent. */
  waitsForOthers = false
  readonly #wire: Wire
  readonly #now: () => number
  /** [message number, batch it became durable with], oldest first. */
  readonly #waiting: [number, number][] = []
  #tokens = BURST
  #refilled: number
  #closed = false

  constructor(wire: Wire, member: Member, acks: boolean, now: () => number = () => performance.now()) {
    this.#wire = wire
    this.member = member
    this.acks = acks
    this.#now = now
    this.#refilled = now()
  }

  get closed(): boolean {
    return this.#closed
  }

  send(message: Outgoing): void {
    if (this.#closed) return
    if (this.#wire.waiting > LOST_BYTES) this.close(4503, 'too far behind')
    else this.#wire.send(message)
  }

  /** Of frames that only the newest of counts: dropped while the client is behind. */
  sendCursor(message: Outgoing): void {
    if (this.#wire.waiting < BEHIND_BYTES) this.send(message)
  }

  /** False when it has sent too many messages. */
  mayReceive(): boolean {
    const now = this.#now()
    this.#tokens = Math.min(BURST, this.#tokens + ((now - this.#refilled) / 1000) * RATE)
    this.#refilled = now
    this.#tokens--
    return this.#tokens >= 0
  }

  /** Counts document messages that will be durable with `batch`. */
  count(messages: number, batch: number): void {
    this.received += messages
    this.#waiting.push([this.received, batch])
  }

  /** Takes back what was held for step 2. */
  release(): readonly Uint8Array[] {
    this.heldBytes = 0
    this.waitsForOthers = false
    return this.held.splice(0)
  }

  /** Sends how many messages are durable now that everything up to `batch` is. */
  acknowledge(batch: number): void {
    let stored: number | undefined
    let first = this.#waiting[0]
    while (first !== undefined && first[1] <= batch) {
      stored = first[0]
      this.#waiting.shift()
      first = this.#waiting[0]
    }
    if (stored !== undefined && this.acks) this.send(outgoing(acknowledgedFrame(stored)))
  }

  close(code: CloseCode, reason: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#wire.close(code, reason)
    // A peer that never answers the close must not keep its socket.
    setTimeout(() => this.#wire.terminate(), 2_000).unref()
  }

  /** The socket closed. */
  ended(): void {
    this.#closed = true
  }
}

/** Least time between two writes to the members of a room. */
const SPACING_MS = 5

interface Edit {
  readonly message: Outgoing
  readonly from: Connection | undefined
}

/**
 * Sends edits to the members of a room: the first at once, later ones batched for 5 ms with one write to each socket,
 * because writing to a hundred sockets is most of the cost.
 */
export class EditBroadcaster {
  readonly #members: ReadonlySet<Connection>
  readonly #relayed: (deliveries: number) => void
  #waiting: Edit[] = []
  #last = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(members: ReadonlySet<Connection>, relayed: (deliveries: number) => void) {
    this.#members = members
    this.#relayed = relayed
  }

  /** To everyone except its sender. */
  show(frame: Uint8Array, from?: Connection): void {
    this.#waiting.push({ message: outgoing(frame), from })
    const wait = this.#last + SPACING_MS - performance.now()
    if (wait <= 0) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), wait)
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0) return
    const edits = this.#waiting
    this.#waiting = []
    const all = together(edits.map(({ message }) => message))
    const authors = new Set(edits.map(({ from }) => from))
    let deliveries = 0
    for (const member of this.#members) {
      const message = authors.has(member) ? othersThan(member, edits) : all
      if (message === undefined) continue
      member.send(message)
      deliveries += message.payloads.length
    }
    this.#last = performance.now()
    this.#relayed(deliveries)
  }
}

const othersThan = (member: Connection, edits: readonly Edit[]): Outgoing | undefined => {
  const others = edits.flatMap(({ message, from }) => (from === member ? [] : [message]))
  return others.length === 0 ? undefined : together(others)
}
