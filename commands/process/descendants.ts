import { isRemovedWith, isRemovedWithParent } from '#domain/entity.ts'
import { type EntityDeclaration, isSingle, parentField, singleParent } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { CommandContext, Run } from '../pipeline/command-context.ts'
import type { Command } from '../port.ts'

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
