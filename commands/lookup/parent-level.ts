import type { Live } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { parentIn } from '#domain/entity-tree.ts'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { carriesLevel, type EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller } from '../port.ts'
import { isVisible, reaches } from './visibility.ts'

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
