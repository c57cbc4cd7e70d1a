import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { notice } from '#web/notice/notice.ts'
import { levelsQuery } from './level.ts'
import { enterLevel } from './level-entry.ts'

/** Opening a thing of another level works in that level from then on: the server changes it, and the page is reloaded. */
export const useLevelOf = (entity: string, row: { readonly hierarchylevel: string | null }): void => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const levels = useQuery(levelsQuery).data
  const done = useRef(false)
  const { hierarchylevel } = row
  useEffect(() => {
    if (done.current || levels === undefined || entity === 'hierarchy') return
    done.current = true
    if (hierarchylevel === null || hierarchylevel === user.hierarchylevel) return
    if (levels.every(({ id }) => id !== hierarchylevel)) return
    enterLevel({ from: user.hierarchylevel, to: hierarchylevel }).catch((failure: unknown) => {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
    })
  }, [levels, hierarchylevel, user.hierarchylevel, entity, t])
}
