import { queryOptions, useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
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

/** When a conversation closes again that the caller asked to see, ms from now; undefined: they did not. */
export const closesIn = (seen: { readonly revealed: string | null } | undefined): number | undefined => {
  const until = seen?.revealed ?? null
  return until === null ? undefined : Math.max(1_000, Date.parse(until) - Date.now() + 1_000)
}

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ['conversation', 'detail', id],
    queryFn: () => http.get('/conversation/{id}', { params: { id } }),
    // Ended conversations never change, but those that the caller asked to see close again.
    refetchInterval: ({ state: { data } }) => {
      if (data?.status !== 'ended') return FRESH
      // Another node may follow the audit a moment later: who may ask has perhaps just asked.
      return closesIn(data) ?? (data.mayreveal ? FRESH : false)
    },
  })

/** Read again with each event of the conversation, not with time. An agent's message is no turn. */
export const replayQuery = (id: string, conversation: Pick<Conversation, 'turns' | 'last' | 'revealed'> | undefined) =>
  queryOptions({
    queryKey: ['conversation', 'replay', id, conversation?.turns, conversation?.last, conversation?.revealed ?? null],
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
const blockTitlesQuery = (dialog: string, revision: number) =>
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

/** Block titles in the revisions that ran, and names of their dialogs. */
export interface BlockNames {
  titleOf(dialog: string, block: string): string
  dialogOf(dialog: string): string | undefined
}

export const useBlockNames = ({ flows, turns }: Replay): BlockNames => {
  const { t } = useTranslation('block')
  const walked = useMemo(() => {
    const dialogs = new Set(turns.flatMap(({ steps }) => steps.map(({ dialog }) => dialog)))
    return flows.filter(({ dialog }) => dialogs.has(dialog))
  }, [flows, turns])
  return useQueries({
    queries: walked.map(({ dialog, revision }) => blockTitlesQuery(dialog, revision)),
    combine: found => {
      const titles = new Map(walked.map(({ dialog }, place) => [dialog, found[place]?.data]))
      return {
        titleOf: (dialog, block) => {
          const named = titles.get(dialog)?.[block]
          // An id says nothing to people: none while titles are read, the word for a block where there is no title.
          if (named === undefined) return titles.get(dialog) === undefined ? '' : t('type.unknown')
          const { title, type } = named
          return isMachineTitle(title, type) ? t(`type.${type}`, { defaultValue: title || block }) : title
        },
        dialogOf: dialog => walked.find(flow => flow.dialog === dialog)?.name ?? undefined,
      }
    },
  })
}
