import type { AnswerOf } from '#schemas/api/routes.ts'

/** One stored edit of a flow. */
export type Moment = AnswerOf<'GET /{kind}/{id}/flow/history'>['items'][number]

export const MARK_KINDS = ['added', 'changed', 'removed'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** Main change of an edit, for the shape of its mark. */
export const markOf = ({ summary }: Moment): MarkKind => {
  const { added, changed, removed } = summary
  if (changed.length > 0) return 'changed'
  if (removed.length > added.length) return 'removed'
  return added.length > 0 ? 'added' : 'changed'
}

export type Counts = Readonly<Record<MarkKind, number>>

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

type MomentPage = AnswerOf<'GET /{kind}/{id}/flow/history'>
export type FetchMoments = (after: number, size: number) => Promise<MomentPage>

const PAGE = 100
const MAX_CONCURRENT = 6
const NO_LINKS = { added: [], changed: [], removed: [] }

const complete = (moment: Moment): Moment => ({
  ...moment,
  summary: { ...moment.summary, links: moment.summary.links ?? NO_LINKS, script: moment.summary.script ?? false },
})

/** Everything after a revision, oldest first, page by page. */
export const readMomentsAfter = async (fetchPage: FetchMoments, after: number): Promise<Moment[]> => {
  const found: Moment[] = []
  for (let from = after; ; ) {
    const { items } = await fetchPage(from, PAGE)
    found.push(...items.map(complete))
    const last = items.at(-1)
    if (last === undefined || items.length < PAGE) return found
    from = last.revision
  }
}

/**
 * Returns all moments of a flow, oldest first. Reuses known moments; loads a long history newest first, several pages
 * at once, and passes each partial result to `onPart`.
 */
export const readMoments = async (
  fetchPage: FetchMoments,
  known: readonly Moment[],
  onPart: (moments: readonly Moment[]) => void = () => {},
): Promise<readonly Moment[]> => {
  const last = known.at(-1)
  if (last !== undefined) {
    const fresh = await readMomentsAfter(fetchPage, last.revision)
    return fresh.length === 0 ? known : [...known, ...fresh]
  }
  const start = await fetchPage(0, PAGE)
  const first = start.items.map(complete)
  if (start.total <= first.length) return first
  // A revision each at least, so no window of a hundred revisions holds more than one page.
  const windows = Math.max(1, Math.ceil(start.total / PAGE) - 1)
  let found = await readMomentsAfter(fetchPage, windows * PAGE)
  onPart(found)
  for (let end = windows; end > 1; end -= MAX_CONCURRENT) {
    const starts = Array.from({ length: Math.min(MAX_CONCURRENT, end - 1) }, (_, at) => (end - 1 - at) * PAGE).reverse()
    const pages = await Promise.all(starts.map(after => fetchPage(after, PAGE)))
    const part = pages.flatMap(({ items }, at) =>
      items.filter(({ revision }) => revision <= (starts[at] ?? 0) + PAGE).map(complete),
    )
    found = [...part, ...found]
    onPart(found)
  }
  const head = first.filter(({ revision }) => revision <= PAGE)
  return [...head, ...found]
}

/** Revisions that a look at the newest part of a history reaches back at a time. */
const SPAN = 2 * PAGE

/** A part of a history, oldest first. */
export interface MomentRange {
  readonly moments: readonly Moment[]
  /** The part begins after this revision; 0 is the beginning of all. */
  readonly from: number
}

export const readNewestMoments = async (fetchPage: FetchMoments): Promise<MomentRange> => {
  const { total } = await fetchPage(0, 1)
  const from = Math.max(0, total - SPAN)
  return { from, moments: await readMomentsAfter(fetchPage, from) }
}

/** The next part before a revision. */
export const readOlderMoments = async (fetchPage: FetchMoments, before: number): Promise<MomentRange> => {
  const from = Math.max(0, before - SPAN)
  const starts = Array.from({ length: Math.ceil((before - from) / PAGE) }, (_, at) => from + at * PAGE)
  const pages = await Promise.all(starts.map(after => fetchPage(after, PAGE)))
  const older = pages.flatMap(({ items }, at) => {
    const end = starts[at + 1] ?? before
    return items.filter(({ revision }) => revision <= end).map(complete)
  })
  return { from, moments: older }
}

interface Publishable {
  readonly published: boolean
  readonly publishedrevision: number | null
}

/** The revision of a flow that bots run; 0 when none is live. */
export const liveRevision = ({ published, publishedrevision }: Publishable): number =>
  published ? (publishedrevision ?? 0) : 0
