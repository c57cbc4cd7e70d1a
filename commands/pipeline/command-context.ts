import { z } from 'zod'
import type { DecisionContext, DomainEvent, EntityState, Live } from '#domain/behaviour.ts'
import { type Fields, isRemovedWith, isRemovedWithParent, parentIn, singleState } from '#domain/entity.ts'
import { withStoredItems } from '#domain/field/stored-items.ts'
import { parseInput, validateChange, validateCreate } from '#domain/field/validate.ts'
import type { Lookup } from '#domain/lookup.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { carriesLevel, type EntityDeclaration, isSingle, parentField, singleParent } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { TestRunner } from '../conversation-test/conversation-test-port.ts'
import type { FlowLog } from '../flow/flow-log.ts'
import type { Keys } from '../keys/secret.ts'
import type { Owner, Reservation } from '../name/reservation.ts'
import type { Caller, Checks, Command, Files } from '../port.ts'
import type { Processes } from '../process/process-port.ts'
import type { EventStore } from '../store/port.ts'
import type { Tracer } from '../tracer.ts'
import type { VersionWork } from '../version/version-work.ts'
import { type Author, derivedId } from './append.ts'
import { type Loaded, type Loader, NOTHING } from './load.ts'

/** One command on its way, kept over all its attempts. */
export interface Run {
  readonly command: Command
  readonly entity: EntityDeclaration
  readonly author: Author
  /** Names reserved so far and not yet confirmed: given back in the end. */
  readonly reserved: Map<string, Owner>
  /** Something of it may have been written: by an earlier attempt, or by another node that carries it out. */
  readonly isRepeated: boolean
}

export interface Committed {
  readonly revision: number
  /** Absent when there was nothing to write. */
  readonly position?: string
}

export interface CommandResult extends Committed {
  readonly id: string
  readonly result?: JsonObject
  readonly once?: JsonObject
}

/** Dependencies of every command. */
export interface CommandContext {
  readonly store: EventStore
  readonly keys: Keys
  readonly files: Files
  readonly lookup: Lookup
  readonly isOpenHost: (host: string) => Promise<boolean>
  /** Open chats of a queue of the desk. */
  readonly openDeskChats: (queue: string) => number
  /** Names of nodes whose build does not know the desk. */
  readonly nodesWithoutDesk: () => Promise<readonly string[]>
  readonly loader: Loader
  readonly flows: FlowLog
  readonly reservation: Reservation
  readonly processes: Processes
  /** Absent where no conversation can be run: no test gates then. */
  readonly tests: TestRunner | undefined
  readonly checks: Checks
  readonly versions: VersionWork
  readonly entities: Readonly<Record<string, EntityDeclaration>>
  readonly entityOf: (name: string) => EntityDeclaration | undefined
  readonly registry: CommandRegistry
  readonly tracer: Tracer
  readonly now: () => Date
}

/** One attempt at a command; throws `WrongRevision` to be tried again from the start. */
export type Attempt = (context: CommandContext, run: Run) => Promise<Result<CommandResult>>

/** Loads facts about other entities for a decision. `fields`: those of the command. */
export type LoadFacts<Facts> = (context: CommandContext, run: Run, state: EntityState, fields: Fields) => Promise<Facts>

/** One command as the registry has it. */
export interface RegisteredCommand {
  /** Verb of the permission, before the entity's name: `update`, `publish`. */
  readonly permission: string
  readonly attempt: Attempt
}

type ExistingState = Exclude<EntityState, { status: 'none' } | { status: 'abandoned' }>

/** An entity's own rules for the generic commands, each with the facts that it needs. */
export interface EntityRules {
  onCreate(context: CommandContext, run: Run, state: EntityState, fields: Fields): Promise<Result<Fields>>
  onChange(context: CommandContext, run: Run, state: ExistingState, changes: Fields): Promise<Result<Fields>>
  /** Events that replace the removal; null for an ordinary one. */
  onRemove(context: CommandContext, run: Run, state: Live): Promise<Result<readonly DomainEvent[] | null>>
}

/** Everything that commands do with one entity. `Name`: its commands beyond the generic ones. */
export interface EntityCommands<Name extends string = string> {
  readonly rules: EntityRules
  readonly commands: Readonly<Record<Name, RegisteredCommand>>
}

export interface CommandRegistry {
  rulesOf(entity: string): EntityRules
  /** Undefined for an action that the entity does not have. */
  commandOf(entity: string, action: string): RegisteredCommand | undefined
}

/** Time, actor and the facts that deciding a command needs. */
export const decisionContext = async <Facts>(
  load: LoadFacts<Facts>,
  context: CommandContext,
  run: Run,
  state: EntityState,
  fields: Fields,
): Promise<DecisionContext<Facts>> => ({
  time: run.author.time,
  actor: run.author.actor,
  facts: await load(context, run, state, fields),
})

/** `createbot` for creating one, `publishdialog` for the named command publish. */
export const permissionFor = (registry: CommandRegistry, { name }: EntityDeclaration, action: string): string =>
  (registry.commandOf(name, action)?.permission ?? action) + name

export const isPermitted = (
  registry: CommandRegistry,
  caller: Caller,
  entity: EntityDeclaration,
  action: string,
): boolean => caller.user === null || caller.permits(permissionFor(registry, entity, action))

/** Whether the caller may reach a level; null is outside the tree, reachable for everyone. */
export const reaches = (caller: Caller, level: string | null): boolean =>
  caller.user === null || level === null || caller.subtree.has(level)

/** A level of the tree is its own level; everything else is where its stream says. */
export const levelOf = (entity: EntityDeclaration, state: Pick<Live, 'id' | 'level'>): string | null =>
  entity.name === 'hierarchy' ? state.id : state.level

export const isVisible = (caller: Caller, entity: EntityDeclaration, state: EntityState): boolean => {
  if (state.status !== 'live' && state.status !== 'removed') return false
  return reaches(caller, isRemovedLevel(entity, state) ? parentOf(state) : levelOf(entity, state))
}

/** A removed level is in no subtree: callers who reach its parent can see and restore it. */
const isRemovedLevel = ({ name }: EntityDeclaration, { status }: EntityState) =>
  name === 'hierarchy' && status === 'removed'
const parentOf = ({ id, fields }: Pick<Live, 'id' | 'fields'>) =>
  typeof fields.parent === 'string' ? fields.parent : id

/** Level of a new entity: its own, or that of its parent, which must be live and reachable. */
export const placeOf = async (
  context: CommandContext,
  caller: Caller,
  entity: EntityDeclaration,
  fields: Fields,
  hierarchylevel: string | undefined,
): Promise<Result<string | null>> => {
  const parent = parentIn(entity, fields)
  if (parent === undefined) {
    const level = carriesLevel(entity) ? (hierarchylevel ?? caller.level) : null
    return reaches(caller, level) ? accepted(level) : refused('entity.notfound')
  }
  const container = context.entityOf(parent)
  const id = fields[parent]
  const errors: FieldError[] = [{ path: parent, code: 'reference' }]
  if (container === undefined || typeof id !== 'string') return refused('validation.failed', { errors })
  const { state } = await context.loader.load(container, id, { fresh: true })
  if (state.status !== 'live' || !isVisible(caller, container, state)) return refused('validation.failed', { errors })
  if (hierarchylevel === undefined || hierarchylevel === state.level) return accepted(state.level)
  return refused('validation.failed', { errors: [{ path: 'hierarchylevel', code: 'reference' }] })
}

/** Whether the parent and its level are live: an entity is restored only into a live parent. */
export const hasLiveParent = async (
  context: CommandContext,
  entity: EntityDeclaration,
  { level, fields }: Pick<Live, 'level' | 'fields'>,
): Promise<boolean> => {
  const parent = parentIn(entity, fields)
  if (parent === undefined) return !(await isLevelGone(context, entity.name === hierarchy.name ? fields.parent : level))
  const container = context.entityOf(parent)
  const id = fields[parent]
  if (container === undefined || typeof id !== 'string') return false
  return (await context.loader.load(container, id, { fresh: true })).state.status === 'live'
}

/** Whether a level was removed, as the store has it now. */
export const isLevelGone = async ({ loader }: CommandContext, level: Json | undefined): Promise<boolean> =>
  typeof level === 'string' && (await loader.load(hierarchy, level, { fresh: true })).state.status === 'removed'

/**
 * The id this command makes, or the next one where another taker of the name has closed it. At first it is not looked
 * up: the append, which names "no stream", finds out.
 */
export const unusedId = async ({ loader }: CommandContext, { author, entity, command, isRepeated }: Run) => {
  for (let attempt = 0; ; attempt += 1) {
    const id = attempt === 0 && command.id !== '' ? command.id : derivedId(author.seed, `${entity.name}:${attempt}`)
    if (!isRepeated && command.id === '') return { id, loaded: NOTHING }
    const loaded = await loader.load(entity, id)
    if (loaded.state.status !== 'abandoned') return { id, loaded }
  }
}

/** A thing as it stands, whether or not its entity has one per parent. */
export const loadThing = (context: CommandContext, entity: EntityDeclaration, id: string): Promise<Loaded> =>
  isSingle(entity) ? loadSingle(context, entity, id) : context.loader.load(entity, id)

/**
 * The only one in its parent: at its defaults before its first event, with the level of its parent, and removed while
 * its parent is.
 */
const loadSingle = async (context: CommandContext, entity: EntityDeclaration, id: string): Promise<Loaded> => {
  const within = singleParent(entity, id)
  if (within === undefined) return NOTHING
  const loaded = await context.loader.load(entity, id)
  const parent = parentField(entity)
  if (parent === undefined)
    return withState(loaded, loaded.state.status === 'none' ? singleState(entity, id, null) : loaded.state)
  const container = context.entityOf(parent)
  const above = container && (await context.loader.load(container, within[parent] ?? '', { fresh: true })).state
  if (above?.status !== 'live' && above?.status !== 'removed') return NOTHING
  const { state } = loaded
  const present = state.status === 'live' || state.status === 'removed' ? state : singleState(entity, id, above.level)
  return withState(loaded, { ...present, status: above.status })
}

const withState = (loaded: Loaded, state: Loaded['state']): Loaded => ({ ...loaded, state })

/** Commands whose revision is that of the flow, which they check with it. */
const FLOW_REVISION_ACTIONS: ReadonlySet<string> = new Set(['importflow', 'restoreflow'])

/** Target of the command, live or removed; entities outside the caller's reach do not exist. */
export const loadTarget = async (
  context: CommandContext,
  { entity, command }: Run,
): Promise<Result<{ state: ExistingState; loaded: Loaded }>> => {
  const loaded = await loadThing(context, entity, command.id)
  const { state } = loaded
  if (state.status === 'none' || state.status === 'abandoned') return refused('entity.notfound')
  if (!isVisible(command.caller, entity, state)) return refused('entity.notfound')
  const isStale =
    command.only !== undefined && command.only !== state.revision && !FLOW_REVISION_ACTIONS.has(command.action)
  return isStale ? refused('entity.revision') : accepted({ state, loaded })
}

/** The same for what only a live thing can do. */
export const loadLiveTarget = async (
  context: CommandContext,
  run: Run,
): Promise<Result<{ state: Live; loaded: Loaded }>> => {
  const target = await loadTarget(context, run)
  if (!target.ok) return target
  const { state, loaded } = target.value
  return state.status === 'live' ? accepted({ state, loaded }) : refused('entity.notfound')
}

/** The same context, reading every stream from the store: cached states may be behind what another node wrote. */
export const bypassCache = (context: CommandContext): CommandContext => {
  const { loader } = context
  return { ...context, loader: { ...loader, load: (entity, id) => loader.load(entity, id, { fresh: true }) } }
}

/** The same for one attempt, in which each stream is read once; again where `fresh` asks for it. */
export const bypassCacheOnce = (context: CommandContext): CommandContext => {
  const { loader } = context
  const read = new Map<string, Promise<Loaded>>()
  const load: typeof loader.load = (entity, id, options = {}) => {
    const stream = entityStream(entity.name, id)
    const known = options.fresh === true ? undefined : read.get(stream)
    const loaded = known ?? loader.load(entity, id, { fresh: true })
    read.set(stream, loaded)
    return loaded
  }
  return { ...context, loader: { ...loader, load } }
}

interface CachedTarget {
  /** Read the command's own target from the cache and everything else from the store. */
  readonly context: CommandContext
  /** Whether the target was read from the cache and the store holds a newer revision of it. */
  wasStale(): Promise<boolean>
}

/**
 * Only the target of a command may be read from the cache, because the command appends to its stream: the expected
 * revision of the append detects stale state. Without an append `wasStale` does.
 */
export const cachedTarget = (context: CommandContext, { entity, command }: Run): CachedTarget => {
  const { loader } = context
  const { loader: others } = bypassCacheOnce(context)
  let cached: Loaded | undefined
  const load: typeof loader.load = async (of, id, options = {}) => {
    const isTarget = of.name === entity.name && id === command.id && options.fresh !== true
    if (!isTarget) return others.load(of, id, options)
    const isCached = loader.isCached(of, id)
    const loaded = await loader.load(of, id)
    // Decides on the first state, even if another command of this node caches a newer one.
    if (isCached) cached ??= loaded
    return loaded
  }
  return {
    context: { ...context, loader: { ...loader, load } },
    async wasStale() {
      if (cached === undefined) return false
      const { tail } = await loader.load(entity, command.id, { fresh: true })
      return tail.revision !== cached.tail.revision
    },
  }
}

/** Ids of new items of a list: the same for each attempt of one command. */
const itemIds = (seed: string) => (path: string) => derivedId(seed, `item:${path}`)

export const parseCreate = async (
  entity: EntityDeclaration,
  input: JsonObject,
  seed: string,
): Promise<Result<{ fields: Fields; hierarchylevel: string | undefined }>> => {
  const parsed = await validateCreate(entity, input)
  if (!parsed.ok) return parsed
  const { hierarchylevel, ...rest } = parsed.value
  const given = carriesLevel(entity) ? rest : parsed.value
  const fields = withStoredItems(entity.fields, {}, given, itemIds(seed))
  if (!fields.ok) return fields
  return accepted({
    fields: fields.value,
    hierarchylevel: typeof hierarchylevel === 'string' ? hierarchylevel : undefined,
  })
}

export const parseChange = async (
  entity: EntityDeclaration,
  present: Fields,
  input: JsonObject,
  seed: string,
): Promise<Result<Fields>> => {
  const parsed = await validateChange(entity, present, input)
  return parsed.ok ? withStoredItems(entity.fields, present, parsed.value, itemIds(seed)) : parsed
}

const confirmationSchema = z.strictObject({ confirm: z.string().max(100).optional() })

/** Whether CONFIRM was typed where it is needed; the body holds nothing else. */
export const checkConfirmation = (input: JsonObject, needed: boolean): Result<null> => {
  if (needed && input.confirm !== 'CONFIRM') return refused('validation.confirm', { errors: [missing(input)] })
  const parsed = parseInput(confirmationSchema, input)
  return parsed.ok ? accepted(null) : parsed
}

const missing = ({ confirm }: JsonObject) =>
  ({ path: 'confirm', code: confirm === undefined || confirm === null ? 'required' : 'option' }) as const

type Entities = Readonly<Record<string, EntityDeclaration>>

/** Entities whose things are removed with things of this one. */
const contentsOf = (entities: Entities, { name }: EntityDeclaration): readonly EntityDeclaration[] =>
  Object.values(entities).filter(child => isRemovedWith(child, name))

/** Whether removing a thing removes others by events of their own: comments and what exists once only hide with it. */
export const isTree = (entities: Entities, entity: EntityDeclaration): boolean =>
  contentsOf(entities, entity).some(({ rights }) => rights !== 'readers')

export interface Thing {
  readonly entity: EntityDeclaration
  readonly id: string
}

/** All contents of an entity, at any depth, parents first. */
export const listDescendants = async (context: CommandContext, { entity, id }: Thing): Promise<Thing[]> => {
  const found: Thing[] = []
  for (const child of contentsOf(context.entities, entity)) {
    for (const childId of await context.lookup.children(entity.name, id, child.name)) {
      const thing = { entity: child, id: childId }
      found.push(thing, ...(await listDescendants(context, thing)))
    }
  }
  return found
}

/** Waits until all that was written can be looked up. */
export const awaitLookup = async ({ store, lookup }: CommandContext): Promise<void> =>
  lookup.reached(await store.head())

/** Refuses one more thing than a level may have. */
export const roomInLevel = async (
  context: CommandContext,
  { name, maxInLevel: max }: EntityDeclaration,
  level: string | null,
): Promise<Result<null>> => {
  if (max === undefined || level === null) return accepted(null)
  await awaitLookup(context)
  const present = await context.lookup.children('hierarchy', level, name)
  return present.length < max ? accepted(null) : refused('entity.limit', { params: { max } })
}

/** Ids of an entity that can be part of a process and of all its parents: all that may be busy. */
export const chainOf = async (
  context: CommandContext,
  entity: EntityDeclaration,
  { id, input }: Pick<Command, 'id' | 'input'>,
): Promise<string[]> => {
  const ids = id === '' ? [] : [id]
  if (parentField(entity) === undefined) return isContainer(context, entity) ? ids : []
  return [...ids, ...(await parentsOf(context, entity, { id, input }, () => true))]
}

/** Ids of the things of which each removal also removes this one. */
export const removedWith = async (
  context: CommandContext,
  entity: EntityDeclaration,
  id: string,
): Promise<readonly string[]> => {
  const parents = await parentsOf(context, entity, { id, input: {} }, isRemovedWithParent)
  const names = Object.keys(entity.fields).filter(name => entity.fields[name]?.onTargetRemoved === 'remove')
  if (names.length === 0) return parents
  const fields = await fieldsOf(context, entity, id)
  const others = names.map(async name => {
    const [target, of] = [fields[name], context.entityOf(name)]
    return typeof target !== 'string' || of === undefined ? [] : [target, ...(await removedWith(context, of, target))]
  })
  return [...parents, ...(await Promise.all(others)).flat()]
}

const parentsOf = async (
  context: CommandContext,
  entity: EntityDeclaration,
  { id, input }: Pick<Command, 'id' | 'input'>,
  follows: (child: EntityDeclaration) => boolean,
): Promise<string[]> => {
  const ids: string[] = []
  let child = entity
  let fields = id === '' ? input : await fieldsOf(context, entity, id)
  for (;;) {
    const field = follows(child) ? parentField(child) : undefined
    const parent = field === undefined ? undefined : fields[field]
    const container = field === undefined ? undefined : context.entityOf(field)
    if (typeof parent !== 'string' || container === undefined) return ids
    ids.push(parent)
    child = container
    fields = parentField(child) === undefined ? {} : await fieldsOf(context, child, parent)
  }
}

const isContainer = ({ entities }: CommandContext, { name }: EntityDeclaration) =>
  Object.values(entities).some(child => parentField(child) === name)

const fieldsOf = async (
  context: CommandContext,
  entity: EntityDeclaration,
  id: string,
): Promise<Readonly<Record<string, Json>>> => {
  const { state } = await context.loader.load(entity, id)
  if (state.status === 'live' || state.status === 'removed') return state.fields
  return (isSingle(entity) ? singleParent(entity, id) : undefined) ?? {}
}

/** Stream of the lock that a command holds from its decision to its append where it depends on the shape of the tree. */
const TREE = 'name-leveltree'

/**
 * Two nodes that each take one branch below the other would both find no cycle, and cut both off the tree; a level that
 * is removed while something moves to it would hide that. Commands that move, remove or restore a level, or move a thing
 * to one, therefore hold a lock and decide on the events of its last holder. `id`: the level or thing.
 */
export const lockTree = async (
  { reservation }: CommandContext,
  { author, reserved, entity }: Run,
  id: string,
): Promise<void> => {
  const owner = { entity: entity.name, id }
  reserved.set(TREE, owner)
  await reservation.reserve(author, owner, TREE)
}
