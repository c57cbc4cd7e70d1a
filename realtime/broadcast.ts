import type { Connection } from './connection.ts'
import { type Outgoing, outgoing, together } from './wire.ts'

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
