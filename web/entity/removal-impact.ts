import { http } from '#web/api/http.ts'

/** What is removed. `bot`: the one whose flows may lead to it. */
export interface Removed {
  readonly entity: string
  readonly id: string
  readonly bot?: string | undefined
}

/** How much goes with something that is removed, and how many blocks elsewhere lead to it: with any it is not removed. */
export interface Removal {
  readonly goes: readonly { readonly entity: string; readonly count: number }[]
  readonly leads: number
}

/** Of a parent's children each entity is counted by itself, as who removes it sees them. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  bot: ['dialogtask', 'version'],
  dialogtask: ['dialog', 'handler'],
}
const LED_TO = ['dialogtask', 'dialog', 'handler'] as const

export const isCounted = (entity: string): boolean => entity in INSIDE || LED_TO.some(name => name === entity)

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
  const count = (inside: string) =>
    http
      .get('/{entity}', { params: { entity: inside }, query: { [entity]: id, size: 1 }, signal })
      .then(({ total }) => total)
  const [leads, ...counts] = await Promise.all([
    leadsTo(removed, signal).catch(() => 0),
    ...(INSIDE[entity] ?? []).map(inside => count(inside).catch(() => 0)),
  ])
  const goes = (INSIDE[entity] ?? []).map((inside, at) => ({ entity: inside, count: counts[at] ?? 0 }))
  return { goes: goes.filter(each => each.count > 0), leads }
}
