import type { EntityState } from '#domain/behaviour.ts'
import { evolve, NONE, parentIn } from '#domain/entity.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { type EntityEvent, entityStream } from '#schemas/events/entity.ts'
import type { EventStore } from '../store/port.ts'
import { upcast } from '../upcasters/upcast.ts'
import { MAX_SCANNED_EVENTS, NO_STREAM, type Tail } from './append.ts'

export interface Loaded {
  readonly state: EntityState
  readonly tail: Tail
  /** Ids of its newest events, as many as are looked through for one that was written before. */
  readonly ids: readonly string[]
}

/** Folds entities from their streams; the newest used stay folded. */
export interface Loader {
  /** `fresh` reads what the store holds now instead of trusting the cache. */
  load(entity: EntityDeclaration, id: string, options?: { fresh?: boolean }): Promise<Loaded>
  /** As it stood right after a revision that exists. */
  at(entity: EntityDeclaration, id: string, revision: number): Promise<EntityState>
  /** Whether a state of it is cached, which another node may have made stale. */
  isCached(entity: EntityDeclaration, id: string): boolean
  keep(entity: EntityDeclaration, id: string, loaded: Loaded): void
  drop(entity: EntityDeclaration, id: string): void
}

/** A stream that does not exist. */
export const NOTHING: Loaded = { state: NONE, tail: NO_STREAM, ids: [] }
/** Characters that all kept states may hold together, about. */
const CAPACITY = 32_000_000
const SMALL = 1000
const ID = 36

export const createLoader = (
  store: EventStore,
  capacity = CAPACITY,
  entities: Readonly<Record<string, EntityDeclaration>> = ENTITIES,
): Loader => {
  const kept = new Map<string, Loaded>()
  let held = 0

  const drop = (stream: string) => {
    const loaded = kept.get(stream)
    if (loaded !== undefined) held -= weightOf(loaded)
    kept.delete(stream)
  }
  const keep = (stream: string, loaded: Loaded) => {
    drop(stream)
    kept.set(stream, loaded)
    held += weightOf(loaded)
    for (const oldest of kept.keys()) {
      if (held <= capacity) break
      drop(oldest)
    }
  }

  const catchUp = async (entity: EntityDeclaration, id: string, from: Loaded): Promise<Loaded> => {
    let loaded = from
    for await (const event of store.read(entityStream(entity.name, id), { from: from.tail.revision + 1 })) {
      loaded = advance(entity, id, loaded, event)
    }
    return loaded
  }

  const load = async (entity: EntityDeclaration, id: string, fresh: boolean): Promise<Loaded> => {
    const stream = entityStream(entity.name, id)
    const known = kept.get(stream)
    if (known !== undefined && !fresh) {
      keep(stream, known)
      return known
    }
    if (known !== undefined && store.isExclusive && (await store.revision(stream)) === known.tail.revision) return known
    const loaded = await catchUp(entity, id, known ?? NOTHING)
    // Another command of this node may have cached a newer state while this one was read.
    const isNewest = loaded.tail.revision >= (kept.get(stream)?.tail.revision ?? 1)
    if (isNewest) keep(stream, loaded)
    return loaded
  }

  return {
    load: async (entity, id, options = {}) =>
      placed(load, entities, entity, await load(entity, id, options.fresh === true)),
    async at(entity, id, revision) {
      let loaded = NOTHING
      for await (const event of store.read(entityStream(entity.name, id), { limit: revision })) {
        loaded = advance(entity, id, loaded, event)
      }
      return loaded.state
    },
    isCached: (entity, id) => kept.has(entityStream(entity.name, id)),
    keep: (entity, id, loaded) => keep(entityStream(entity.name, id), loaded),
    drop: (entity, id) => drop(entityStream(entity.name, id)),
  }
}

type Load = (entity: EntityDeclaration, id: string, fresh: boolean) => Promise<Loaded>

/** A nested entity has its parent's level, which may have changed since its creation. */
const placed = async (
  load: Load,
  entities: Readonly<Record<string, EntityDeclaration>>,
  entity: EntityDeclaration,
  loaded: Loaded,
): Promise<Loaded> => {
  const { state } = loaded
  if (state.status !== 'live' && state.status !== 'removed') return loaded
  const parent = parentIn(entity, state.fields)
  const container = parent === undefined || !Object.hasOwn(entities, parent) ? undefined : entities[parent]
  const id = parent === undefined ? undefined : state.fields[parent]
  if (container === undefined || typeof id !== 'string') return loaded
  // The cache is enough: a node drops what another one moved as soon as it follows the log (see `forget`).
  const above = (await placed(load, entities, container, await load(container, id, false))).state
  if ((above.status !== 'live' && above.status !== 'removed') || above.level === state.level) return loaded
  return { ...loaded, state: { ...state, level: above.level } }
}

const weightOf = ({ state, ids }: Loaded): number => {
  const least = SMALL + ids.length * ID
  if (state.status !== 'live' && state.status !== 'removed') return least
  return Object.values(state.fields).reduce<number>((sum, value) => sum + sizeOf(value), least)
}

const sizeOf = (value: Json): number => {
  if (typeof value === 'string') return value.length
  return value === null || typeof value !== 'object' ? 0 : JSON.stringify(value).length
}

const advance = (entity: EntityDeclaration, id: string, loaded: Loaded, event: StoredEvent): Loaded => {
  const { type, revision, level, data } = upcast(event)
  return {
    state: evolve(entity, id, loaded.state, { type, revision, level, data: data as EntityEvent & typeof data }),
    tail: { revision, hash: event.hash },
    ids: withIds(loaded, [event.id]),
  }
}

/** The newest ids once these events are there as well. */
export const withIds = ({ ids }: Loaded, added: readonly string[]): readonly string[] =>
  [...ids, ...added].slice(-MAX_SCANNED_EVENTS)
