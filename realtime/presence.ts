import { jsonFault } from '#schemas/json.ts'
import type { Member } from './port.ts'
import { type AwarenessEntry, awarenessFrame, readAwareness, writeAwareness } from './wire.ts'

/** Longest state a client may show, in UTF-16 units of its JSON. */
const MAX_STATE = 16_384
/** Far more than any cursor has; without a limit, serializing the state could fail on server or client. */
const MAX_DEPTH = 32
/** The same with the `user` that a server has written into it. */
const MAX_WRITTEN = MAX_STATE + 2_000
/** At most one frame per this many ms. */
const FLUSH_MS = 16
/** Client ids remembered per room, those who left included. */
const MAX_REMEMBERED = 1_000
/** As many states of one client as are shown while its echo of the first is on its way. */
const MAX_ECHOES = 64

/** A connection of this node, or another node by its id. */
type Owner = object | string

/** An owner's last report of a client id. */
interface Claim {
  readonly owner: Owner
  readonly user: string
  /** Newest reported clock. */
  readonly heard: number
  readonly state: string
}

/** A state as it was shown. */
interface Echo {
  readonly clock: number
  readonly state: string
}

interface PresenceEntry {
  owner: Owner
  user: string
  clock: number
  state: string
  /** Oldest first: a client adopts what it is shown of itself under a higher clock than its own, and tells it again. */
  echoes: readonly Echo[]
  /** Oldest first. Two nodes report a moving person for a while: when one reports a leave, the other's claim counts. */
  readonly claims: Map<Owner, Claim>
}

interface PresenceListener {
  /** A frame for everyone in the room. */
  show(frame: Uint8Array): void
  /** An awareness update of what clients of this node show, for other nodes. */
  share(awareness: Uint8Array): void
}

/**
 * Members of a room and their cursors. Each connection shows one client id, and the server writes its `user`; states it
 * sends for other clients (y-websocket echoes all it hears) are ignored. Other nodes report their own members.
 */
export class Presence {
  readonly #shown = new Map<number, PresenceEntry>()
  readonly #dirty = new Set<number>()
  /** PresenceEntry by nobody of this node any more, though perhaps by another. */
  readonly #left = new Set<number>()
  readonly #listener: PresenceListener
  #timer: NodeJS.Timeout | undefined

  constructor(listener: PresenceListener) {
    this.#listener = listener
  }

  /** Takes a connection's awareness message; false when it is malformed. */
  receive(owner: object, member: Member, update: Uint8Array): boolean {
    const entries = entriesOf(update)
    if (entries === undefined) return false
    const own = entries.find(entry => this.#shown.get(entry.client)?.claims.has(owner))
    const entry = own ?? (this.#owns(owner) ? undefined : entries.find(candidate => this.#mayTake(candidate, member)))
    if (entry === undefined) return true
    const state = stateOf(entry.state, member)
    if (state === undefined) return false
    if (own === undefined) this.#supersede(entry.client)
    this.#tell(entry, { owner, user: member.user, heard: entry.clock, state })
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
      else this.#tell(entry, { owner: node, heard: entry.clock, ...written })
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
    for (const [client, shown] of this.#shown) if (shown.claims.has(owner)) this.#withdraw(client, shown, owner)
  }

  /** Removes this node's members; other nodes learn at once. */
  stop(): void {
    for (const [client, shown] of this.#shown)
      for (const owner of shown.claims.keys()) if (typeof owner === 'object') this.#withdraw(client, shown, owner)
    clearTimeout(this.#timer)
    this.#flush()
  }

  #owns(owner: object): boolean {
    return this.#shown.values().some(shown => shown.claims.has(owner))
  }

  /**
   * Accepts a person shown by another node, or by an undetected dead socket here, before that claim ends. Here their
   * state must be newer than the shown one: an echo from their second connection is ignored.
   */
  #mayTake({ client, clock, state }: AwarenessEntry, member: Member): boolean {
    const shown = this.#shown.get(client)
    if (state === 'null') return false
    if (shown === undefined || shown.state === 'null') return true
    if (shown.user !== member.user) return false
    if (typeof shown.owner === 'string') return true
    const heard = shown.claims.get(shown.owner)?.heard ?? 0
    const told = stateOf(state, member)
    return clock > heard && !shown.echoes.some(echo => echo.clock === clock && echo.state === told)
  }

  /** One client id is one socket at a time: removes claims of other sockets of this node. */
  #supersede(client: number): void {
    const { claims } = this.#shown.get(client) ?? {}
    for (const owner of claims?.keys() ?? []) if (typeof owner === 'object') claims?.delete(owner)
  }

  #tell({ client, clock }: AwarenessEntry, claim: Claim): void {
    const shown = this.#shown.get(client)
    if (claim.state === 'null') {
      if (shown?.claims.has(claim.owner)) this.#withdraw(client, shown, claim.owner)
      return
    }
    if (shown !== undefined && (isKnown(shown, claim) || isAnothers(shown, claim))) return
    const claims = shown?.claims ?? new Map<Owner, Claim>()
    claims.delete(claim.owner)
    claims.set(claim.owner, claim)
    const { owner, user, state } = winner(claims) ?? claim
    if (owner !== claim.owner && owner === shown?.owner) return
    const next = { state, clock: Math.max(clock, (shown?.clock ?? 0) + 1) }
    const echoes = [...echoesOf(shown, claim), next].slice(-MAX_ECHOES)
    this.#shown.set(client, { ...next, owner, user, claims, echoes })
    this.#mark(client)
  }

  #withdraw(client: number, shown: PresenceEntry, owner: Owner): void {
    shown.claims.delete(owner)
    if (typeof owner === 'object') this.#left.add(client)
    if (shown.owner === owner) {
      const left = winner(shown.claims)
      shown.owner = left?.owner ?? owner
      shown.state = left?.state ?? 'null'
      shown.clock++
      shown.echoes = left === undefined ? [] : [...shown.echoes, { clock: shown.clock, state: shown.state }]
    }
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
      else if (this.#left.has(client)) ofHere.push({ ...entry, state: 'null' })
    }
    this.#dirty.clear()
    this.#left.clear()
    this.#forgetOldest()
    if (entries.length === 0) return
    this.#listener.show(awarenessFrame(writeAwareness(entries)))
    if (ofHere.length > 0) this.#listener.share(writeAwareness(ofHere))
  }

  /** Clients that left keep their clock, so that they are accepted when they return under the same id. */
  #forgetOldest(): void {
    for (const [client, shown] of this.#shown) {
      if (this.#shown.size <= MAX_REMEMBERED) return
      if (shown.state === 'null') this.#shown.delete(client)
    }
  }

  #present(which: (shown: PresenceEntry) => boolean): AwarenessEntry[] {
    return [...this.#shown]
      .filter(([, shown]) => shown.state !== 'null' && which(shown))
      .map(([client, { clock, state }]) => ({ client, clock, state }))
  }
}

/** Claims of this node win over other nodes' claims; of these the newest. */
const winner = (claims: ReadonlyMap<Owner, Claim>): Claim | undefined => {
  const all = [...claims.values()]
  return all.findLast(({ owner }) => typeof owner === 'object') ?? all.at(-1)
}

/**
 * Whether a claim is already shown. Messages of one connection arrive in order, so its newest state counts at any
 * clock: a client from another node continues from its old clock until it adopts the one shown here.
 */
const isKnown = (shown: PresenceEntry, { owner, heard, state }: Claim): boolean => {
  if (typeof owner === 'string') return (shown.claims.get(owner)?.heard ?? -1) >= heard
  return shown.owner === owner && shown.echoes.some(echo => echo.clock === heard && echo.state === state)
}

/** States that may still be echoed: a client never returns to a clock before its last one. */
const echoesOf = (shown: PresenceEntry | undefined, { owner, heard }: Claim): readonly Echo[] => {
  const echoes = shown?.echoes ?? []
  return typeof owner === 'string' ? echoes : echoes.filter(({ clock }) => clock >= heard)
}

const isAnothers = (shown: PresenceEntry, { user }: Claim): boolean => shown.state !== 'null' && shown.user !== user

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
