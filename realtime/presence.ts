import { jsonFault } from '#domain/flow/json.ts'
import type { Member } from './port.ts'
import { type AwarenessEntry, awarenessFrame, readAwareness, writeAwareness } from './protocol.ts'

/** Longest state a client may show, in UTF-16 units of its JSON. */
const MAX_STATE = 16_384
/** Far more than any cursor has; without a limit whoever writes the state again, server or client, could fall over it. */
const MAX_DEPTH = 32
/** The same with the `user` that a server has written into it. */
const MAX_WRITTEN = MAX_STATE + 2_000
/** One frame per this many ms, whatever came in. */
const FLUSH_MS = 16
/** Client ids remembered per room, those who left included. */
const MAX_REMEMBERED = 1_000

/** A connection of this node, or another node by its id. */
type Owner = object | string

interface Shown {
  readonly owner: Owner
  readonly user: string
  /** Newest clock that its owner told. */
  readonly heard: number
  clock: number
  state: string
}

export interface PresenceListener {
  /** A frame for everyone in the room. */
  show(frame: Uint8Array): void
  /** An awareness update of what clients of this node show, for other nodes. */
  share(awareness: Uint8Array): void
}

/**
 * Who is in a room and what they point at. Each connection shows one client id, and the server writes its `user`; what a
 * connection says of other clients (y-websocket echoes all it hears) is passed over. Other nodes tell of theirs.
 */
export class Presence {
  readonly #shown = new Map<number, Shown>()
  readonly #dirty = new Set<number>()
  readonly #listener: PresenceListener
  #timer: NodeJS.Timeout | undefined

  constructor(listener: PresenceListener) {
    this.#listener = listener
  }

  /** Takes a connection's awareness message; false when it is malformed. */
  receive(owner: object, member: Member, update: Uint8Array): boolean {
    const entries = entriesOf(update)
    if (entries === undefined) return false
    const own = entries.find(entry => this.#shown.get(entry.client)?.owner === owner)
    const entry = own ?? (this.#owns(owner) ? undefined : entries.find(candidate => this.#mayTake(candidate, member)))
    if (entry === undefined) return true
    const state = stateOf(entry.state, member)
    if (state === undefined) return false
    this.#show({ owner, user: member.user }, entry, state)
    return true
  }

  /** Takes what another node shows of its clients; false when it is malformed. */
  receiveFrom(node: string, update: Uint8Array): boolean {
    const entries = entriesOf(update)
    if (entries === undefined) return false
    let isSound = true
    for (const entry of entries) {
      const written = writtenState(entry.state)
      if (written === undefined) isSound = false
      else if (this.#isOfNode(node, entry)) this.#show({ owner: node, user: written.user }, entry, written.state)
    }
    return isSound
  }

  /** Everything shown at present, for someone who has just come. */
  frame(): Uint8Array | undefined {
    const entries = this.#present(() => true)
    return entries.length === 0 ? undefined : awarenessFrame(writeAwareness(entries))
  }

  /** An awareness update of what clients of this node show. */
  here(): Uint8Array | undefined {
    const entries = this.#present(({ owner }) => typeof owner === 'object')
    return entries.length === 0 ? undefined : writeAwareness(entries)
  }

  leave(owner: Owner): void {
    for (const [client, shown] of this.#shown) if (shown.owner === owner) this.#leaveOne(client)
  }

  /** Nobody is here any more: other nodes are told at once. */
  stop(): void {
    for (const [client, { owner }] of this.#shown) if (typeof owner === 'object') this.#leaveOne(client)
    clearTimeout(this.#timer)
    this.#flush()
  }

  #owns(owner: object): boolean {
    return this.#shown.values().some(shown => shown.owner === owner)
  }

  /** A person who was on another node a moment ago is believed before that node says that they left. */
  #mayTake({ client, state }: AwarenessEntry, member: Member): boolean {
    const shown = this.#shown.get(client)
    if (state === 'null') return false
    if (shown === undefined || shown.state === 'null') return true
    return typeof shown.owner === 'string' && shown.user === member.user
  }

  /** Not what someone here, or on a third node, has shown since. */
  #isOfNode(node: string, { client, clock, state }: AwarenessEntry): boolean {
    const shown = this.#shown.get(client)
    if (shown === undefined) return state !== 'null'
    if (shown.owner === node || shown.state === 'null') return true
    return state !== 'null' && clock > shown.clock
  }

  #show({ owner, user }: Pick<Shown, 'owner' | 'user'>, entry: AwarenessEntry, state: string): void {
    const shown = this.#shown.get(entry.client)
    if (shown?.owner === owner && isKnown(shown, entry, state)) return
    const clock = Math.max(entry.clock, (shown?.clock ?? 0) + 1)
    this.#shown.set(entry.client, { owner, user, heard: entry.clock, clock, state })
    this.#mark(entry.client)
  }

  #leaveOne(client: number): void {
    const shown = this.#shown.get(client)
    if (shown === undefined || shown.state === 'null') return
    shown.state = 'null'
    shown.clock++
    this.#mark(client)
  }

  #mark(client: number): void {
    this.#dirty.add(client)
    this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS)
  }

  #flush(): void {
    this.#timer = undefined
    const entries: AwarenessEntry[] = []
    const ofHere: AwarenessEntry[] = []
    for (const client of this.#dirty) {
      const shown = this.#shown.get(client)
      if (shown === undefined) continue
      const entry = { client, clock: shown.clock, state: shown.state }
      entries.push(entry)
      if (typeof shown.owner === 'object') ofHere.push(entry)
    }
    this.#dirty.clear()
    this.#forgetOldest()
    if (entries.length === 0) return
    this.#listener.show(awarenessFrame(writeAwareness(entries)))
    if (ofHere.length > 0) this.#listener.share(writeAwareness(ofHere))
  }

  /** Those who left keep their clock, so that they are believed when they come back under the same id. */
  #forgetOldest(): void {
    for (const [client, shown] of this.#shown) {
      if (this.#shown.size <= MAX_REMEMBERED) return
      if (shown.state === 'null') this.#shown.delete(client)
    }
  }

  #present(which: (shown: Shown) => boolean): AwarenessEntry[] {
    return [...this.#shown]
      .filter(([, shown]) => shown.state !== 'null' && which(shown))
      .map(([client, { clock, state }]) => ({ client, clock, state }))
  }
}

/** Whether an owner tells nothing new. */
const isKnown = (shown: Shown, { clock }: AwarenessEntry, state: string): boolean => {
  if (typeof shown.owner === 'string') {
    // A node that was taken for gone tells the same again.
    return shown.heard >= clock && (shown.state !== 'null' || state === 'null')
  }
  // A client adopts the clock that it is shown under, and tells it again; before it has, its next state may bear the same.
  return shown.clock > clock || (shown.clock === clock && shown.state === state)
}

const entriesOf = (update: Uint8Array): readonly AwarenessEntry[] | undefined => {
  try {
    return readAwareness(update)
  } catch {
    return undefined
  }
}

const parsed = (json: string): object | null | undefined => {
  try {
    const state: unknown = JSON.parse(json)
    const isSound = typeof state === 'object' && !Array.isArray(state) && jsonFault(state, MAX_DEPTH) === null
    return isSound ? state : undefined
  } catch {
    return undefined
  }
}

const stateOf = (json: string, member: Member): string | undefined => {
  const state = json.length > MAX_STATE ? undefined : parsed(json)
  if (state === undefined || state === null) return state === null ? 'null' : undefined
  const user = { id: member.user, name: member.name, color: member.color, ...(member.mayEdit ? {} : { viewer: true }) }
  return JSON.stringify({ ...state, user })
}

/** A state with the `user` that another node wrote into it. */
const writtenState = (json: string): { readonly user: string; readonly state: string } | undefined => {
  const state = json.length > MAX_WRITTEN ? undefined : parsed(json)
  if (state === null) return { user: '', state: 'null' }
  const user: unknown = state !== undefined && 'user' in state ? state.user : undefined
  const id: unknown = typeof user === 'object' && user !== null && 'id' in user ? user.id : undefined
  return typeof id === 'string' ? { user: id, state: json } : undefined
}
