import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import type { processSchema } from '#schemas/api/bulk.ts'
import { api } from '#web/api/client.ts'

/** How far a bulk command has come. */
export type ProcessState = z.output<typeof processSchema>

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
