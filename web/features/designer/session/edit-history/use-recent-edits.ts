import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { http } from '#web/api/http.ts'
import {
  type FetchMoments,
  type Moment,
  type MomentRange,
  readMomentsAfter,
  readNewestMoments,
  readOlderMoments,
} from '#web/entity/flow/read-revisions.ts'
import { linksFrom } from '../../model/reading-order.ts'
import { useDesigner } from '../designer.ts'

/** After an edit in the room, until it is stored and can be read: as a rule, and where the disk is slow. Milliseconds. */
const SETTLE = [700, 3000]

/** A block and the links that leave it, to notice a change of either. */
const blockOfFlow = (flow: FlowModel, block: string): readonly unknown[] => [
  flow.nodes.get(block),
  ...linksFrom(flow, block),
]

/** Refetches soon after edits by any person in the room, or of one block and the links that leave it. */
export const useRefreshAfterEdits = (read: () => Promise<unknown>, block?: string): void => {
  const { room, canvas } = useDesigner()
  useEffect(() => {
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const readMomentsAfter = (wait: number) => {
      if (timers.has(wait)) return
      const run = () => {
        timers.delete(wait)
        void read()
      }
      timers.set(wait, setTimeout(run, wait))
    }
    const soon = () => SETTLE.forEach(readMomentsAfter)
    const listen = () => {
      if (block === undefined) {
        room.doc.on('update', soon)
        return () => room.doc.off('update', soon)
      }
      let held = blockOfFlow(canvas.flow.get(), block)
      return canvas.flow.subscribe(() => {
        const before = held
        held = blockOfFlow(canvas.flow.get(), block)
        if (held.length !== before.length || held.some((part, at) => part !== before[at])) soon()
      })
    }
    const stop = listen()
    return () => {
      for (const timer of timers.values()) clearTimeout(timer)
      stop()
    }
  }, [room, canvas, read, block])
}

interface RecentMoments {
  /** Oldest first; undefined until the first of them are there. */
  readonly moments: readonly Moment[] | undefined
  readonly hasOlder: boolean
  readonly busy: boolean
  older(): void
}

/** The newest moments of this flow, updated as it, or one block of it, is edited; older ones load on request. */
export const useRecentEdits = (block?: string): RecentMoments => {
  const client = useQueryClient()
  const { address } = useDesigner()
  const { kind, id } = address
  const [busy, setBusy] = useState(false)
  const key = ['flow-recent', kind, id]
  const fetchPage: FetchMoments = (after, size) =>
    http.get('/{kind}/{id}/flow/history', { params: { kind, id }, query: { after, size } })
  const query = useQuery({
    queryKey: key,
    queryFn: async (): Promise<MomentRange> => {
      const last = client.getQueryData<MomentRange>(key)?.moments.at(-1)
      if (last === undefined) return readNewestMoments(fetchPage)
      const fresh = await readMomentsAfter(fetchPage, last.revision)
      // Older ones may have come meanwhile.
      const known = client.getQueryData<MomentRange>(key) ?? { moments: [last], from: last.revision - 1 }
      return fresh.length === 0 ? known : { ...known, moments: [...known.moments, ...fresh] }
    },
    staleTime: 0,
    structuralSharing: false,
  })
  useRefreshAfterEdits(query.refetch, block)
  const older = async () => {
    const known = client.getQueryData<MomentRange>(key)
    if (busy || known === undefined || known.from === 0) return
    setBusy(true)
    try {
      const { from, moments } = await readOlderMoments(fetchPage, known.from)
      client.setQueryData<MomentRange>(key, now => now && { from, moments: [...moments, ...now.moments] })
    } finally {
      setBusy(false)
    }
  }
  return {
    moments: query.data?.moments,
    hasOlder: (query.data?.from ?? 0) > 0,
    busy,
    older: () => void older().catch(() => undefined),
  }
}
