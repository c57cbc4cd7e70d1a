import { setTimeout as pause } from 'node:timers/promises'
import type { EntityState } from '#domain/behaviour.ts'
import { parentIn } from '#domain/entity.ts'
import { type EntityDeclaration, parentField, uniqueFields } from '#schemas/entity.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { foldName } from '#schemas/fold-text.ts'
import { type Keys, openField } from '../keys/secret.ts'
import { type Author, append, draft, NO_STREAM, type Tail } from '../pipeline/append.ts'
import type { Loaded, Loader } from '../pipeline/load.ts'
import { type EventStore, WrongRevision } from '../store/port.ts'

/** A unique name that a thing bears, and the stream that holds it. `field` is empty where it is the only one of its parent. */
interface Name {
  readonly stream: string
  readonly field: string
  readonly value: string
}

/** The stream that holds a name; `scope` is the id it is unique within, null for everywhere. */
export const nameStream = async (
  keys: Keys,
  entity: string,
  field: string,
  scope: Json,
  value: string,
): Promise<string> => `name-${entity}-${await keys.index.hmac(JSON.stringify([entity, field, scope, foldName(value)]))}`

/** The id that a name is unique within; undefined where the rule is for things of another place. */
const scopeOf = (
  entity: EntityDeclaration,
  { level, fields }: Extract<EntityState, { status: 'live' }>,
  within: string,
): Json | undefined => {
  if (within === 'everywhere') return null
  // A thing that may be in a parent or in a level has a rule for each.
  if (within === 'level') return parentIn(entity, fields) === undefined ? level : undefined
  return fields[within] ?? (entity.withoutParent === undefined ? null : undefined)
}

/** The unique names a thing bears as it stands: none unless it is live. */
export const namesOf = async (keys: Keys, entity: EntityDeclaration, state: EntityState): Promise<Name[]> => {
  if (state.status !== 'live') return []
  const names: Name[] = []
  if (entity.cardinality === 'optional') {
    const parent = parentField(entity)
    const scope = parent === undefined ? state.level : (state.fields[parent] ?? null)
    names.push({ stream: await nameStream(keys, entity.name, '', scope, ''), field: '', value: '' })
  }
  for (const unique of entity.unique) {
    const { within } = unique
    const fields = uniqueFields(unique)
    const values = await Promise.all(
      fields.map(field => openField(keys, entity, state.id, field, state.fields[field] ?? null)),
    )
    const field = fields.at(-1) ?? ''
    const last = values.at(-1)
    // Numbers are unique together: 1.4.2 of a release.
    const value = values.every(one => typeof one === 'number') ? values.join('.') : last
    if (typeof value !== 'string' || foldName(value) === '') continue
    const scope = scopeOf(entity, state, within)
    if (scope === undefined) continue
    const each = values.map(one => (typeof one === 'string' ? foldName(one) : one))
    const joined = values.length === 1 ? value : JSON.stringify(each)
    names.push({ stream: await nameStream(keys, entity.name, fields.join('+'), scope, joined), field, value })
  }
  return names.sort((a, b) => (a.stream < b.stream ? -1 : 1))
}

/**
 * Runs one query per key at a time. A call during a running query shares the next one, which is not older than the
 * call: a thousand waiting calls cost as much as one.
 */
export const coalesceByKey = <T>(ask: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const current = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()

  const begin = (key: string): Promise<T> => {
    next.delete(key)
    const answer = ask(key)
    current.set(key, answer)
    const over = () => {
      if (current.get(key) === answer) current.delete(key)
    }
    answer.then(over, over)
    return answer
  }

  return key => {
    const before = current.get(key)
    if (before === undefined) return begin(key)
    const again = () => begin(key)
    const shared = next.get(key) ?? before.then(again, again)
    next.set(key, shared)
    return shared
  }
}

export interface Owner {
  readonly entity: string
  readonly id: string
}

/**
 * Unique names, each a stream Reserved → Confirmed → Released that is never deleted. Reserve before writing the entity,
 * settle after it. For a reserved, unconfirmed name, read the owner's stream and make the owner's write impossible
 * before taking the name.
 */
export interface Reservation {
  /**
   * Reservation to pass to `confirm`; undefined: the name is taken. Repeated calls within the same command change
   * nothing.
   */
  reserve(author: Author, owner: Owner, stream: string): Promise<Tail | undefined>
  confirm(author: Author, owner: Owner, stream: string, reserved: Tail): Promise<void>
  /** Gives a name up that its owner does not bear (any more); otherwise does nothing. */
  release(author: Author, owner: Owner, stream: string): Promise<void>
}

interface Options {
  readonly store: EventStore
  readonly keys: Keys
  readonly loader: Loader
  readonly entityOf: (name: string) => EntityDeclaration | undefined
}

type Standing =
  | { readonly status: 'free'; readonly tail: Tail }
  | { readonly status: 'reserved' | 'confirmed'; readonly tail: Tail; readonly owner: Owner; readonly command: string }

/** Longest wait for an active owner before its write is made impossible, ms. */
const WAIT_TIMEOUT_MS = 300
const POLL_INTERVAL_MS = 20

export const createReservation = ({ store, keys, loader, entityOf }: Options): Reservation => {
  const standing = coalesceByKey((stream: string) => standingIn(store, stream))
  const ownerNow = coalesceByKey(async (owner: string) => {
    const { entity: name, id } = JSON.parse(owner) as Owner
    const entity = entityOf(name)
    return entity && { entity, loaded: await loader.load(entity, id, { fresh: true }) }
  })
  /** Free names being reserved on this node: only one attempt at a time can win. */
  const attempts = new Map<string, Promise<undefined>>()

  const write = async (author: Author, stream: string, tail: Tail, steps: readonly Step[]) => {
    const drafts = steps.map(({ type, owner }, index) =>
      draft(author, `${stream}:${type}:${tail.revision + index}`, type, null, {
        entity: owner.entity,
        id: owner.id,
        command: author.seed,
      }),
    )
    try {
      return await append(store, stream, tail, drafts)
    } catch (error) {
      if (error instanceof WrongRevision) return undefined
      throw error
    }
  }

  const attempt = async (author: Author, owner: Owner, stream: string, tail: Tail): Promise<Tail | undefined> => {
    const written = write(author, stream, tail, [{ type: 'NameReserved', owner }])
    const over = () => undefined
    attempts.set(stream, written.then(over, over))
    try {
      return await written
    } finally {
      attempts.delete(stream)
    }
  }

  const bears = async (owner: Owner, stream: string): Promise<{ readonly yes: boolean; readonly loaded?: Loaded }> => {
    const found = await ownerNow(JSON.stringify({ entity: owner.entity, id: owner.id }))
    if (found === undefined) return { yes: false }
    const { entity, loaded } = found
    const names = await namesOf(keys, entity, loaded.state)
    return { yes: names.some(name => name.stream === stream), loaded }
  }

  /** Moves the owner's stream, so that what it was about to write fails. False: it moved first, look again. */
  const fence = async (author: Author, owner: Owner, loaded: Loaded | undefined): Promise<boolean> => {
    const entity = entityOf(owner.entity)
    if (entity === undefined || loaded === undefined) return true
    const { state, tail } = loaded
    if (state.status === 'abandoned') return true
    const stream = entityStream(owner.entity, owner.id)
    const type = entity.type + (state.status === 'none' ? 'Abandoned' : 'Fenced')
    const level = state.status === 'none' ? null : state.level
    try {
      const fenced = draft(author, `${stream}:${type}:${tail.revision}`, type, level, { fields: {} })
      await append(store, stream, tail, [fenced])
      return true
    } catch (error) {
      if (error instanceof WrongRevision) return false
      throw error
    } finally {
      loader.drop(entity, owner.id)
    }
  }

  /** `changed`: it is not as it was seen any more, look again. */
  const takeFrom = async (
    author: Author,
    taker: Owner,
    stream: string,
    held: Exclude<Standing, { status: 'free' }>,
  ): Promise<Tail | 'taken' | 'changed'> => {
    const { yes, loaded } = await bears(held.owner, stream)
    if (yes) {
      if (held.status === 'reserved')
        await write(author, stream, held.tail, [{ type: 'NameConfirmed', owner: held.owner }])
      return isSame(held.owner, taker) ? held.tail : 'taken'
    }
    // Both write the same stream, where only one of them can be next.
    const isRival = held.status === 'reserved' && !isSame(held.owner, taker)
    if (isRival && !(await fence(author, held.owner, loaded))) return 'changed'
    const steps: Step[] = [
      { type: 'NameReleased', owner: held.owner },
      { type: 'NameReserved', owner: taker },
    ]
    return (await write(author, stream, held.tail, steps)) ?? 'changed'
  }

  return {
    async reserve(author, owner, stream) {
      let waited = 0
      let seen = -1
      for (;;) {
        const held = await standing(stream)
        if (held.status === 'free') {
          const rival = attempts.get(stream)
          const reserved = rival === undefined ? await attempt(author, owner, stream, held.tail) : await rival
          if (reserved !== undefined) return reserved
          continue
        }
        if (held.status === 'reserved' && held.command === author.seed && isSame(held.owner, owner)) return held.tail
        if (held.tail.revision !== seen) waited = 0
        seen = held.tail.revision
        if (held.status === 'reserved' && waited < WAIT_TIMEOUT_MS) {
          const glance = POLL_INTERVAL_MS * (0.5 + Math.random())
          await pause(glance)
          waited += glance
          continue
        }
        const taken = await takeFrom(author, owner, stream, held)
        if (taken !== 'changed') return taken === 'taken' ? undefined : taken
      }
    },
    async confirm(author, owner, stream, reserved) {
      await write(author, stream, reserved, [{ type: 'NameConfirmed', owner }])
    },
    async release(author, owner, stream) {
      const held = await standing(stream)
      if (held.status === 'free' || !isSame(held.owner, owner)) return
      if (held.status === 'reserved' && held.command !== author.seed) return
      if ((await bears(owner, stream)).yes) return
      await write(author, stream, held.tail, [{ type: 'NameReleased', owner }])
    },
  }
}

interface Step {
  readonly type: 'NameReserved' | 'NameConfirmed' | 'NameReleased'
  readonly owner: Owner
}

const isSame = (a: Owner, b: Owner) => a.entity === b.entity && a.id === b.id

const standingIn = async (store: EventStore, stream: string): Promise<Standing> => {
  for await (const event of store.read(stream, { direction: 'backwards', limit: 1 })) return standingOf(event)
  return { status: 'free', tail: NO_STREAM }
}

const standingOf = (event: StoredEvent): Standing => {
  const tail = { revision: event.revision, hash: event.hash }
  if (event.type === 'NameReleased') return { status: 'free', tail }
  const owner = { entity: String(event.data.entity), id: String(event.data.id) }
  const status = event.type === 'NameReserved' ? 'reserved' : 'confirmed'
  return { status, tail, owner, command: String(event.data.command) }
}
