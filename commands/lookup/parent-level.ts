import type { EntityState, Live } from '#domain/behaviour.ts'
import { type Fields, parentIn } from '#domain/entity.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { carriesLevel, type EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'

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
