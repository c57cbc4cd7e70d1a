import type { EntityState, Live } from '#domain/behaviour.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Caller } from './port.ts'

/** Whether a level lies in what the caller may reach; null is outside the tree, for everybody. */
export const reaches = (caller: Caller, level: string | null): boolean =>
  caller.user === null || level === null || caller.subtree.has(level)

/** A level of the tree is its own level; everything else is where its stream says. */
export const levelOf = (entity: EntityDeclaration, state: Pick<Live, 'id' | 'level'>): string | null =>
  entity.name === 'hierarchy' ? state.id : state.level

export const isVisible = (caller: Caller, entity: EntityDeclaration, state: EntityState): boolean =>
  (state.status === 'live' || state.status === 'removed') && reaches(caller, levelOf(entity, state))
