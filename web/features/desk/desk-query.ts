import { type QueryClient, queryOptions } from '@tanstack/react-query'
import i18next from 'i18next'
import type { AnswerOf, BodyOf, QueryOf } from '#schemas/api/routes.ts'
import { isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'

export type DeskChat = AnswerOf<'GET /desk/chat'>['items'][number]
export type DeskChatDetail = AnswerOf<'GET /desk/chat/{id}'>
export type DeskFilter = QueryOf<'GET /desk/chat'>

/** Without a socket a chat is at most this old, ms. */
export const POLL_MS = 5_000

/** A web visitor without a name: their person is `visitor-` and an id. */
const VISITOR = /^visitor-([0-9a-f]{4})[0-9a-f-]+$/u

/** Names a nameless visitor by the letters that the list of conversations shows. */
const withName = <T extends { readonly person: string }>(chat: T): T => {
  const sign = VISITOR.exec(chat.person)?.[1]
  return sign === undefined ? chat : { ...chat, person: i18next.t('desk:visitor', { sign: sign.toUpperCase() }) }
}

export const deskListQuery = (filter: DeskFilter) =>
  queryOptions({
    queryKey: ['desk', 'list', filter],
    queryFn: async ({ signal }) => {
      const page = await http.get('/desk/chat', { query: filter, signal })
      return { ...page, items: page.items.map(withName) }
    },
    placeholderData: before => before,
  })

export const deskChatQuery = (id: string) =>
  queryOptions({
    queryKey: ['desk', 'chat', id],
    queryFn: async ({ signal, client }) => {
      try {
        return withName(await http.get('/desk/chat/{id}', { params: { id }, signal }))
      } catch (failure) {
        if (isProblem(failure, 404)) dropRow(client, id)
        throw failure
      }
    },
  })

/** Acts on one chat. A message or note that is sent again with its id is written once. */
export const deskAct = {
  take: (id: string) => http.post('/desk/chat/{id}/take', { params: { id }, body: {} }),
  say: (id: string, body: BodyOf<'POST /desk/chat/{id}/messages'>) =>
    http.post('/desk/chat/{id}/messages', { params: { id }, body, key: body.id }),
  template: (id: string, body: BodyOf<'POST /desk/chat/{id}/template'>) =>
    http.post('/desk/chat/{id}/template', { params: { id }, body, key: body.id }),
  note: (id: string, body: BodyOf<'POST /desk/chat/{id}/note'>) =>
    http.post('/desk/chat/{id}/note', { params: { id }, body, key: body.id }),
  snooze: (id: string, body: BodyOf<'POST /desk/chat/{id}/snooze'>) =>
    http.post('/desk/chat/{id}/snooze', { params: { id }, body }),
  wake: (id: string) => http.post('/desk/chat/{id}/wake', { params: { id }, body: {} }),
  transfer: (id: string, body: BodyOf<'POST /desk/chat/{id}/transfer'>) =>
    http.post('/desk/chat/{id}/transfer', { params: { id }, body }),
  decline: (id: string, body: BodyOf<'POST /desk/chat/{id}/decline'>) =>
    http.post('/desk/chat/{id}/decline', { params: { id }, body }),
  assign: (id: string, user: string | null) => http.post('/desk/chat/{id}/assign', { params: { id }, body: { user } }),
  prioritize: (id: string, priority: number) =>
    http.post('/desk/chat/{id}/priority', { params: { id }, body: { priority } }),
  tag: (id: string, tags: readonly string[]) =>
    http.post('/desk/chat/{id}/tags', { params: { id }, body: { tags: [...tags] } }),
  close: (
    id: string,
    body: BodyOf<'POST /desk/chat/{id}/close'>,
    options: { readonly key: string; readonly keepalive: boolean },
  ) => http.post('/desk/chat/{id}/close', { params: { id }, body, ...options }),
}

export type Metrics = AnswerOf<'GET /desk/metrics'>
export type Metric = Metrics['total']
export type MetricsFilter = QueryOf<'GET /desk/metrics'>

/** Figures are at most this old, ms. */
const FRESH_METRICS = 30_000

export const metricsQuery = (filter: MetricsFilter) =>
  queryOptions({
    queryKey: ['desk', 'metrics', filter],
    queryFn: ({ signal }) => http.get('/desk/metrics', { query: filter, signal }),
    placeholderData: before => before,
    refetchInterval: FRESH_METRICS,
  })

/** Removes a chat from the lists: it has left the queues of the user, or those that they may see. */
export const dropRow = (client: QueryClient, conversation: string): void => {
  client.setQueriesData<{ readonly items: readonly { readonly conversation: string }[]; readonly total: number }>(
    { queryKey: ['desk', 'list'] },
    page => {
      const items = page?.items.filter(chat => chat.conversation !== conversation) ?? []
      return page === undefined || items.length === page.items.length ? page : { ...page, items, total: page.total - 1 }
    },
  )
}
