import { queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'

export type RehearsalView = AnswerOf<'GET /rehearsal/{id}'>
export type RehearsalGroupView = RehearsalView['groups'][number]
export type RehearsedConversation = AnswerOf<'GET /rehearsal/{id}/conversation'>

/** ms between two looks at a rehearsal that runs. */
const LOOK_MS = 700

const rehearsalKey = (id: string) => ['rehearsal', id] as const

/** A rehearsal with what it has found so far. */
export const useRehearsal = (id: string | undefined) =>
  useQuery<RehearsalView>({
    queryKey: rehearsalKey(id ?? ''),
    queryFn: ({ signal }) => http.get('/rehearsal/{id}', { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined,
    retry: false,
    staleTime: LOOK_MS,
    refetchInterval: ({ state: { data, error } }) =>
      data?.state === 'running' && !isProblem(error, 404) ? LOOK_MS : false,
  })

/** Whether a bot has conversations to rehearse; also when that is not known. */
export const useHasTalked = (bot: string | undefined): boolean => {
  const { data, isError } = useQuery({
    queryKey: ['bot', 'overview', bot],
    queryFn: bot === undefined ? skipToken : () => http.get('/bot/{id}/overview', { params: { id: bot } }),
  })
  return data?.talked ?? isError
}

/** Flows that run as drawn. */
export interface Drawn {
  readonly bot: string
  readonly dialogs: readonly string[]
  readonly handlers: readonly string[]
}

/** Begins a rehearsal; that of the same person ends. */
export const useBeginRehearsal = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ bot, dialogs, handlers }: Drawn): Promise<RehearsalView> =>
      http.post('/bot/{id}/rehearsal', {
        params: { id: bot },
        body: { dialogs: [...dialogs], handlers: [...handlers] },
      }),
    onSuccess: view => client.setQueryData(rehearsalKey(view.rehearsal), view),
  })
}

/** Stops a rehearsal; its result so far stays. */
export const useStopRehearsal = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string): Promise<RehearsalView> => http.post('/rehearsal/{id}/stop', { params: { id } }),
    onSuccess: view => client.setQueryData(rehearsalKey(view.rehearsal), view),
  })
}

/** Number of conversations of a group that left each block, by output. */
export const rehearsalWaysQuery = (id: string, group: number, done: number) =>
  queryOptions({
    queryKey: ['rehearsal-ways', id, group, done],
    queryFn: ({ signal }) => http.get('/rehearsal/{id}/ways', { params: { id }, query: { group }, signal }),
  })

/** A conversation on both paths, with what was said. Reading it is a line in the audit. */
export const rehearsedQuery = (id: string, conversation: string) =>
  queryOptions({
    queryKey: ['rehearsed', id, conversation],
    queryFn: ({ signal }) =>
      http.get('/rehearsal/{id}/conversation', { params: { id }, query: { conversation }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
