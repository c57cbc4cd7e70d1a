import type { StoredBatch } from '../persist-edits.ts'
import type { FlowKind, Present } from '../port.ts'
import type { Room } from '../room.ts'
import type { Hint } from './hint.ts'
import type { Hints } from './hints.ts'

const TOPIC = 'node'
const BEAT_MS = 1_000
/** A node that was not heard of for this long is taken for gone. */
const GONE_MS = 4_000
/** Changes within this time are sent as one. */
const GATHER_MS = 50

interface Flow {
  readonly kind: FlowKind
  readonly id: string
}

interface NeighboursOptions {
  readonly hints: Hints
  /** Members of a flow's room here. */
  readonly members: (flow: string) => Present['members']
  /** Those with a room here. */
  readonly flows: () => Iterable<Flow>
  /** A node missed the earlier hints. */
  readonly newcomer: () => void
  readonly gone: (node: string) => void
}

/** Which other nodes live, and who has which flow open there. */
class PeerNodes {
  readonly #options: NeighboursOptions
  readonly #heard = new Map<string, number>()
  readonly #elsewhere = new Map<string, Map<string, Present>>()
  readonly #untold = new Map<string, FlowKind>()
  readonly #stopListening: () => void
  readonly #beat: NodeJS.Timeout
  #isNewcomer = false
  #telling: NodeJS.Timeout | undefined

  constructor(options: NeighboursOptions) {
    this.#options = options
    const { hints } = options
    this.#stopListening = hints.listen(TOPIC, (node, hint) => this.#hear(node, hint))
    hints.onConnected(() => this.#greet())
    this.#greet()
    this.#beat = setInterval(() => {
      hints.send(TOPIC, { kind: 'beat' })
      this.#forgetSilent()
    }, BEAT_MS).unref()
  }

  /** Members of flows on other nodes. */
  elsewhere(): readonly Present[] {
    return [...this.#elsewhere.values()].flatMap(flows => [...flows.values()])
  }

  /** Members of a room here changed. */
  changed({ kind, id }: Flow): void {
    if (!this.#options.hints.connected) return
    this.#untold.set(id, kind)
    this.#telling ??= setTimeout(() => this.#tell(), GATHER_MS)
  }

  close(): void {
    clearInterval(this.#beat)
    clearTimeout(this.#telling)
    this.#stopListening()
    this.#options.hints.send(TOPIC, { kind: 'bye' })
  }

  #greet(): void {
    this.#options.hints.send(TOPIC, { kind: 'hello' })
    this.#tellAll()
  }

  #hear(node: string, hint: Hint): void {
    if (hint.kind === 'bye') {
      this.#forget(node)
      return
    }
    const isKnown = this.#heard.has(node)
    this.#heard.set(node, performance.now())
    if (hint.kind === 'hello') this.#tellAll()
    else if (hint.kind === 'present') this.#present(node, hint)
    // Its earlier hints came before this node could receive them, or were dropped when it seemed dead.
    if (!isKnown && hint.kind !== 'hello') this.#options.hints.send(TOPIC, { kind: 'hello' })
  }

  #present(node: string, { flow, members }: Extract<Hint, { kind: 'present' }>): void {
    const flows = this.#elsewhere.get(node) ?? new Map<string, Present>()
    if (members.length === 0) flows.delete(flow.id)
    else flows.set(flow.id, { ...flow, members })
    this.#elsewhere.set(node, flows)
  }

  #tellAll(): void {
    this.#isNewcomer = true
    for (const { kind, id } of this.#options.flows()) this.#untold.set(id, kind)
    this.#telling ??= setTimeout(() => this.#tell(), GATHER_MS)
  }

  #tell(): void {
    this.#telling = undefined
    const { hints, members } = this.#options
    for (const [id, kind] of this.#untold) {
      const people = members(id).map(({ user, name, color, mayEdit }) => ({ user, name, color, mayEdit }))
      hints.send(TOPIC, { kind: 'present', flow: { kind, id }, members: people })
    }
    this.#untold.clear()
    if (this.#isNewcomer) this.#options.newcomer()
    this.#isNewcomer = false
  }

  #forgetSilent(): void {
    const now = performance.now()
    for (const [node, heard] of this.#heard) if (now - heard > GONE_MS) this.#forget(node)
  }

  #forget(node: string): void {
    this.#heard.delete(node)
    this.#elsewhere.delete(node)
    this.#options.gone(node)
  }
}

interface SharedRoomsOptions {
  readonly hints: Hints
  readonly room: (flow: string) => Room | undefined
  readonly rooms: () => Iterable<Room>
}

const topicOf = (flow: string) => `room.${flow}`

/** Joins the rooms of this node to those of the same flows on other nodes. */
export class SharedRooms {
  readonly #options: SharedRoomsOptions
  readonly #listening = new Map<Room, () => void>()
  readonly #neighbours: PeerNodes

  constructor(options: SharedRoomsOptions) {
    const { hints, room, rooms } = options
    this.#options = options
    this.#neighbours = new PeerNodes({
      hints,
      members: flow => room(flow)?.members() ?? [],
      flows: rooms,
      newcomer: () => {
        for (const each of rooms()) this.#showPointed(each)
      },
      gone: node => {
        for (const each of rooms()) each.presence.leave(node)
      },
    })
  }

  opened(room: Room): void {
    const topic = topicOf(room.id)
    const stop = this.#options.hints.listen(topic, (node, hint, bytes) => this.#hear(room, { node, hint, bytes }))
    this.#listening.set(room, stop)
    this.#options.hints.send(topic, { kind: 'query' })
  }

  closed(room: Room): void {
    this.#listening.get(room)?.()
    this.#listening.delete(room)
    this.#neighbours.changed(room)
  }

  /** An edit becomes one event, but for one of more than a megabyte; such a one is read from the log. */
  written(room: Room, { after, revision, hash, edit }: StoredBatch): void {
    const { hints } = this.#options
    if (!hints.connected) return
    const { update, bindings } = edit
    const isWhole = revision === after + 1 && update.length <= hints.largest
    const hint: Hint = { kind: 'edit', revision, hash, bindings: isWhole ? [...bindings] : [] }
    hints.send(topicOf(room.id), hint, isWhole ? update : undefined)
  }

  pointed(room: Room, awareness: Uint8Array): void {
    this.#options.hints.send(topicOf(room.id), { kind: 'awareness' }, awareness)
  }

  peopled(room: Room): void {
    this.#neighbours.changed(room)
  }

  /** Members on all nodes. */
  present(here: readonly Present[]): readonly Present[] {
    return joined([...here, ...this.#neighbours.elsewhere()])
  }

  async close(): Promise<void> {
    this.#neighbours.close()
    for (const stop of this.#listening.values()) stop()
  }

  #hear(room: Room, { node, hint, bytes }: { node: string; hint: Hint; bytes: Uint8Array }): void {
    if (hint.kind === 'query') this.#showPointed(room)
    else if (hint.kind === 'awareness') room.presence.receiveFrom(node, bytes)
    else if (hint.kind === 'edit') {
      const { revision, hash, bindings } = hint
      const isWhole = bytes.length > 0
      room.others.hinted({
        revision,
        edit: isWhole ? { revision, hash, update: bytes, bindings, eventIds: [] } : undefined,
      })
    }
  }

  #showPointed(room: Room): void {
    const pointed = room.presence.here()
    if (pointed !== undefined) this.pointed(room, pointed)
  }
}

/** One line for each flow, and each person in it once. */
const joined = (present: readonly Present[]): readonly Present[] => {
  const flows = new Map<string, Present>()
  for (const { kind, id, members } of present) {
    const people = new Map([...(flows.get(id)?.members ?? []), ...members].map(member => [member.user, member]))
    flows.set(id, { kind, id, members: [...people.values()] })
  }
  return [...flows.values()]
}
