import { useQuery, useQueryClient } from '@tanstack/react-query'
import { http } from '#web/api/http.ts'
import type { Moment } from '#web/entity/flow/flow-revision.ts'
import { type FetchMoments, readMoments } from '#web/entity/flow/read-revisions.ts'
import { useAfterEdits } from '../session/edit-history/use-after-edits.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

interface MomentCache {
  readonly moments: readonly Moment[]
  /** False while older moments are still on their way. */
  readonly complete: boolean
}

/** Edits that came by another way than the room are seen at the latest after this. */
const POLL = 15_000

export const momentsKey = ({ kind, id }: FlowAddress) => ['flow-moments', kind, id] as const

/** All moments of a flow, updated while others edit: fetches only new ones. */
export const useMoments = (address: FlowAddress) => {
  const client = useQueryClient()
  const { kind, id } = address
  const fetchPage: FetchMoments = (after, size) =>
    http.get('/{kind}/{id}/flow/history', { params: { kind, id }, query: { after, size } })
  const query = useQuery({
    queryKey: momentsKey(address),
    queryFn: async (): Promise<MomentCache> => {
      const known = client.getQueryData<MomentCache>(momentsKey(address))
      const held = known?.complete ? known.moments : []
      const moments = await readMoments(fetchPage, held, part =>
        client.setQueryData<MomentCache>(momentsKey(address), { moments: part, complete: false }),
      )
      return known?.complete && moments === held ? known : { moments, complete: true }
    },
    refetchInterval: POLL,
    staleTime: 0,
    structuralSharing: false,
  })
  useAfterEdits(query.refetch)
  return query
}
