import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { http } from '#web/api/http.ts'
import { agoOf } from '#web/format/time.ts'

const REFRESH_MS = 30_000

/** When people last wrote to the number of an account: only traffic proves where Meta sends its messages (R4). */
export const SeenText = ({ account }: { readonly account: string }) => {
  const { t } = useTranslation('campaign')
  const { data } = useQuery({
    queryKey: ['metaaccount', 'seen', account],
    queryFn: ({ signal }) => http.get('/metaaccount/{id}/seen', { params: { id: account }, signal }),
    refetchInterval: REFRESH_MS,
  })
  if (data === undefined) return '–'
  return data.last === null ? t('number.neverseen') : agoOf(data.last)
}
