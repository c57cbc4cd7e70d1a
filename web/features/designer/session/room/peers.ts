import type { Awareness } from 'y-protocols/awareness'
import { personColor } from '#domain/color.ts'
import { isObject, stringsOf } from '#schemas/json.ts'
import type { Cursor, Peer } from '../../model/block-appearance.ts'
import type { Point } from '../../model/geometry.ts'
import { createStore, type Store } from '../../model/store.ts'
import type { PresenceState } from './presence.ts'

interface PeerDrag {
  readonly peer: Peer
  readonly dx: number
  readonly dy: number
}
interface PeerLink extends NonNullable<PresenceState['link']> {
  readonly peer: Peer
}

/** All other people in the room, each aspect in a separate store so that a moving cursor renders nothing. */
export interface Peers {
  readonly people: Store<readonly Peer[]>
  readonly selections: Store<ReadonlyMap<string, readonly Peer[]>>
  readonly drags: Store<ReadonlyMap<string, PeerDrag>>
  /** The dragger of each block: changes when a drag begins or ends, not during it. */
  readonly carriers: Store<ReadonlyMap<string, Peer>>
  readonly links: Store<readonly PeerLink[]>
  /** Called for each pointer move; `undefined`: it left the canvas. */
  onCursor(listener: (peer: Peer, at: Cursor | undefined) => void): () => void
  stop(): void
}

type State = Readonly<Record<string, unknown>>
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const peerOf = (client: number, state: State): Peer | undefined => {
  const user = state.user
  if (!isObject(user) || typeof user.id !== 'string') return undefined
  const color = typeof user.color === 'string' && /^[1-8]$/u.test(user.color) ? user.color : personColor(user.id)
  return {
    client,
    id: user.id,
    name: typeof user.name === 'string' ? user.name : '',
    color,
    viewer: user.viewer === true,
  }
}

const pointOf = (value: unknown): Point | undefined =>
  isObject(value) && isNumber(value.x) && isNumber(value.y) ? { x: value.x, y: value.y } : undefined

const cursorOf = (value: unknown): Cursor | undefined => {
  const at = pointOf(value)
  const over = isObject(value) ? value.over : undefined
  if (at === undefined || !isObject(over) || typeof over.block !== 'string') return at
  const { block, across, down } = over
  return isNumber(across) && isNumber(down) ? { ...at, over: { block, across, down } } : at
}

interface PeerEntry {
  readonly peer: Peer
  readonly state: State
}

const selectionsOf = (known: Iterable<PeerEntry>) => {
  const map = new Map<string, Peer[]>()
  for (const { peer, state } of known) {
    for (const id of stringsOf(state.selection)) map.set(id, [...(map.get(id) ?? []), peer])
  }
  return map
}

const dragsOf = (known: Iterable<PeerEntry>) => {
  const map = new Map<string, PeerDrag>()
  for (const { peer, state } of known) {
    const drag = state.drag
    if (!isObject(drag) || !isNumber(drag.dx) || !isNumber(drag.dy)) continue
    for (const id of stringsOf(drag.ids)) map.set(id, { peer, dx: drag.dx, dy: drag.dy })
  }
  return map
}

const linksOf = (known: Iterable<PeerEntry>) =>
  [...known].flatMap(({ peer, state }): PeerLink[] => {
    const link = state.link
    const at = pointOf(link)
    if (!isObject(link) || at === undefined || typeof link.from !== 'string') return []
    return [{ peer, from: link.from, fromConnector: String(link.fromConnector ?? ''), ...at }]
  })

const carriersOf = (drags: ReadonlyMap<string, PeerDrag>, before: ReadonlyMap<string, Peer>) => {
  const stays = drags.size === before.size && drags.entries().every(([id, { peer }]) => before.get(id) === peer)
  return stays ? before : new Map(drags.entries().map(([id, { peer }]) => [id, peer]))
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

export const followPeers = (awareness: Awareness): Peers => {
  const known = new Map<number, PeerEntry>()
  const people = createStore<readonly Peer[]>([])
  const selections = createStore<ReadonlyMap<string, readonly Peer[]>>(new Map())
  const drags = createStore<ReadonlyMap<string, PeerDrag>>(new Map())
  const carriers = createStore<ReadonlyMap<string, Peer>>(new Map())
  const links = createStore<readonly PeerLink[]>([])
  const listeners = new Set<(peer: Peer, at: Cursor | undefined) => void>()
  const tell = (peer: Peer, at: Cursor | undefined) => {
    for (const listener of listeners) listener(peer, at)
  }
  const read = (client: number): Set<string> => {
    const before = known.get(client)
    const state = client === awareness.clientID ? undefined : awareness.getStates().get(client)
    const fresh = state === undefined ? undefined : peerOf(client, state)
    const peer = same(before?.peer, fresh) ? before?.peer : fresh
    const changed = new Set<string>()
    if (peer === undefined || state === undefined) {
      if (before === undefined) return changed
      known.delete(client)
      tell(before.peer, undefined)
      return new Set(['peer', 'selection', 'drag', 'link'])
    }
    known.set(client, { peer, state })
    if (peer !== before?.peer) changed.add('peer')
    for (const part of ['selection', 'drag', 'link']) if (!same(before?.state[part], state[part])) changed.add(part)
    if (!same(before?.state.cursor, state.cursor)) tell(peer, cursorOf(state.cursor))
    return changed
  }
  const onChange = ({ added, updated, removed }: Record<'added' | 'updated' | 'removed', number[]>) => {
    const changed = new Set<string>()
    for (const client of [...added, ...updated, ...removed]) for (const part of read(client)) changed.add(part)
    if (changed.has('peer')) people.set([...known.values()].map(({ peer }) => peer))
    if (changed.has('selection') || changed.has('peer')) selections.set(selectionsOf(known.values()))
    if (changed.has('drag')) {
      drags.set(dragsOf(known.values()))
      carriers.set(before => carriersOf(drags.get(), before))
    }
    if (changed.has('link')) links.set(linksOf(known.values()))
  }
  awareness.on('change', onChange)
  onChange({ added: [...awareness.getStates().keys()], updated: [], removed: [] })
  return {
    people,
    selections,
    drags,
    carriers,
    links,
    onCursor: listener => {
      listeners.add(listener)
      for (const { peer, state } of known.values()) listener(peer, cursorOf(state.cursor))
      return () => {
        listeners.delete(listener)
      }
    },
    stop: () => awareness.off('change', onChange),
  }
}
