import type { EntityState, Live } from '#domain/behaviour.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
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
