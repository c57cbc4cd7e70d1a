import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useDebouncedValue } from '#web/timer.ts'
import type { Translate } from '../model/label.ts'
import { flowAtQuery, type RevisionFlow, type Scene, sceneOf } from './scene.ts'
import type { Travel } from './use-travel.ts'

/** While the slider is dragged, only the moment where it rests is fetched. Milliseconds. */
const REST = 70

export interface SceneView {
  readonly scene: Scene
  readonly before: RevisionFlow
  readonly after: RevisionFlow
}

/** The two flows that are compared, and the canvas of them; the last one stays until the next is there. */
export const useScene = (travel: Travel, t: Translate) => {
  const client = useQueryClient()
  const from = useDebouncedValue(travel.from, REST)
  const to = useDebouncedValue(travel.to, REST)
  const before = useQuery({ ...flowAtQuery(travel.address, from), placeholderData: keepPreviousData })
  const after = useQuery({ ...flowAtQuery(travel.address, to), placeholderData: keepPreviousData })
  const { moments, index, address } = travel
  useEffect(() => {
    for (const by of [-1, 1]) {
      const beside = moments[index + by]
      if (beside !== undefined && to === moments[index]?.revision) {
        void client.prefetchQuery(flowAtQuery(address, beside.revision))
      }
    }
  }, [client, address, moments, index, to])
  const shown = useMemo<SceneView | undefined>(
    () =>
      before.data === undefined || after.data === undefined
        ? undefined
        : { scene: sceneOf(before.data, after.data, t), before: before.data, after: after.data },
    [before.data, after.data, t],
  )
  return {
    shown,
    error: before.error ?? after.error,
    /** The picture is of another moment than the one chosen. */
    late: before.isPlaceholderData || after.isPlaceholderData || from !== travel.from || to !== travel.to,
    retry: () => {
      void before.refetch()
      void after.refetch()
    },
  }
}
