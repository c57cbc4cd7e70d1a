import { CONVERSATION_STANDING } from '#schemas/api/conversation.ts'
import type { QueryOf } from '#schemas/api/routes.ts'
import { useAddress } from '#web/page/use-address.ts'

export const PERIODS = [1, 7, 30] as const
const SIZES = [25, 50, 100] as const

/** The first of the last so many days, ISO 8601 UTC; an hour long the same, so that it is one query. */
const sinceDays = (days: number): string =>
  new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 - days * 86_400_000).toISOString()

/** Which conversations are listed and which one is open, in the address. */
export const useFilter = () => {
  const { params, put, addressOf } = useAddress()
  const standing = CONVERSATION_STANDING.find(one => one === params.get('standing'))
  const days = PERIODS.find(one => String(one) === params.get('days'))
  const page = Math.max(1, Number(params.get('page')) || 1)
  const size = SIZES.find(one => String(one) === params.get('size')) ?? SIZES[0]
  const open = params.get('open') ?? undefined
  const search = params.get('search') ?? ''
  const channel = params.get('channel') ?? ''
  const person = params.get('person') ?? undefined
  const at = params.get('at') ?? undefined
  const filter: Omit<QueryOf<'GET /conversation/export'>, 'bot'> = {
    ...(standing === undefined ? {} : { standing }),
    ...(search === '' ? {} : { search }),
    ...(channel === '' ? {} : { channel }),
    ...(person === undefined ? {} : { person }),
    ...(at === undefined ? {} : { at }),
    ...(days === undefined ? {} : { from: sinceDays(days) }),
  }
  return {
    standing,
    days,
    page,
    size,
    open,
    search,
    channel,
    person,
    at,
    /** The list's filter, without page. */
    filter,
    query: { ...filter, page, size },
    put,
    addressOf,
  }
}

export type Filter = ReturnType<typeof useFilter>
