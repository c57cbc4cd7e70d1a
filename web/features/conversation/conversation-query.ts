import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type Conversation = AnswerOf<'GET /conversation/{id}'>
export type ConversationPage = AnswerOf<'GET /conversation'>
export type ListedConversation = ConversationPage['items'][number]
export type Replay = AnswerOf<'GET /conversation/{id}/replay'>
export type Turn = Replay['turns'][number]

/** While people talk, what is shown of it is at most this old, ms. */
const FRESH = 5_000

export const conversationsQuery = (query: QueryOf<'GET /conversation'>) =>
  queryOptions({
    queryKey: ['conversation', 'list', query],
    queryFn: ({ signal }) => http.get('/conversation', { query, signal }),
    placeholderData: before => before,
    refetchInterval: FRESH,
  })

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversation', 'detail', id],
    queryFn: () => http.get('/conversation/{id}', { params: { id } }),
    // Ended conversations never change.
    refetchInterval: ({ state }) => (state.data?.status === 'ended' ? false : FRESH),
  })

/** Read again with each event of the conversation, not with time. An agent's message is no turn. */
export const replayQuery = (id: string, conversation: Pick<Conversation, 'turns' | 'last'> | undefined) =>
  queryOptions({
    queryKey: ['conversation', 'replay', id, conversation?.turns, conversation?.last],
    queryFn: () => http.get('/conversation/{id}/replay', { params: { id } }),
    enabled: conversation !== undefined,
    placeholderData: before => before,
  })

interface BlockName {
  readonly title: string
  readonly type: string
}

/** Readers of the person's messages. */
export const readersQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversation', 'readers', id],
    queryFn: () => http.get('/conversation/{id}/readers', { params: { id } }),
  })

/** Titles and types of the blocks of a dialog at a revision, which never changes. */
export const blockTitlesQuery = (dialog: string, revision: number) =>
  queryOptions({
    queryKey: ['dialog', 'blocktitles', dialog, revision],
    queryFn: async (): Promise<Readonly<Record<string, BlockName>>> => {
      const params = { kind: 'dialog', id: dialog, revision } as const
      const { operators } = await http.get('/{kind}/{id}/flow/at/{revision}', { params })
      return Object.fromEntries(
        Object.entries(operators).map(([id, { title, type }]) => [
          id,
          { title: String(title ?? ''), type: String(type ?? '') },
        ]),
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
