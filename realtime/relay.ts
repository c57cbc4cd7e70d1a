import type { Connection } from './connection.ts'
import { type Outgoing, outgoing, together } from './wire.ts'

/** Least time between two writes to the members of a room. */
const SPACING_MS = 5

interface Edit {
  readonly message: Outgoing
  readonly from: Connection | undefined
}

/**
 * Shows edits to the members of a room: the first at once; what follows within 5 ms goes out together, with one write
 * to each socket, for writing to a hundred sockets is most of what showing an edit costs.
 */
export class Relay {
  readonly #members: ReadonlySet<Connection>
  readonly #relayed: (deliveries: number) => void
  #waiting: Edit[] = []
  #last = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor(members: ReadonlySet<Connection>, relayed: (deliveries: number) => void) {
    this.#members = members
    this.#relayed = relayed
  }

  /** To everyone but whom it came from. */
  show(frame: Uint8Array, from?: Connection): void {
    this.#waiting.push({ message: outgoing(frame), from })
    const wait = this.#last + SPACING_MS - performance.now()
    if (wait <= 0) this.flush()
    else this.#timer ??= setTimeout(() => this.flush(), wait)
  }

  /** What waits goes out now. */
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
