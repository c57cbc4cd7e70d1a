import { personColor } from '#domain/color.ts'
import { type NamedPerson, nameOf } from '#web/components/person-avatar.tsx'
import { type MarkKind, type Moment, markOf } from '#web/entity/flow/read-revisions.ts'

export interface Lane {
  /** Undefined: everybody else. */
  readonly person: NamedPerson | undefined
  /** '1' to '8', or '' for everybody else. */
  readonly color: string
  readonly name: string
  readonly people: number
  readonly moments: readonly Moment[]
}

/** One lane per person, the busiest first; the rest share the last lane. */
export const lanesOf = (moments: readonly Moment[], most: number): readonly Lane[] => {
  const byPerson = new Map<string, { readonly person: NamedPerson; readonly moments: Moment[] }>()
  for (const moment of moments) {
    for (const person of moment.authors) {
      const lane = byPerson.get(person.id) ?? { person, moments: [] }
      lane.moments.push(moment)
      byPerson.set(person.id, lane)
    }
  }
  const sorted = [...byPerson.values()].sort((a, b) => b.moments.length - a.moments.length)
  const own = sorted.length <= most ? sorted : sorted.slice(0, most - 1)
  const rest = sorted.slice(own.length)
  const lanes = own.map(({ person, moments }): Lane => {
    const name = person.firstname || nameOf(person)
    return { person, color: personColor(person.id), name, people: 1, moments }
  })
  if (rest.length === 0) return lanes
  const others = [...new Set(rest.flatMap(lane => lane.moments))].sort((a, b) => a.revision - b.revision)
  return [...lanes, { person: undefined, color: '', name: '', people: rest.length, moments: others }]
}

const SIZE = 9
/** Marks nearer to each other than this many pixels are one mark. */
const NEAR = 4

const SHAPE: Readonly<Record<MarkKind, (x: number, y: number) => string>> = {
  added: (x, y) => `M${x - SIZE / 2},${y - SIZE / 2}h${SIZE}v${SIZE}h${-SIZE}z`,
  changed: (x, y) => `M${x},${y - SIZE / 2 - 0.5}l${SIZE / 2 + 0.5},${SIZE}h${-SIZE - 1}z`,
  removed: (x, y) => `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0`,
}

/**
 * The marks of a lane as one path for each shape: squares, triangles and discs. However many edits there were, no more
 * are drawn than the width can show.
 */
export const markPaths = (
  moments: readonly Moment[],
  x: (time: number) => number,
  y: number,
): Readonly<Record<MarkKind, string>> => {
  const paths: Record<MarkKind, string[]> = { added: [], changed: [], removed: [] }
  const last: Record<MarkKind, number> = { added: -NEAR, changed: -NEAR, removed: -NEAR }
  for (const moment of moments) {
    const kind = markOf(moment)
    const at = Math.round(x(Date.parse(moment.time)))
    if (at - last[kind] < NEAR) continue
    last[kind] = at
    paths[kind].push(SHAPE[kind](at, y))
  }
  return { added: paths.added.join(''), changed: paths.changed.join(''), removed: paths.removed.join('') }
}
