import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { mention, partsOf } from '#domain/comment-text.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { completeMention } from '#web/components/mention/mention-text.ts'
import { type NamedPerson, nameOf } from '#web/components/person-avatar.tsx'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { useDesigner } from '../session/designer.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

type ThreadPage = AnswerOf<'GET /{kind}/{id}/comment'>
export type Thread = ThreadPage['items'][number]
export type Comment = Thread['answers'][number]

interface ThreadFilter {
  readonly resolved: boolean
  readonly block: string | undefined
}

/** Query key of a flow's comments; `commentEmit` of the socket invalidates it. */
export const commentKey = ({ kind, id }: FlowAddress) => ['comment', kind, id] as const

const PAGE = 25

export const openThreadsQuery = (address: FlowAddress) =>
  queryOptions({
    queryKey: [...commentKey(address), 'open'],
    queryFn: () =>
      http.get('/{kind}/{id}/comment', {
        params: { kind: address.kind, id: address.id },
        query: { resolved: false, size: 1 },
      }),
    select: ({ open }) => open,
  })

export const threadsQuery = (address: FlowAddress, { resolved, block }: ThreadFilter) =>
  infiniteQueryOptions({
    queryKey: [...commentKey(address), 'threads', resolved, block ?? ''],
    queryFn: ({ pageParam: page }) =>
      http.get('/{kind}/{id}/comment', {
        params: { kind: address.kind, id: address.id },
        query: { resolved, block, page, size: PAGE },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, size, total }: ThreadPage) => (page * size < total ? page + 1 : undefined),
    placeholderData: before => before,
  })

/** The comment in the address: its thread's block, and whether the thread is resolved. */
export interface LinkedComment {
  readonly id: string
  readonly block: string
  readonly resolved: boolean
}

/** Fetched once: later changes of the thread do not navigate. */
const linkedCommentQuery = ({ kind, id }: FlowAddress, comment: string) =>
  queryOptions({
    queryKey: ['comment led to', kind, id, comment],
    queryFn: async (): Promise<LinkedComment> => {
      const read = (one: string) => http.get('/{entity}/{id}', { params: { entity: `${kind}comment`, id: one } })
      const said = await read(comment)
      const first = said[`${kind}comment`]
      const { block, resolved } = typeof first === 'string' ? await read(first) : said
      return { id: comment, block: String(block), resolved: resolved === true }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  })

export const readersQuery = ({ kind, id }: FlowAddress, search: string) =>
  queryOptions({
    queryKey: ['reader', kind, id, search],
    queryFn: () => http.get('/{kind}/{id}/reader', { params: { kind, id }, query: { search, size: 8 } }),
    select: ({ items }) => items,
    staleTime: 60_000,
    placeholderData: before => before,
  })

/** A comment in edit form: people by name; `named` maps each name to a person id. */
export interface CommentText {
  readonly text: string
  readonly named: ReadonlyMap<string, string>
}

export const EMPTY_COMMENT: CommentText = { text: '', named: new Map() }

/** `@Ana Souza`; the username if another person in the text has the same name, or if the name is missing. */
const shownName = (person: NamedPerson, named: ReadonlyMap<string, string>): string => {
  const full = `@${nameOf(person)}`
  const other = named.get(full)
  return other === undefined || other === person.id ? full : `@${person.username ?? person.id}`
}

export const toWritten = (text: string, people: readonly NamedPerson[]): CommentText => {
  const named = new Map<string, string>()
  const parts = partsOf(text).map(part => {
    if ('text' in part) return part.text
    const person = people.find(({ id }) => id === part.user)
    // People without a known name, such as forgotten ones, stay as stored.
    if (person === undefined || person.username === null) return mention(part.user)
    const shown = shownName(person, named)
    named.set(shown, person.id)
    return shown
  })
  return { text: parts.join(''), named }
}

/** The text to keep. The longest names first: `@Ana` begins `@Ana Souza`. */
export const toStored = ({ text, named }: CommentText): string =>
  [...named]
    .sort(([one], [other]) => other.length - one.length)
    .reduce((stored, [shown, id]) => stored.replaceAll(shown, mention(id)), text)

/** Replaces the started name before the caret with a person; `caret` is the new caret. */
export const insertMention = (
  written: CommentText,
  caret: number,
  person: NamedPerson,
): CommentText & { caret: number } => {
  const shown = shownName(person, written.named)
  return { ...completeMention(written.text, caret, shown), named: new Map(written.named).set(shown, person.id) }
}

/** The comment in the address: its place, or that it was removed. `going` changes with each navigation. */
export const useLinkedComment = (): {
  readonly led: LinkedComment | undefined
  readonly gone: boolean
  readonly going: string
} => {
  const { address } = useDesigner()
  const { key } = useLocation()
  // The address itself: the selected block is written into it without the router.
  const comment = new URLSearchParams(location.search).get(DESIGNER_QUERY.comment)
  const { data, isError } = useQuery({ ...linkedCommentQuery(address, comment ?? ''), enabled: comment !== null })
  return { led: comment === null ? undefined : data, gone: isError, going: key }
}
