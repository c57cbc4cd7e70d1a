import type { Json } from '#schemas/event.ts'
import type { ReadModels, Row, Scope } from './port.ts'

const PAGE = 100

/** Every row of a list, page by page. */
export const allRows = async (
  read: Pick<ReadModels, 'list'>,
  scope: Scope,
  entity: string,
  filter: Readonly<Record<string, Json>> = {},
): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { items, total } = await read.list(scope, entity, { page, size: PAGE, filter })
    rows.push(...items)
    if (items.length < PAGE || rows.length >= total) return rows
  }
}
