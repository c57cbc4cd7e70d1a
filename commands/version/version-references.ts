import { parentIn } from '#domain/entity-tree.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import { isVersioned, VERSION_ROOT } from '#schemas/versioned.ts'
import { isVisible } from '../lookup/visibility.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import { loadThing } from '../pipeline/load-single.ts'
import type { Caller } from '../port.ts'
import type { PlacedThing, Placement } from './place-things.ts'

/** A reference field of a version as it can be set in the bot. */
interface ResolvedReference {
  /** Undefined: the bot's value stays. */
  readonly value: Json | undefined
  /** Ids of the version that point at nothing which the bot could point at. */
  readonly cleared: readonly string[]
}

/**
 * Resolves references of a version to targets in the bot. Entities of the version get their ids here; a target outside
 * of the bot stays if it exists and the caller may see it.
 */
export const referenceResolver = (
  context: CommandContext,
  caller: Caller,
  bot: string,
  { ids, surplus }: Pick<Placement, 'ids' | 'surplus'>,
) => {
  const removed = new Set(surplus.map(({ state }) => state.id))

  /** The versioned root of an entity; undefined without one. */
  const rootOf = async (entity: EntityDeclaration, id: string): Promise<string | undefined> => {
    if (entity.name === VERSION_ROOT) return id
    const { state } = await loadThing(context, entity, id)
    const parent = state.status === 'live' ? parentIn(entity, state.fields) : undefined
    const above = parent === undefined ? undefined : context.entityOf(parent)
    if (state.status !== 'live' || parent === undefined || above === undefined) return undefined
    return rootOf(above, String(state.fields[parent]))
  }

  const hereOf = async (target: EntityDeclaration, id: string): Promise<string | undefined> => {
    if (Object.hasOwn(ids, id)) return ids[id]
    const { state } = await loadThing(context, target, id)
    if (state.status !== 'live' || removed.has(id) || !isVisible(caller, target, state)) return undefined
    const root = await rootOf(target, id)
    return root === undefined || root === bot ? id : undefined
  }

  return async ({ entity, as }: PlacedThing, name: string, value: Json): Promise<ResolvedReference> => {
    const target = context.entityOf(entity.fields[name]?.to ?? '')
    if (target === undefined) return { value: undefined, cleared: [] }
    const given = (Array.isArray(value) ? value : [value]).filter(id => typeof id === 'string')
    const here: string[] = []
    const cleared: string[] = []
    for (const id of given) {
      const found = await hereOf(target, id)
      if (found === undefined) cleared.push(id)
      else here.push(found)
    }
    // Of another installation, or gone since: the bot keeps what it has.
    if (cleared.length > 0 && as !== 'new' && !isVersioned(target)) return { value: undefined, cleared: [] }
    return { value: Array.isArray(value) ? here : (here[0] ?? null), cleared }
  }
}
