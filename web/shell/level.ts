import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { notice } from '#web/notice/notice.ts'

export type Level = AnswerOf<'GET /selectfromoriginallevel'>[number]

/** The levels at and below one's own. */
export const levelsQuery = queryOptions({
  queryKey: ['hierarchy', 'levels'],
  queryFn: () => http.get('/selectfromoriginallevel'),
  staleTime: 60_000,
})

/** Names from the top to a level. */
export const pathOf = (levels: readonly Level[], id: string): readonly string[] => {
  const byId = new Map(levels.map(level => [level.id, level]))
  const names: string[] = []
  for (let at = byId.get(id); at !== undefined && names.length < levels.length; at = byId.get(at.parent ?? '')) {
    names.unshift(at.name)
  }
  return names
}

/** Works in another level from now on: everything shown, the user included, is read again, and the bots are shown. */
export const useChangeLevel = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const navigate = useNavigate()
  return async (level: Level) => {
    try {
      await http.post('/changehierarchylevel/{level}', { params: { level: level.id } })
    } catch (failure) {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
      return
    }
    await client.invalidateQueries()
    await navigate('/bot/search')
    notice.snack(t('level.changed', { name: level.name }))
  }
}
