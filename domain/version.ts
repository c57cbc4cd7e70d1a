import { foldName } from '#schemas/entity.ts'
import type { VersionThing } from '#schemas/version-file.ts'
import type { Live } from './behaviour.ts'

/** Which thing of a version becomes which present one, and what the version lacks. */
export interface Matching<T extends VersionThing> {
  /** In the version's order; `present` is absent for what has to be made. */
  readonly pairs: readonly { readonly thing: T; readonly index: number; readonly present: Live | undefined }[]
  readonly surplus: readonly Live[]
}

/** The same id is the same thing; what has no counterpart by id has one by name. */
export const match = <T extends VersionThing>(things: readonly T[], present: readonly Live[]): Matching<T> => {
  const left = new Map(present.map(state => [state.id, state]))
  const found = new Map<T, Live>()
  const pair = (thing: T, state: Live | undefined) => {
    if (state === undefined) return
    found.set(thing, state)
    left.delete(state.id)
  }
  for (const thing of things) pair(thing, left.get(thing.id ?? ''))
  for (const thing of things) {
    if (!found.has(thing))
      pair(
        thing,
        [...left.values()].find(state => nameOf(state.fields) === nameOf(thing)),
      )
  }
  const pairs = things.map((thing, index) => ({ thing, index, present: found.get(thing) }))
  return { pairs, surplus: [...left.values()] }
}

/**
 * Present things whose name another one is about to take: they need a name of passage first, since two may swap
 * theirs.
 */
export const inTheWay = <T extends VersionThing>({ pairs }: Matching<T>): readonly Live[] =>
  pairs.flatMap(({ thing, present }) => {
    if (present === undefined || nameOf(present.fields) === nameOf(thing)) return []
    const wanted = pairs.some(other => other.present !== present && nameOf(other.thing) === nameOf(present.fields))
    return wanted ? [present] : []
  })

const nameOf = ({ name }: Live['fields'] | VersionThing): string => foldName(String(name))
