import { foldSummaries } from '#domain/flow/diff/fold-summary.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import type { Moment } from '#web/entity/flow/read-revisions.ts'

/** Edits less than five minutes apart, by anyone; restores and imports are separate. */
export interface Session {
  /** Revision before its first moment: 0 is the empty flow. */
  readonly base: number
  readonly moments: readonly Moment[]
  readonly first: Moment
  readonly last: Moment
  readonly authors: Moment['authors']
  readonly summary: FlowSummary
  readonly source: Moment['source']
}

const PAUSE = 5 * 60_000

const sourceKey = (moment: Moment) => (moment.source === undefined ? '' : JSON.stringify(moment.source))

const belongs = (before: Moment, moment: Moment) =>
  Date.parse(moment.time) - Date.parse(before.time) < PAUSE && sourceKey(before) === sourceKey(moment)

const POSITION: ReadonlySet<string> = new Set(['pos', 'position'])

/** Whether blocks were moved, and nothing else was done. */
export const isOnlyMoves = ({ added, changed, removed, links, script }: FlowSummary): boolean =>
  changed.length > 0 &&
  added.length + removed.length + links.added.length + links.changed.length + links.removed.length === 0 &&
  !script &&
  changed.every(({ fields }) => fields.length > 0 && fields.every(field => POSITION.has(field)))

export const authorsOf = (moments: readonly Moment[]): Moment['authors'] => [
  ...new Map(moments.flatMap(({ authors }) => authors).map(person => [person.id, person])).values(),
]

const sessionOf = (base: number, moments: readonly [Moment, ...Moment[]]): Session => ({
  base,
  moments,
  first: moments[0],
  last: moments.at(-1) ?? moments[0],
  authors: authorsOf(moments),
  summary: foldSummaries(moments.map(({ summary }) => summary)),
  source: moments[0].source,
})

/** All sessions, oldest first. Those of `before` whose moments are the same keep their identity. */
export const sessionsOf = (moments: readonly Moment[], before: readonly Session[] = []): readonly Session[] => {
  const known = new Map(before.map(session => [session.first, session]))
  const sessions: Session[] = []
  let open: [Moment, ...Moment[]] | undefined
  let base = 0
  const close = () => {
    if (open === undefined) return
    const last = open.at(-1)
    const same = known.get(open[0])
    sessions.push(same !== undefined && same.last === last && same.base === base ? same : sessionOf(base, open))
    base = last?.revision ?? base
  }
  for (const moment of moments) {
    const previous = open?.at(-1)
    if (open !== undefined && previous !== undefined && belongs(previous, moment)) open.push(moment)
    else {
      close()
      open = [moment]
    }
  }
  close()
  return sessions
}

/** Index of the session that holds a revision, or the last one before it. */
export const sessionAt = (sessions: readonly Session[], revision: number): number =>
  Math.max(
    0,
    sessions.findLastIndex(({ first }) => first.revision <= revision),
  )
