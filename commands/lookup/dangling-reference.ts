import type { EntityState } from '#domain/behaviour.ts'
import type { Fields } from '#domain/entity.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { CommandContext } from '../pipeline/command-context.ts'

type ExistingState = Extract<EntityState, { status: 'live' | 'removed' }>

/** A reference cleared because its target was removed. */
export type Cleared = {
  readonly path: string
  readonly id: string
  /** Entity with the reference, if not the command's target. */
  readonly of?: { readonly entity: string; readonly id: string }
}

/**
 * Fields to restore, without references to removed entities. A restored entity gets all its fields back: unnamed fields
 * are checked too. Entities removed with it, and those in `returning`, are restored with it.
 */
export const clearDanglingReferences = async (
  context: CommandContext,
  entity: EntityDeclaration,
  state: ExistingState,
  named: Fields,
  returning: ReadonlySet<string> = new Set(),
): Promise<{ fields: Fields; cleared: Cleared[] }> => {
  const written = state.status === 'removed' ? { ...state.fields, ...named } : named
  const fields: Record<string, Json> = { ...named }
  const cleared: Cleared[] = []
  for (const [name, value] of Object.entries(written)) {
    const to = entity.fields[name]?.to
    if (to === undefined || name === parentField(entity) || entity.fields[name]?.readonly) continue
    const gone = await goneAmong(context, state, to, value, returning)
    if (gone.size === 0) continue
    cleared.push(...[...gone].map(id => ({ path: name, id })))
    fields[name] = Array.isArray(value) ? value.filter(id => !gone.has(String(id))) : null
  }
  return { fields, cleared }
}

const goneAmong = async (
  context: CommandContext,
  { id, status }: ExistingState,
  to: string,
  value: Json,
  returning: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const target = context.entityOf(to)
  const gone = new Set<string>()
  for (const pointed of Array.isArray(value) ? value : [value]) {
    if (typeof pointed !== 'string' || target === undefined) continue
    const { state } = await context.loader.load(target, pointed)
    if (state.status === 'live' || returning.has(pointed)) continue
    const removal = status === 'removed' ? await context.processes.latest(id, 'remove') : undefined
    if (removal?.steps.some(step => step.id === pointed) !== true) gone.add(pointed)
  }
  return gone
}
