import type { Json } from '#schemas/event.ts'
import type { NamedRow, ReadModels, Scope } from './port.ts'

/** The system itself: start-up, processes, the command line. */
export const SYSTEM_SCOPE = { user: null, home: null, level: null, readable: 'all' } as Scope

const PAGE = 100

/** Every row of a list, page by page. */
export const allRows = async <N extends string>(
  read: Pick<ReadModels, 'list'>,
  scope: Scope,
  entity: N,
  filter: Readonly<Record<string, Json>> = {},
): Promise<readonly NamedRow<N>[]> => {
  const rows: NamedRow<N>[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await read.list(scope, entity, { page, size: PAGE, filter })
    rows.push(...items)
    if (items.length < PAGE || rows.length >= total) return rows
  }
}
