import type { RehearsalView } from './use-rehearsal.ts'

type Counts = Pick<RehearsalView, 'state' | 'total' | 'done' | 'same' | 'ways' | 'elsewhere' | 'unknown'>

/** Counts below five are null for readers who may see no conversation. */
interface Summary {
  readonly text: 'allsame' | 'noother' | 'unknowable' | 'elsewhere'
  readonly count: number | null
  /** Conversations that the count is a part of. */
  readonly total: number | null
}

/** Conversations with the same end, also by another way. */
export const sameEnds = ({ same, ways }: Pick<Counts, 'same' | 'ways'>): number | null =>
  same === null && ways === null ? null : (same ?? 0) + (ways ?? 0)

/** Result in one sentence: conversations that were not run, or whose end is not known, are no conversations that stay. */
export const summaryOf = (counts: Counts): Summary => {
  const { state, total, done, elsewhere, unknown } = counts
  if (elsewhere !== 0) return { text: 'elsewhere', count: elsewhere, total: done }
  if (state === 'done' && unknown.length === 0) return { text: 'allsame', count: total, total }
  const count = sameEnds(counts)
  return { text: count === 0 ? 'unknowable' : 'noother', count, total: done }
}
