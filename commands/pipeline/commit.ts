import type { DomainEvent, EntityState } from '#domain/behaviour.ts'
import { decideRemove, evolve, type Fields, parentIn } from '#domain/entity.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { carriesLevel, type EntityDeclaration } from '#schemas/entity.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { namesOf } from '../name/reservation.ts'
import { WrongRevision } from '../store/port.ts'
import { traced } from '../tracer.ts'
import { type Author, append, draft, isFirstEvent, type Tail, undoneSeed } from './append.ts'
import { type CommandContext, type Committed, isLevelGone, type Run } from './command-context.ts'
import { type Loaded, withIds } from './load.ts'

interface Target {
  readonly entity: EntityDeclaration
  readonly id: string
  readonly level: string | null
  readonly loaded: Loaded
}

/** Events that a command decided on, and what they are written after. */
export interface PlannedCommit {
  readonly target: Target
  readonly events: readonly DomainEvent[]
  /** Fields that the events set. */
  readonly fields: Fields
}

/** On whose behalf, and the names reserved so far. */
type Writing = Pick<Run, 'author' | 'reserved'>

/**
 * Writes events after the loaded revision. New unique names are reserved before the append and confirmed after it;
 * names that end are released. A thing created in a level that was removed meanwhile is removed again: a removal
 * counts the contents of the level after its append, so the later append finds the other (docs/adr/0020).
 * @throws WrongRevision when the stream has changed: load and decide again
 */
export const commit = async (
  context: CommandContext,
  run: Writing,
  target: Target,
  events: readonly DomainEvent[],
): Promise<Result<Committed>> => {
  const { entity, id, level, loaded } = target
  const { revision } = loaded.tail
  if (events.length === 0) return accepted({ revision })
  // Carried out elsewhere before this was loaded: a later change must not be undone by the same again.
  const stream = entityStream(entity.name, id)
  if (loaded.ids.some(isFirstEvent(run.author.seed, stream))) throw new WrongRevision(stream, revision, revision)
  const next = events.reduce<EntityState>(
    (state, { type, data }, index) => evolve(entity, id, state, { type, data, level, revision: revision + index + 1 }),
    loaded.state,
  )
  const before = await namesOf(context.keys, entity, loaded.state)
  const after = await namesOf(context.keys, entity, next)
  const owner = { entity: entity.name, id }
  const fresh = after.filter(name => !before.some(old => old.stream === name.stream))
  const reservations: [string, Tail][] = []
  for (const name of fresh) {
    run.reserved.set(name.stream, owner)
    const reserved = await context.reservation.reserve(run.author, owner, name.stream)
    if (reserved === undefined) {
      run.reserved.delete(name.stream)
      if (name.field === '') return refused('entity.exists', { params: { entity: entity.name } })
      return refused('entity.name.taken', {
        params: { name: name.value },
        errors: [{ path: name.field, code: 'taken', params: { name: name.value.trim(), entity: entity.name } }],
      })
    }
    reservations.push([name.stream, reserved])
  }
  const written = await write(context, run, target, events, next)
  const confirm = async ([stream, reserved]: [string, Tail]) => {
    await context.reservation.confirm(run.author, owner, stream, reserved)
    run.reserved.delete(stream)
  }
  const ended = before.filter(name => !after.some(kept => kept.stream === name.stream))
  // Different streams: the store writes them together.
  await Promise.all([
    ...reservations.map(confirm),
    ...ended.map(name => context.reservation.release(run.author, owner, name.stream)),
  ])
  const place = placeAmongLevels(target, next)
  if (place === undefined || loaded.state.status === 'live' || !(await isLevelGone(context, place)))
    return accepted(written)
  await takeBack(context, run.author, target)
  return refused('entity.parent')
}

/** Level of a live entity that has no parent entity. */
const placeAmongLevels = ({ entity, level }: Target, next: EntityState): string | undefined => {
  if (next.status !== 'live') return undefined
  if (entity.name === hierarchy.name) return typeof next.fields.parent === 'string' ? next.fields.parent : undefined
  return carriesLevel(entity) && parentIn(entity, next.fields) === undefined ? (level ?? undefined) : undefined
}

/** Removes what the same command has just written. */
const takeBack = async (context: CommandContext, author: Author, { entity, id }: Target): Promise<void> => {
  const seed = undoneSeed(author.seed)
  for (;;) {
    const loaded = await context.loader.load(entity, id, { fresh: true })
    const { state } = loaded
    if (state.status !== 'live') return
    try {
      const target = { entity, id, level: state.level, loaded }
      await commit(context, { author: { ...author, seed }, reserved: new Map() }, target, decideRemove(entity))
      return
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}

const write = async (
  { store, loader, tracer }: CommandContext,
  run: Writing,
  { entity, id, level, loaded }: Target,
  events: readonly DomainEvent[],
  next: EntityState,
): Promise<Committed> => {
  const stream = entityStream(entity.name, id)
  const drafts = events.map((event, index) => draft(run.author, `${stream}:${index}`, event.type, level, event.data))
  try {
    const attributes = { 'parley.entity': entity.name, 'parley.events': drafts.length }
    const { revision, hash, position } = await traced(tracer, 'parley.append', { attributes }, () =>
      append(store, stream, loaded.tail, drafts),
    )
    const ids = drafts.map(draft => draft.id)
    loader.keep(entity, id, { state: next, tail: { revision, hash }, ids: withIds(loaded, ids) })
    return { revision, position }
  } catch (error) {
    if (error instanceof WrongRevision) loader.drop(entity, id)
    throw error
  }
}
