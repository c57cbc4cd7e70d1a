import { useQuery } from '@tanstack/react-query'
import { http } from '#web/api/http.ts'
import { type HistoryItem, historyQuery, type Row } from './entity-query.ts'

/** A removed row: its last state, the history entry of its removal, and the revision to restore. */
export interface RemovedEntity {
  readonly row: Row
  readonly last: HistoryItem
  readonly revision: number
}

interface Removal {
  readonly isPending: boolean
  /** Undefined where it never was, may not be seen, or is there. */
  readonly removed: RemovedEntity | undefined
}

/** Removal author and time, last state, restorable revision. */
export const useRemovedEntity = (entity: string, id: string): Removal => {
  const history = useQuery({ ...historyQuery(entity, id), retry: false })
  const last = history.data?.[0]
  const before = history.data?.[1]
  const then = useQuery({
    queryKey: [entity, 'at', id, before?.revision],
    queryFn: () =>
      http.get('/{entity}/{id}/at/{revision}', { params: { entity, id, revision: before?.revision ?? 0 } }),
    enabled: before !== undefined,
  })
  const isPending = history.isPending || (before !== undefined && then.isPending)
  if (last?.action !== 'removed' || before === undefined || then.data === undefined) {
    return { isPending, removed: undefined }
  }
  return {
    isPending,
    removed: { row: { ...then.data, id, revision: last.revision }, last, revision: before.revision },
  }
}
