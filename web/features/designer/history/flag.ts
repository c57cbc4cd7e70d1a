import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { NamedPerson } from '#web/components/person-avatar.tsx'
import { type HistoryItem, historyQuery } from '#web/entity/entity-query.ts'
import { indexAt, type Moment } from '#web/entity/flow/read-revisions.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

type FlagKind = 'published' | 'unpublished' | 'restored' | 'applied'

/** Something that marks a moment beyond an edit: it went live, or came from elsewhere. */
export interface Flag {
  readonly kind: FlagKind
  readonly time: string
  readonly actor: NamedPerson | null
  /** The flow's revision then. */
  readonly revision: number | undefined
  /** The revision that was restored. */
  readonly of?: number
}

const publishings = (items: readonly HistoryItem[]): readonly Flag[] =>
  items.flatMap(({ action, time, actor, changes }): readonly Flag[] => {
    if (action !== 'published' && action !== 'unpublished') return []
    const revision = changes.find(({ path }) => path === 'publishedrevision')?.after
    return [{ kind: action, time, actor, revision: typeof revision === 'number' ? revision : undefined }]
  })

/** Moments that were restored or came with a version of the bot. */
export const momentFlags = (moments: readonly Moment[]): readonly Flag[] =>
  moments.flatMap(({ source, time, authors, revision }): readonly Flag[] => {
    const actor = authors[0] ?? null
    if (source?.kind === 'version') return [{ kind: 'applied', time, actor, revision }]
    if (source?.kind !== 'restore') return []
    return [
      {
        kind: 'restored',
        time,
        actor,
        revision,
        ...(typeof source.revision === 'number' ? { of: source.revision } : {}),
      },
    ]
  })

/** The last moment at or before a time. */
const lastBefore = (moments: readonly Moment[], time: string): number | undefined => {
  const found = moments.findLast(moment => moment.time <= time)
  return found?.revision
}

/** When the flow went live and was taken back; its own history may be read by fewer people, then there are none. */
export const usePublishings = ({ kind, id }: FlowAddress, moments: readonly Moment[]): readonly Flag[] => {
  const { data } = useQuery(historyQuery(kind, id))
  return useMemo(
    () =>
      publishings(data ?? []).map(flag => {
        const known = flag.revision !== undefined && indexAt(moments, flag.revision) >= 0
        return known ? flag : { ...flag, revision: lastBefore(moments, flag.time) }
      }),
    [data, moments],
  )
}

/** Widest that a letter of a flag is on the whole, and the padding around its words. Pixels. */
const LETTER = 6.2
const PADDING = 10

/** Estimated upper bound of a flag's text width. Pixels. */
export const flagWidth = (words: string): number => words.length * LETTER + PADDING

interface Place {
  readonly x: number
  readonly words: string
}

/**
 * Left shift of each flag's text from its line, in pixels, for flags from left to right that end at `width`: 0 if it
 * fits after the line, else enough to end before the flag on its right.
 */
export const flagShifts = (flags: readonly Place[], width: number): readonly number[] => {
  let limit = width
  return flags
    .toReversed()
    .map(({ x, words }) => {
      const end = x + flagWidth(words)
      const shift = Math.max(0, end - limit)
      limit = x - shift
      return shift
    })
    .toReversed()
}
