import { isRemovedWithParent } from '#domain/entity-tree.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import { http } from '#web/api/http.ts'

/** What is removed. `bot`: the one whose flows may lead to it. */
export interface Removed {
  readonly entity: string
  readonly id: string
  readonly bot?: string | undefined
}

/** How much goes with something that is removed, and how many blocks elsewhere lead to it: with any it is not removed. */
interface Removal {
  readonly goes: readonly { readonly entity: string; readonly count: number }[]
  readonly leads: number
}

/** Entities whose things go with one of this entity, but comments: who removes it sees each counted by itself. */
const insideOf = (entity: string): readonly string[] =>
  Object.values<EntityDeclaration>(ENTITIES)
    .filter(child => parentField(child) === entity && isRemovedWithParent(child) && child.rights !== 'readers')
    .map(({ name }) => name)
const LED_TO = ['dialogtask', 'dialog', 'handler'] as const

export const isCounted = (entity: string): boolean =>
  insideOf(entity).length > 0 || LED_TO.some(name => name === entity)

const leadsTo = async ({ entity, id, bot }: Removed, signal: AbortSignal): Promise<number> => {
  const of = LED_TO.find(name => name === entity)
  if (bot === undefined || of === undefined) return 0
  const { items, total } = await http.get('/bot/{id}/flow/uses', {
    params: { id: bot },
    query: { of, value: id },
    signal,
  })
  const own = items.filter(flow => flow.id === id || flow.dialogtask.id === id)
  return Math.max(0, total - own.reduce((sum, { hits }) => sum + hits.length, 0))
}

/** Counted where the caller may; what may not be asked is not told of. */
export const removalOf = async (removed: Removed, signal: AbortSignal): Promise<Removal> => {
  const { entity, id } = removed
  const inside = insideOf(entity)
  const count = (child: string) =>
    http
      .get('/{entity}', { params: { entity: child }, query: { [entity]: id, size: 1 }, signal })
      .then(({ total }) => total)
  const [leads, ...counts] = await Promise.all([
    leadsTo(removed, signal).catch(() => 0),
    ...inside.map(child => count(child).catch(() => 0)),
  ])
  const goes = inside.map((child, at) => ({ entity: child, count: counts[at] ?? 0 }))
  return { goes: goes.filter(each => each.count > 0), leads }
}
