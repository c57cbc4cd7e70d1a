import { jsonFault } from '#domain/flow/json.ts'
import type { Member } from './port.ts'
import { type AwarenessEntry, awarenessFrame, readAwareness, writeAwareness } from './protocol.ts'

/** Longest state a client may show, in UTF-16 units of its JSON. */
const MAX_STATE = 16_384
/** Far more than any cursor has; without a limit whoever writes the state again, server or client, could fall over it. */
const MAX_DEPTH = 32
/** One frame per this many ms, whatever came in. */
const FLUSH_MS = 16
/** Client ids remembered per room, those who left included. */
const MAX_REMEMBERED = 1_000

interface Shown {
  readonly owner: object
  clock: number
  state: string
}

/**
 * Who is in a room and what they point at. Each connection shows one client id, and the server writes its `user`; what a
 * connection says of other clients (y-websocket echoes all it hears) is passed over.
 */
export class Presence {
  readonly #shown = new Map<number, Shown>()
  readonly #dirty = new Set<number>()
  readonly #send: (frame: Uint8Array) => void
  #timer: NodeJS.Timeout | undefined

  constructor(send: (frame: Uint8Array) => void) {
    this.#send = send
  }

  /** Takes a connection's awareness message; false when it is malformed. */
  receive(owner: object, member: Member, update: Uint8Array): boolean {
    let entries: readonly AwarenessEntry[]
    try {
      entries = readAwareness(update)
    } catch {
      return false
    }
    const own = entries.find(entry => this.#shown.get(entry.client)?.owner === owner)
    const entry = own ?? (this.#owns(owner) ? undefined : entries.find(candidate => this.#free(candidate)))
    return entry === undefined || this.#show(owner, member, entry)
  }

  /** Everything shown at present, for someone who has just come. */
  frame(): Uint8Array | undefined {
    const present = [...this.#shown].filter(([, shown]) => shown.state !== 'null').map(([client]) => client)
    return present.length === 0 ? undefined : this.#frameOf(present)
  }

  leave(owner: object): void {
    for (const [client, shown] of this.#shown) {
      if (shown.owner !== owner || shown.state === 'null') continue
      shown.state = 'null'
      shown.clock++
      this.#mark(client)
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #owns(owner: object): boolean {
    return this.#shown.values().some(shown => shown.owner === owner)
  }

  #free(entry: AwarenessEntry): boolean {
    const shown = this.#shown.get(entry.client)
    return entry.state !== 'null' && (shown === undefined || shown.state === 'null')
  }

  #show(owner: object, member: Member, entry: AwarenessEntry): boolean {
    const shown = this.#shown.get(entry.client)
    if (shown?.owner === owner && shown.clock >= entry.clock) return true
    const state = stateOf(entry.state, member)
    if (state === undefined) return false
    this.#shown.set(entry.client, { owner, clock: Math.max(entry.clock, (shown?.clock ?? 0) + 1), state })
    this.#mark(entry.client)
    return true
  }

  #mark(client: number): void {
    this.#dirty.add(client)
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS)
  }

  #flush(): void {
    this.#timer = undefined
    const frame = this.#frameOf(this.#dirty)
    this.#dirty.clear()
    this.#forgetOldest()
    this.#send(frame)
  }

  /** Those who left keep their clock, so that they are believed when they come back under the same id. */
  #forgetOldest(): void {
    for (const [client, shown] of this.#shown) {
      if (this.#shown.size <= MAX_REMEMBERED) return
      if (shown.state === 'null') this.#shown.delete(client)
    }
  }

  #frameOf(clients: Iterable<number>): Uint8Array {
    const entries: AwarenessEntry[] = []
    for (const client of clients) {
      const shown = this.#shown.get(client)
      if (shown !== undefined) entries.push({ client, clock: shown.clock, state: shown.state })
    }
    return awarenessFrame(writeAwareness(entries))
  }
}

const stateOf = (json: string, member: Member): string | undefined => {
  if (json.length > MAX_STATE) return undefined
  let state: unknown
  try {
    state = JSON.parse(json)
  } catch {
    return undefined
  }
  if (state === null) return 'null'
  if (typeof state !== 'object' || Array.isArray(state) || jsonFault(state, MAX_DEPTH) !== null) return undefined
  const user = { id: member.user, name: member.name, color: member.color, ...(member.mayEdit ? {} : { viewer: true }) }
  return JSON.stringify({ ...state, user })
}
