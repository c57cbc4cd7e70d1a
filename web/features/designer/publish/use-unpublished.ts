import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { http } from '#web/api/http.ts'
import { liveRevision } from '#web/entity/flow/live-revision.ts'
import { type Going, goingLive, type Moment } from '#web/entity/flow/pending-changes.ts'
import { type FetchMoments, readAfter } from '#web/entity/flow/read-revisions.ts'
import { useDesigner } from '../session/designer.ts'
import type { FlowEntity } from '../session/flow-entity.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

interface Unpublished {
  /** What happened to each block since the flow last went live. */
  readonly going: readonly Going[]
  /** The newest moment: what would go live. */
  readonly revision: number | undefined
}

/** Edits come in bursts; the count follows once they pause. */
const PAUSE = 1500

/** What would go live, counted again after edits have come to rest. */
export const useUnpublished = (address: FlowAddress, flow: FlowEntity | undefined): Unpublished | undefined => {
  const { canvas } = useDesigner()
  const client = useQueryClient()
  const { kind, id } = address
  const after = flow === undefined ? 0 : liveRevision(flow)
  const queryKey = ['unpublished', kind, id, after]
  const fetchPage: FetchMoments = (from, size) =>
    http.get('/{kind}/{id}/flow/history', { params: { kind, id }, query: { after: from, size } })
  const query = useQuery({
    queryKey,
    queryFn: async (): Promise<readonly Moment[]> => {
      const known = client.getQueryData<readonly Moment[]>(queryKey) ?? []
      const fresh = await readAfter(fetchPage, known.at(-1)?.revision ?? after)
      return fresh.length === 0 ? known : [...known, ...fresh]
    },
    structuralSharing: false,
    enabled: flow !== undefined,
    staleTime: 0,
  })
  const { refetch } = query
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = canvas.flow.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(() => void refetch(), PAUSE)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [canvas, refetch])
  const moments = query.data
  return useMemo(
    () =>
      moments && { going: goingLive(moments), revision: moments.at(-1)?.revision ?? (after === 0 ? undefined : after) },
    [moments, after],
  )
}
