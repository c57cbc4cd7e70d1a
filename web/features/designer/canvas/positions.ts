import type { FlowModel } from '#domain/flow/document/model.ts'
import type { Point } from '../model/geometry.ts'
import { createStore, type Store } from '../model/store.ts'

/**
 * Current position of every block: its place in the flow, or its drag position. Watchers of a block are notified of
 * that block only, so a drag renders only the blocks it moves.
 */
export interface Positions {
  get(id: string): Point
  /** Offsets of dragged blocks, for any person; replaces the offsets of the same `owner`. */
  lift(owner: string, offsets: ReadonlyMap<string, Point>): void
  drop(owner: string): void
  /** Blocks that someone carries now. */
  readonly carried: Store<ReadonlySet<string>>
  lifted(id: string): boolean
  /** Whether this one carries something, or a certain block. */
  lifts(owner: string, id?: string): boolean
  watch(ids: readonly string[], listener: () => void): () => void
  /** Called with the ids after blocks moved, or a drag of them began or ended. */
  onMoved(listener: (ids: ReadonlySet<string>) => void): () => void
  stop(): void
}

const ORIGIN: Point = { x: 0, y: 0 }

/** The owner of this person's own lift, beside those of the others in the room. */
export const OWN_LIFT = 'own'

/**
 * `base`: the place of the block when it was picked up. A lift of another person ends for a block that the flow has moved
 * since: that was their drop. This person's own lasts until they drop, so that a drop of another person does not take it.
 */
interface Lift {
  readonly offset: Point
  readonly base: Point
}

const currentLift = (
  owners: ReadonlyMap<string, ReadonlyMap<string, Lift>>,
  id: string,
  { x, y }: Point,
): Lift | undefined => {
  const own = owners.get(OWN_LIFT)?.get(id)
  if (own !== undefined) return own
  for (const lifts of owners.values()) {
    const lift = lifts.get(id)
    if (lift?.base.x === x && lift.base.y === y) return lift
  }
  return undefined
}

export const createPositions = (flow: Store<FlowModel>): Positions => {
  const owners = new Map<string, ReadonlyMap<string, Lift>>()
  const held = new Map<string, Point>()
  const carried = createStore<ReadonlySet<string>>(new Set())
  const watchers = new Map<string, Set<() => void>>()
  const all = new Set<(ids: ReadonlySet<string>) => void>()

  const stands = (id: string): Point => flow.get().nodes.get(id) ?? ORIGIN
  const liftOf = (id: string): Lift | undefined => currentLift(owners, id, stands(id))
  const place = (id: string): Point => {
    const lift = liftOf(id)
    const { x, y } = lift?.base ?? stands(id)
    return { x: x + (lift?.offset.x ?? 0), y: y + (lift?.offset.y ?? 0) }
  }
  const get = (id: string): Point => {
    const known = held.get(id)
    if (known !== undefined) return known
    const at = place(id)
    held.set(id, at)
    return at
  }
  const turn = (toggled: ReadonlySet<string>) => {
    if (toggled.size > 0) carried.set(before => before.symmetricDifference(toggled))
  }
  const refresh = (ids: Iterable<string>) => {
    const moved = new Set<string>()
    const toggled = new Set<string>()
    for (const id of ids) {
      const before = held.get(id)
      const after = place(id)
      const isCarried = liftOf(id) !== undefined
      const stays = before?.x === after.x && before.y === after.y
      const turns = carried.get().has(id) !== isCarried
      if (stays && !turns) continue
      if (turns) toggled.add(id)
      if (!stays) held.set(id, after)
      moved.add(id)
    }
    if (moved.size === 0) return
    turn(toggled)
    const told = new Set<() => void>()
    for (const id of moved) for (const listener of watchers.get(id) ?? []) told.add(listener)
    for (const listener of told) listener()
    for (const listener of all) listener(moved)
  }
  let nodes = flow.get().nodes
  const stop = flow.subscribe(() => {
    const before = nodes
    nodes = flow.get().nodes
    if (before === nodes) return
    const changed: string[] = []
    for (const [id, node] of nodes) if (before.get(id) !== node) changed.push(id)
    const gone = new Set(before.keys().filter(id => !nodes.has(id)))
    for (const id of gone) held.delete(id)
    turn(gone.intersection(carried.get()))
    refresh(changed)
  })
  return {
    get,
    carried,
    lifted: id => carried.get().has(id),
    lifts: (owner, id) => {
      const lifts = owners.get(owner)
      return lifts !== undefined && (id === undefined ? lifts.size > 0 : lifts.has(id))
    },
    lift: (owner, offsets) => {
      const before = owners.get(owner)
      const lifts = [...offsets].map(([id, offset]): [string, Lift] => {
        const { x, y } = before?.get(id)?.base ?? stands(id)
        return [id, { offset, base: { x, y } }]
      })
      owners.set(owner, new Map(lifts))
      refresh(new Set([...(before?.keys() ?? []), ...offsets.keys()]))
    },
    drop: owner => {
      const before = owners.get(owner)
      owners.delete(owner)
      if (before !== undefined) refresh(before.keys())
    },
    watch: (ids, listener) => {
      for (const id of ids) {
        const set = watchers.get(id) ?? new Set()
        set.add(listener)
        watchers.set(id, set)
      }
      return () => {
        for (const id of ids) {
          const set = watchers.get(id)
          set?.delete(listener)
          if (set?.size === 0) watchers.delete(id)
        }
      }
    },
    onMoved: listener => {
      all.add(listener)
      return () => {
        all.delete(listener)
      }
    },
    stop,
  }
}
