import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LogFilter, linesQuery, MAX_NEWS, newsQuery } from './log-query.ts'

/**
 * The lines of a bot's log, the newest first. While it is paused what comes is counted, and shown when it goes on.
 */
export const useLog = (bot: string, filter: LogFilter) => {
  const [pausedAt, setPausedAt] = useState<number>()
  const pages = useInfiniteQuery(linesQuery(bot, filter))
  const first = pages.data?.pages[0]
  const begin = first?.newest
  const news = useQuery(newsQuery(bot, filter, begin))
  const fresh = news.data?.items ?? []
  const isOverfull = pausedAt === undefined && fresh.length >= MAX_NEWS
  const { refetch } = pages
  useEffect(() => {
    if (isOverfull) void refetch()
  }, [isOverfull, refetch])
  const shown = pausedAt === undefined ? fresh : fresh.filter(({ id }) => id <= pausedAt)
  const older = pages.data?.pages.flatMap(({ items }) => items)
  return {
    /** Undefined while they are read for the first time. */
    lines: older === undefined ? undefined : [...shown.toReversed(), ...older],
    error: pages.error,
    retry: () => void pages.refetch(),
    counts: news.data?.counts ?? first?.counts,
    isFiltered: filter.level !== undefined || filter.search !== '' || filter.service !== undefined,
    isFollowing: pausedAt === undefined,
    /** Lines that came while it is paused. */
    waiting: fresh.length - shown.length,
    pause: () => setPausedAt(news.data?.newest ?? begin ?? 0),
    resume: () => setPausedAt(undefined),
    older: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
  }
}
