import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Overview = AnswerOf<'GET /bot/{id}/overview'>
export type FlowErrors = AnswerOf<'GET /bot/{id}/flow/errors'>
type Pending = Overview['pending']['items'][number]

const REFRESH_MS = 30_000
/** Minimum interval between checks of every flow of the bot. */
const ERRORS_STALE_MS = 60_000

export const overviewQuery = (bot: string) =>
  queryOptions({
    queryKey: ['bot', 'overview', bot],
    queryFn: () => http.get('/bot/{id}/overview', { params: { id: bot } }),
    refetchInterval: REFRESH_MS,
  })

export const errorsQuery = (bot: string) =>
  queryOptions({
    queryKey: ['bot', 'flow-errors', bot],
    queryFn: () => http.get('/bot/{id}/flow/errors', { params: { id: bot } }),
    staleTime: ERRORS_STALE_MS,
  })

/** A flow that is not live as it is drawn, or that publishing refuses. */
export interface WaitingFlow extends Pick<Pending, 'kind' | 'id' | 'name' | 'dialogtask' | 'main'> {
  readonly state: Pending['state']
  readonly editor: Pending['editor']
  readonly edited_at: string | null
  readonly errors: number
}

/** Flows with errors first, each once. */
export const waitingFlows = (
  { pending }: Pick<Overview, 'pending'>,
  errors: FlowErrors['items'],
): readonly WaitingFlow[] => {
  const countOf = new Map(errors.map(flow => [flow.id, flow.errors]))
  const known = new Set(pending.items.map(({ id }) => id))
  const live = errors
    .filter(({ id }) => !known.has(id))
    .map(flow => ({ ...flow, main: false, state: 'published' as const, editor: null, edited_at: null }))
  const all = [...pending.items.map(flow => ({ ...flow, errors: countOf.get(flow.id) ?? 0 })), ...live]
  return all.toSorted((one, other) => Number(other.errors > 0) - Number(one.errors > 0))
}
