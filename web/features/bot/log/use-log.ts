import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LogFilter, linesQuery, MAX_NEWS, newsQuery } from './log-query.ts'

/** Lines of a bot's log, newest first. Pausing counts new lines; resuming shows them. */
export const useLog = (bot: string, filter: LogFilter) => {
  /** Ids of the new lines that are shown while it is paused. */
  const [paused, setPaused] = useState<ReadonlySet<string>>()
  const pages = useInfiniteQuery(linesQuery(bot, filter))
  const first = pages.data?.pages[0]
  const begin = first?.newest
  const news = useQuery(newsQuery(bot, filter, begin))
  const fresh = news.data?.items ?? []
  const isOverfull = paused === undefined && fresh.length >= MAX_NEWS
  const { refetch } = pages
  useEffect(() => {
    if (isOverfull) void refetch()
  }, [isOverfull, refetch])
  const shown = paused === undefined ? fresh : fresh.filter(({ id }) => paused.has(id))
  const latest = news.data ?? first
  const older = pages.data?.pages.flatMap(({ items }) => items)
  return {
    /** Undefined while they are read for the first time. */
    lines: older === undefined ? undefined : [...shown.toReversed(), ...older],
    error: pages.error,
    retry: () => void pages.refetch(),
    counts: latest?.counts,
    /** Names of the nodes whose lines are missing. */
    silent: latest?.silent ?? [],
    /** False: the node that answers hears no other one. */
    isHeard: latest?.heard ?? true,
    isFiltered: filter.level !== undefined || filter.search !== '' || filter.service !== undefined,
    isFollowing: paused === undefined,
    /** Lines that came while it is paused. */
    waiting: fresh.length - shown.length,
    pause: () => setPaused(new Set(fresh.map(({ id }) => id))),
    resume: () => setPaused(undefined),
    older: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
  }
}
