import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { http } from '#web/api/http.ts'
import { type Going, type Moment, pendingBlockChanges } from '#web/entity/flow/pending-changes.ts'
import { type FetchMoments, liveRevision, readMomentsAfter } from '#web/entity/flow/read-revisions.ts'
import { useDesigner } from '../session/designer.ts'
import type { FlowEntity } from '../session/flow-entity.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

interface Counted {
  /** Everything since the flow last went live, oldest first. */
  readonly moments: readonly Moment[]
  /** The newest moment, which would go live; undefined if none exists or is known. */
  readonly revision: number | undefined
}

interface Unpublished extends Counted {
  /** Changes of each block since the last publication. */
  readonly going: readonly Going[]
  /** Reads on at once. */
  recount(): Promise<Counted>
}

/** Edits come in bursts; the count follows once they pause. */
const PAUSE = 1500
const NONE: readonly Moment[] = []

/** Unpublished changes, recounted after a pause in edits. */
export const useUnpublished = (address: FlowAddress, flow: FlowEntity | undefined): Unpublished => {
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
      const fresh = await readMomentsAfter(fetchPage, known.at(-1)?.revision ?? after)
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
  const counted = (moments: readonly Moment[]): Counted => ({
    moments,
    revision: moments.at(-1)?.revision ?? (after === 0 ? undefined : after),
  })
  const moments = query.data ?? NONE
  const going = useMemo(() => pendingBlockChanges(moments), [moments])
  const recount = async () => counted((await refetch({ throwOnError: true })).data ?? NONE)
  return { ...counted(moments), going, recount }
}
