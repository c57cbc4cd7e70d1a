import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { notice } from '#web/notice/notice.ts'

/** Changes whose rights, levels and rows are shown; everything that is shown, the user included, is read again. */
export const useSeeAs = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const navigate = useNavigate()
  const change = async (request: () => Promise<unknown>, to: string) => {
    try {
      await request()
    } catch (failure) {
      notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' })
      return
    }
    // Data of the previous user must not be visible during the refetch.
    await navigate(to)
    await client.resetQueries()
  }
  return {
    start: (user: string) => change(() => http.post('/auth/seeas', { body: { user } }), '/'),
    end: (user: string) => change(() => http.post('/auth/seeas/end'), `/user/${user}`),
  }
}
