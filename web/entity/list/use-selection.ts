import { useState } from 'react'
import type { Row } from '#web/entity/entity-query.ts'

/** Rows that are chosen for a bulk command, over all pages of one filter. */
export interface Selection {
  /** Everything that the filter matches, rows that were never loaded included. */
  readonly isAll: boolean
  readonly ids: readonly string[]
  readonly count: number
  has(id: string): boolean
  set(rows: readonly Row[], isSelected: boolean): void
  selectAll(): void
  clear(): void
}

interface Stored {
  readonly key: string
  readonly isAll: boolean
  readonly ids: ReadonlySet<string>
}

/** `key` names the filter: another one begins without a selection. */
export const useSelection = (key: string, total: number, page: readonly Row[]): Selection => {
  const empty: Stored = { key, isAll: false, ids: new Set() }
  const [stored, setStored] = useState(empty)
  const { isAll, ids } = stored.key === key ? stored : empty
  return {
    isAll,
    ids: [...ids],
    count: isAll ? total : ids.size,
    has: id => isAll || ids.has(id),
    set: (rows, isSelected) => {
      // The API knows no exceptions to a filter: leaving "all" keeps the page that is shown.
      const next = new Set(isAll ? page.map(({ id }) => id) : ids)
      for (const { id } of rows) {
        if (isSelected) next.add(id)
        else next.delete(id)
      }
      setStored({ key, isAll: false, ids: next })
    },
    selectAll: () => setStored({ key, isAll: true, ids: new Set() }),
    clear: () => setStored(empty),
  }
}
