import { eventOf, type Fields } from '#domain/entity.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json } from '#schemas/event.ts'
import type { Author } from '../pipeline/author.ts'
import type { CommandContext, Committed, Run } from '../pipeline/command-context.ts'
import { commit } from '../pipeline/commit.ts'
import { derivedId } from '../pipeline/event-id.ts'
import { chainOf } from '../process/chain.ts'
import type { Thing } from '../process/descendants.ts'
import { WrongRevision } from '../store/port.ts'
import type { Cleared } from './dangling-reference.ts'

/**
 * Clears appended references whose target was removed since the check. A removal looks for references after its own
 * append, so the later append finds the other (docs/adr/0020).
 */
export const clearLateReferences = async (
  context: CommandContext,
  { author }: Run,
  holder: Thing,
  given: Fields,
  committed: Committed,
): Promise<Committed & { readonly cleared: readonly Cleared[] }> => {
  const own = await chainOf(context, holder.entity, { id: holder.id, input: {} })
  const cleared: Cleared[] = []
  for (const { path, to, id } of referencesIn(holder.entity, given)) {
    if (await isGone(context, { entity: to, id }, own)) cleared.push({ path, id })
  }
  if (cleared.length === 0) return { ...committed, cleared }
  const gone = new Set(cleared.map(({ id }) => id))
  const seed = derivedId(author.seed, 'cleared')
  return { ...((await clearReferences(context, { ...author, seed }, holder, gone)) ?? committed), cleared }
}

/** Takes ids out of all references of a thing; undefined where it holds none of them any more. */
export const clearReferences = async (
  context: CommandContext,
  author: Author,
  { entity, id }: Thing,
  gone: ReadonlySet<string>,
): Promise<Committed | undefined> => {
  for (;;) {
    const loaded = await context.loader.load(entity, id, { fresh: true })
    const { state } = loaded
    const fields = state.status === 'live' ? fieldsWithout(entity, state.fields, gone) : {}
    if (state.status !== 'live' || Object.keys(fields).length === 0) return undefined
    const target = { entity, id, level: state.level, loaded }
    try {
      const result = await commit(context, { author, reserved: new Map() }, target, [
        eventOf(entity, 'Changed', { fields }),
      ])
      return result.ok ? result.value : undefined
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error
    }
  }
}

const fieldsWithout = (entity: EntityDeclaration, fields: Fields, gone: ReadonlySet<string>): Fields => {
  const without = (value: Json): Json => (Array.isArray(value) ? value.filter(id => !gone.has(String(id))) : null)
  const paths = new Set(referencesIn(entity, fields).flatMap(({ path, id }) => (gone.has(id) ? [path] : [])))
  return Object.fromEntries([...paths].map(path => [path, without(fields[path] ?? null)]))
}

/** References that fields hold; the parent is none. */
const referencesIn = (entity: EntityDeclaration, fields: Fields) =>
  Object.entries(fields).flatMap(([path, value]) => {
    const to = entity.fields[path]?.to
    if (to === undefined || path === parentField(entity)) return []
    const ids = (Array.isArray(value) ? value : [value]).filter(id => typeof id === 'string')
    return ids.map(id => ({ path, to, id }))
  })

/** Waits for a target whose removal, or whose parent's removal, has begun. */
const isGone = async (
  context: CommandContext,
  { entity: name, id }: { readonly entity: string; readonly id: string },
  own: readonly string[],
): Promise<boolean> => {
  const entity = context.entityOf(name)
  if (entity === undefined) return false
  const roots = (await chainOf(context, entity, { id, input: {} })).filter(root => !own.includes(root))
  for (const root of roots) if (await context.processes.isBusy([root])) await context.processes.resume(root)
  const { state } = await context.loader.load(entity, id, { fresh: true })
  return state.status !== 'live'
}
