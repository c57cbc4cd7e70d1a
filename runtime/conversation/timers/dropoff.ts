import type { z } from 'zod'
import type { DropoffBlock, dropoffSchema } from '#schemas/api/conversation.ts'
import { record } from '#schemas/json.ts'
import type { VisitFilter, VisitIndex } from '../index/visit-index.ts'

type Dropoff = Pick<z.output<typeof dropoffSchema>, 'blocks' | 'days'>

/** Smaller counts, except 0, are hidden from users who may not read conversations (RUNTIME 93). */
const FEW = 5
const LEFT = 'left '

/** Counts at the blocks of a dialog, most visited first. */
export const dropoffOf = (visits: VisitIndex | undefined, filter: VisitFilter, showsFew: boolean): Dropoff => {
  if (visits === undefined) return { blocks: [], days: [] }
  const shown = (count: number): number | null => (showsFew || count === 0 || count >= FEW ? count : null)
  const counts = Map.groupBy(visits.counts(filter), ({ block }) => block)
  const times = new Map(visits.answerTimes(filter).map(time => [time.block, time]))
  const waiting = new Map(visits.waiting(filter).map(({ block, n }) => [block, n]))
  const enteredOf = (block: string) => counts.get(block)?.find(({ what }) => what === 'entered')?.n ?? 0
  const blocks = [...counts].map(([block, found]): DropoffBlock => {
    const of = (what: string) => shown(found.find(one => one.what === what)?.n ?? 0)
    const few = enteredOf(block) < FEW && !showsFew
    return {
      block,
      entered: of('entered'),
      out: record(
        found
          .filter(({ what }) => what.startsWith(LEFT))
          .map(({ what, n }) => [what.slice(LEFT.length), shown(n)] as const),
      ),
      answered: of('answered'),
      retried: of('retried'),
      gaveup: of('gaveup'),
      skipped: of('skipped'),
      interrupted: of('interrupted'),
      abandoned: of('abandoned'),
      lost: of('lost'),
      agent: of('agent'),
      problems: of('problem'),
      waiting: shown(waiting.get(block) ?? 0),
      p50: few ? null : (times.get(block)?.p50 ?? null),
      p95: few ? null : (times.get(block)?.p95 ?? null),
    }
  })
  return {
    blocks: blocks.toSorted((one, other) => enteredOf(other.block) - enteredOf(one.block)),
    days: visits.days(filter).map(({ block, day, entered, lost }) => ({
      block,
      day,
      entered: shown(entered ?? 0),
      lost: shown(lost ?? 0),
    })),
  }
}
