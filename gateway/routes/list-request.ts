import type { ListQuery } from '#projections/port.ts'
import type { Json } from '#schemas/event.ts'

type Selected = Omit<ListQuery, 'page' | 'size'>

/** Filters and order of a list, from a checked query. */
export const selectionOf = (query: Readonly<Record<string, Json>>, filters: readonly string[]): Selected => {
  const { search, sort, hierarchylevel, removed } = query as unknown as Omit<Selected, 'filter'>
  const filter = Object.fromEntries(filters.flatMap(name => (query[name] === undefined ? [] : [[name, query[name]]])))
  return {
    filter,
    ...(search === undefined || search === '' ? {} : { search }),
    ...(sort === undefined ? {} : { sort }),
    ...(hierarchylevel === undefined ? {} : { hierarchylevel }),
    ...(removed === undefined ? {} : { removed }),
  }
}

/** The same with its page. */
export const listQueryOf = (query: Readonly<Record<string, Json>>, filters: readonly string[]): ListQuery => {
  const { page, size } = query as unknown as Pick<ListQuery, 'page' | 'size'>
  return { page, size, ...selectionOf(query, filters) }
}
