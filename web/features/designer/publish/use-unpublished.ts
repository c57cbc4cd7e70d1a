import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '#web/api/client.ts'
import { useDesigner } from '../live/designer.ts'
import type { FlowEntity } from '../live/flow-names.ts'
import type { FlowAddress } from '../room/flow-address.ts'

export interface Touched {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly fields?: readonly string[]
}
export interface Moment {
  readonly revision: number
  readonly time: string
  readonly authors: readonly { readonly id: string; readonly username: string | null }[]
  readonly summary: {
    readonly added: readonly Touched[]
    readonly changed: readonly Touched[]
    readonly removed: readonly Touched[]
  }
}
export interface Unpublished {
  /** Blocks touched since the flow last went live. */
  readonly changes: number
  /** The newest moment: what would go live. */
  readonly revision: number | undefined
  readonly moments: readonly Moment[]
}

const SIZE = 100
/** Edits come in bursts; the count follows once they pause. */
const PAUSE = 1500

/** Everything that happened to a flow after a revision. */
const momentsAfter = async ({ kind, id }: FlowAddress, after: number | undefined): Promise<readonly Moment[]> => {
  const moments: Moment[] = []
  let from = after
  for (let page = 0; page < 50; page += 1) {
    const { items } = await api.get<{ items: readonly Moment[] }>(
      `/${kind}/${id}/flow/history`,
      from === undefined ? { size: SIZE } : { after: from, size: SIZE },
    )
    moments.push(...items)
    const last = items.at(-1)
    if (last === undefined || items.length < SIZE) break
    from = last.revision
  }
  return moments
}

const changesOf = (moments: readonly Moment[]): number =>
  new Set(
    moments.flatMap(({ summary }) => [...summary.added, ...summary.changed, ...summary.removed].map(({ id }) => id)),
  ).size

/** What would go live, counted again after edits have come to rest. */
export const useUnpublished = (address: FlowAddress, flow: FlowEntity | undefined): Unpublished | undefined => {
  const { canvas } = useDesigner()
  const after = flow?.published ? (flow.publishedrevision ?? undefined) : undefined
  const query = useQuery({
    queryKey: ['unpublished', address.kind, address.id, after],
    queryFn: () => momentsAfter(address, after),
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
  if (moments === undefined) return undefined
  return { changes: changesOf(moments), revision: moments.at(-1)?.revision, moments }
}
