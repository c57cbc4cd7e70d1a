import { queryOptions } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import type { ListControl, ListPlace } from '#web/entity/list/use-list-state.ts'

type Matrix = AnswerOf<'GET /bot/{id}/messages'>
export type MatrixRow = Matrix['items'][number]
export type MatrixCell = MatrixRow['messages'][string]

interface MatrixParams {
  readonly search: string
  /** `any`, a language, or '' for all codes. */
  readonly missing: string
  readonly page: number
  readonly size: number
}

export const MISSING = 'missing'

const read = ({ entity, fixed }: ListPlace, query: MatrixParams, signal: AbortSignal): Promise<Matrix> =>
  entity.name === 'localemessage'
    ? http.get('/localemessage/matrix', { query, signal })
    : http.get('/bot/{id}/messages', { params: { id: fixed.bot ?? '' }, query, signal })

export const matrixQuery = (place: ListPlace, params: MatrixParams) =>
  queryOptions({
    // Under the entity's key: a message write refetches it. Includes general messages.
    queryKey: [place.entity.name, 'matrix', place.fixed, params],
    queryFn: ({ signal }) => read(place, params, signal),
    placeholderData: before => before,
  })

export const useMatrixParams = ({ state }: Pick<ListControl, 'state'>): MatrixParams => {
  const [search] = useSearchParams()
  return { search: state.search, missing: search.get(MISSING) ?? '', page: state.page, size: state.size }
}

export interface GridPlace {
  readonly row: number
  readonly column: number
}

const cellAt = (grid: HTMLElement | null, { row, column }: GridPlace) =>
  grid?.querySelector<HTMLElement>(`[data-cell="${row},${column}"]`)

const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value))

/** One cell of a grid is in the tab order; arrows, Home, End and with Ctrl the grid's corners move it. */
export const useGridFocus = (rows: number, columns: number) => {
  const grid = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<GridPlace>({ row: 0, column: 0 })
  const current = { row: within(place.row, rows), column: within(place.column, columns) }
  const focus = (next: GridPlace) => {
    const target = { row: within(next.row, rows), column: within(next.column, columns) }
    setPlace(target)
    cellAt(grid.current, target)?.focus()
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.cell === undefined) return
    const { row, column } = current
    const isFar = event.ctrlKey || event.metaKey
    const moves: Partial<Record<string, GridPlace>> = {
      ArrowDown: { row: row + 1, column },
      ArrowUp: { row: row - 1, column },
      ArrowRight: { row, column: column + 1 },
      ArrowLeft: { row, column: column - 1 },
      Home: { row: isFar ? 0 : row, column: 0 },
      End: { row: isFar ? rows - 1 : row, column: columns - 1 },
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    focus(next)
  }
  return { grid, current, setPlace, focus, onKeyDown }
}
