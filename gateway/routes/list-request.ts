import type { ListQuery } from '#projections/port.ts'
import type { Json } from '#schemas/event.ts'

/** A checked query of a list. */
type CheckedQuery = Readonly<Record<string, Json | undefined>>
type Selected = Omit<ListQuery, 'page' | 'size'>

/** Filters and order of a list, from a checked query. */
export const selectionOf = (query: CheckedQuery, filters: readonly string[]): Selected => {
  const { search, sort, hierarchylevel, removed } = query as unknown as Omit<Selected, 'filter'>
  const filter = Object.fromEntries(
    filters.flatMap(name => {
      const value = query[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  return {
    filter,
    ...(search === undefined || search === '' ? {} : { search }),
    ...(sort === undefined ? {} : { sort }),
    ...(hierarchylevel === undefined ? {} : { hierarchylevel }),
    ...(removed === undefined ? {} : { removed }),
  }
}

/** The same with its page. */
export const listQueryOf = (query: CheckedQuery, filters: readonly string[]): ListQuery => {
  const { page, size } = query as unknown as Pick<ListQuery, 'page' | 'size'>
  return { page, size, ...selectionOf(query, filters) }
}
