import type { AnswerOf } from '#schemas/api/routes.ts'

/** One stored edit of a flow. */
export type Moment = AnswerOf<'GET /{kind}/{id}/flow/history'>['items'][number]

export type MarkKind = 'added' | 'changed' | 'removed'

/** Main change of an edit, for the shape of its mark. */
export const markOf = ({ summary }: Moment): MarkKind => {
  const { added, changed, removed } = summary
  if (changed.length > 0) return 'changed'
  if (removed.length > added.length) return 'removed'
  return added.length > 0 ? 'added' : 'changed'
}

export interface Counts {
  readonly added: number
  readonly changed: number
  readonly removed: number
}

export const countsOf = ({ added, changed, removed }: Readonly<Record<MarkKind, readonly unknown[]>>): Counts => ({
  added: added.length,
  changed: changed.length,
  removed: removed.length,
})

/** Index of the last moment at or before a revision; -1 when there is none. */
export const indexAt = (moments: readonly Moment[], revision: number): number => {
  let low = 0
  let high = moments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle]?.revision ?? 0) <= revision) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Index of the moment nearest to a time, in milliseconds. */
export const nearestAt = (moments: readonly Moment[], time: number): number => {
  let low = 0
  let high = moments.length
  const at = (index: number) => Date.parse(moments[index]?.time ?? '')
  while (low < high) {
    const middle = (low + high) >> 1
    if (at(middle) <= time) low = middle + 1
    else high = middle
  }
  if (low === 0) return 0
  if (low === moments.length) return low - 1
  return time - at(low - 1) <= at(low) - time ? low - 1 : low
}
