import { useQuery } from '@tanstack/react-query'
import { searchCanned } from '#domain/desk/canned-search.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type CannedAnswer = AnswerOf<'GET /desk/chat/{id}/canned'>['items'][number]

/** Answers that a list offers at most. */
const MAX_OFFERED = 20
/** Answers of a chat are at most this old, ms. */
const FRESH_MS = 30_000

interface CannedOffer {
  readonly items: readonly CannedAnswer[] | undefined
  /** The first ones are on their way. */
  readonly isComing: boolean
  /** Number of all answers for this chat. */
  readonly total: number
}

/**
 * Canned answers for the letters that were typed after the slash; undefined: none are wanted. While the answer for new
 * letters is on its way, those of the earlier letters that match are offered.
 */
export const useCanned = (chat: string, typed: string | undefined): CannedOffer => {
  const { data, isPlaceholderData, isFetching } = useQuery({
    queryKey: ['desk', 'canned', chat, typed],
    queryFn: ({ signal }) =>
      http.get('/desk/chat/{id}/canned', {
        params: { id: chat },
        query: { search: typed ?? '', size: MAX_OFFERED },
        signal,
      }),
    enabled: typed !== undefined,
    staleTime: FRESH_MS,
    // Answers of another chat hold values of another person.
    placeholderData: (before, query) => (query?.queryKey[2] === chat ? before : undefined),
  })
  if (typed === undefined || data === undefined)
    return { items: undefined, isComing: typed !== undefined && isFetching, total: 0 }
  const { total } = data
  const items = isPlaceholderData ? searchCanned(data.items, typed, MAX_OFFERED) : data.items
  return { items, isComing: false, total }
}

/** `/` at the begin or after a space, and the letters after it, up to the caret. */
const SHORTCUT = /(?:^|\s)\/([\p{L}\p{N}_-]*)$/u

/** Letters that filter canned answers; undefined while no shortcut is typed before the caret. */
export const shortcutAt = (text: string, caret: number): string | undefined => SHORTCUT.exec(text.slice(0, caret))?.[1]

interface Insertion {
  readonly text: string
  /** Begin of the selection: the first gap, else the caret. */
  readonly begin: number
  readonly caret: number
}

/** The text with a canned answer in place of the shortcut before the caret. Its first gap is selected. */
export const insertCanned = (text: string, caret: number, answer: string): Insertion => {
  const typed = shortcutAt(text, caret)
  const at = typed === undefined ? caret : caret - typed.length - 1
  const [gap = ''] = gapsOf(answer)
  const begin = at + (gap === '' ? answer.length : answer.indexOf(gap))
  return { text: text.slice(0, at) + answer + text.slice(caret), begin, caret: begin + gap.length }
}

/** Place marks of a canned answer whose values are missing, such as `{field.order}`. */
export const gapsOf = (text: string): readonly string[] =>
  text.match(/\{(?:person|agent|bot|field)\.[^{}\s]+\}/gu) ?? []
