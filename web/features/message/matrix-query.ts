import { queryOptions } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import type { ListPlace } from '#web/entity/list/use-list-place.ts'
import type { ListControl } from '#web/entity/list/use-list-state.ts'

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
