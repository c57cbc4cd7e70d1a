import type { StoredBatch } from '../persist-edits.ts'
import type { Present } from '../port.ts'
import type { Room } from '../room.ts'
import type { Hint } from './hint.ts'
import type { Hints } from './hints.ts'
import { PeerNodes } from './peers.ts'

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
