import { queryOptions } from '@tanstack/react-query'
import { api } from '#web/api/client.ts'

export interface RefusedRow {
  readonly id: string
  readonly code: string
  readonly message: string
}

/** How far a bulk command has come. */
export interface ProcessState {
  readonly state: 'running' | 'finished' | 'failed'
  readonly done: number
  readonly total: number
  readonly refused: readonly RefusedRow[]
  /** Whether POST /process/{id}/undo takes it back. */
  readonly undo?: boolean
}

const POLL_INTERVAL_MS = 700

export const processQuery = (id: string) =>
  queryOptions({
    queryKey: ['process', id],
    queryFn: ({ signal }) => api.get<ProcessState>(`/process/${id}`, {}, signal),
    refetchInterval: query => (query.state.data?.state === 'running' ? POLL_INTERVAL_MS : false),
    // The progress goes on while the window is in the background.
    refetchIntervalInBackground: true,
    retry: 3,
  })
