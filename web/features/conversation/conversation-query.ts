import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import type { AnswerOf, QueryOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { readAll } from '#web/entity/read-all.ts'
import { queueQuery } from '#web/features/agentchannel/index.ts'

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

/** Read again with each turn, not with time: `turns` says how many there are. */
export const replayQuery = (id: string, turns: number | undefined) =>
  queryOptions({
    queryKey: ['conversation', 'replay', id, turns],
    queryFn: () => http.get('/conversation/{id}/replay', { params: { id } }),
    enabled: turns !== undefined,
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

/** Waiting people and open chats of one agent channel. */
export interface ChannelQueue {
  readonly channel: string
  readonly name: string
  readonly waiting: number
  readonly talking: number
  /** Whether those who wait may be taken out. */
  readonly clearing: boolean
  /** Since when the first one waits, ISO 8601 UTC. */
  readonly longest: string | undefined
}

/** A conversation in a queue, or with an agent. */
export interface QueuedConversation {
  readonly queue: ChannelQueue
  /** Since when it waits, ISO 8601 UTC; null: an agent is there. */
  readonly waiting: string | null
  readonly requested: string
  /** Counted from 1 among those who wait. */
  readonly place: number
}

/** The queues of a bot's agent channels, for who may read them, and the conversations in them by id. */
export const useQueues = (bot: string) => {
  const { can } = useSession()
  const channels = useQuery({
    queryKey: ['agentchannel', 'list', { bot, all: true }],
    queryFn: ({ signal }) => readAll('agentchannel', { bot, sort: 'name' }, signal),
    enabled: can('readagentchannel') && bot !== '',
  })
  const tracked = channels.data?.items.filter(row => row.queue_tracker_enabled === true) ?? []
  const read = useQueries({ queries: tracked.map(({ id }) => queueQuery(id)) })
  const talks = new Map<string, QueuedConversation>()
  const queues = tracked.flatMap((row, at): ChannelQueue[] => {
    const found = read[at]?.data
    if (found === undefined || !found.enabled) return []
    const waiting = found.items
      .filter(talk => talk.waiting !== null)
      .toSorted((one, other) => String(one.waiting).localeCompare(String(other.waiting)))
    const queue: ChannelQueue = {
      channel: row.id,
      name: String(row.name),
      waiting: found.waiting,
      talking: found.talking,
      clearing: found.clearing,
      longest: waiting[0]?.waiting ?? undefined,
    }
    for (const talk of found.items)
      talks.set(talk.conversation, {
        queue,
        waiting: talk.waiting,
        requested: talk.requested,
        place: waiting.indexOf(talk) + 1,
      })
    return [queue]
  })
  return { queues, talks }
}
