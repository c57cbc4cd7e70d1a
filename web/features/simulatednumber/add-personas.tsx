import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { notice } from '#web/notice/notice.ts'
import { useIsSimulated } from './number-query.ts'

interface Props {
  readonly campaign: string
  readonly account: string | null | undefined
  /** The campaign has contacts already. */
  readonly isFurther: boolean
}

/** Adds the people of a simulated number to a campaign of that number; nothing at campaigns of others. */
export const AddPersonas = ({ campaign, account, isFurther }: Props) => {
  const { t } = useTranslation('simulatednumber')
  const { can } = useSession()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const isSimulated = useIsSimulated(account)
  if (!isSimulated || typeof account !== 'string' || !can('createcontact')) return null
  const add = async () => {
    setBusy(true)
    try {
      const { added } = await http.post('/simulatednumber/{id}/contacts', {
        params: { id: account },
        body: { campaign },
      })
      await client.invalidateQueries({ queryKey: ['contact'] })
      notice.snack(t('next.contactsdone', { count: added }), { tone: 'positive' })
    } catch (error) {
      notice.toast(failureOf(error, t('next.contactsfailed')), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant={isFurther ? 'outline' : 'solid'} loading={isBusy} onClick={() => void add()}>
      <FlaskConical size={15} aria-hidden="true" />
      {t('next.contacts')}
    </Button>
  )
}
