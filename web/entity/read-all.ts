import { queryOptions, useQuery } from '@tanstack/react-query'
import type { NamedRow } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'

const PAGE_SIZE = 100
/** Beyond these pages the rest of a list stays unknown. */
const MAX_PAGES = 20

export interface Rows<N extends string = string> {
  readonly items: readonly NamedRow<N>[]
  /** Of the whole list, which may be longer. */
  readonly total: number
}

/** A whole list, page by page. */
export const readAll = async <N extends string>(
  entity: N,
  query: Readonly<Record<string, string | number | boolean>>,
  signal?: AbortSignal,
): Promise<Rows<N>> => {
  const items: NamedRow<N>[] = []
  for (let page = 1; ; page += 1) {
    const found = await http.get('/{entity}', {
      params: { entity },
      query: { ...query, size: PAGE_SIZE, page },
      ...(signal === undefined ? {} : { signal }),
    })
    items.push(...(found.items as readonly NamedRow<N>[]))
    if (page === MAX_PAGES || found.items.length < PAGE_SIZE) return { items, total: found.total }
  }
}

/** All bots of the user, by name. */
export const botsQuery = queryOptions({
  queryKey: ['bot', 'list', { all: true }],
  queryFn: ({ signal }) => readAll('bot', { sort: 'name' }, signal),
})

/** All of an entity as choices by name; none without the right to read it. */
export const useAllChoices = (entity: 'campaign' | 'contactlist' | 'segment') => {
  const { can } = useSession()
  const { data } = useQuery({
    queryKey: [entity, 'list', { all: true }],
    queryFn: ({ signal }) => readAll(entity, { sort: 'name' }, signal),
    enabled: can(`read${entity}`),
  })
  return (data?.items ?? []).map(({ id, name }) => ({ value: id, label: String(name) }))
}

/** The dialogs or handlers of a task by name, or those that were removed. */
export const flowsQuery = <N extends 'dialog' | 'handler'>(kind: N, task: string | undefined, removed = false) =>
  queryOptions({
    queryKey: [kind, 'list', { dialogtask: task, all: true, removed }],
    queryFn: ({ signal }) =>
      readAll(kind, { dialogtask: task ?? '', sort: 'name', ...(removed ? { removed } : {}) }, signal),
    enabled: task !== undefined,
  })
