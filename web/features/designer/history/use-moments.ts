import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#web/api/client.ts'
import { useDesigner } from '../live/designer.ts'
import type { FlowAddress } from '../room/flow-address.ts'
import type { Moment } from './moment.ts'
import { type FetchMoments, type MomentPage, readMoments } from './read-moments.ts'

interface Known {
  readonly moments: readonly Moment[]
  /** False while older moments are still on their way. */
  readonly complete: boolean
}

/** After an edit in the room, until it is stored and can be read. Milliseconds. */
const SETTLE = 700
/** Edits that came by another way than the room are seen at the latest after this. */
const POLL = 15_000

export const momentsKey = ({ kind, id }: FlowAddress) => ['flow-moments', kind, id] as const

/** All moments of a flow, kept up while others go on editing: only what is new is asked for. */
export const useMoments = (address: FlowAddress) => {
  const client = useQueryClient()
  const { room } = useDesigner()
  const { kind, id } = address
  const fetchPage: FetchMoments = (after, size) => api.get<MomentPage>(`/${kind}/${id}/flow/history`, { after, size })
  const query = useQuery({
    queryKey: momentsKey(address),
    queryFn: async (): Promise<Known> => {
      const known = client.getQueryData<Known>(momentsKey(address))
      const held = known?.complete ? known.moments : []
      const moments = await readMoments(fetchPage, held, part =>
        client.setQueryData<Known>(momentsKey(address), { moments: part, complete: false }),
      )
      return known?.complete && moments === held ? known : { moments, complete: true }
    },
    refetchInterval: POLL,
    staleTime: 0,
    structuralSharing: false,
  })
  const { refetch } = query
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        void refetch()
      }, SETTLE)
    }
    room.doc.on('update', soon)
    return () => {
      clearTimeout(timer)
      room.doc.off('update', soon)
    }
  }, [room, refetch])
  return query
}
