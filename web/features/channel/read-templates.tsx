import { Button } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { templateProvider } from '#schemas/template-provider.ts'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { useProblemText } from '#web/form/use-problem-text.ts'
import { notice } from '#web/notice/notice.ts'

/** Whether the provider of a channel lists its templates; those of a number at Meta are read by its account. */
const isListing = ({ type, enable }: RowOf<'channel'>): boolean => {
  const review = templateProvider(type)?.review
  return enable && type !== 'whatsapp_meta' && (review === 'submit' || review === 'list')
}

/** Reads the templates of a channel from its provider. */
export const ReadTemplates = ({ row }: { readonly row: RowOf<'channel'> }) => {
  const { t } = useTranslation('entity/channel')
  const { can } = useSession()
  const problem = useProblemText()
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  if (!isListing(row) || !can('synctemplateschannel')) return null
  const read = async () => {
    setBusy(true)
    try {
      const { added, changed, skipped } = await http.post('/channel/{id}/synctemplates', {
        params: { id: row.id },
        body: {},
      })
      await client.invalidateQueries({ queryKey: ['template'] })
      const left = skipped.length === 0 ? '' : ` ${t('action.synctemplates.skipped', { names: skipped.join(', ') })}`
      const done = t('action.synctemplates.done', { added, changed })
      notice.toast(done + left, { tone: skipped.length === 0 ? 'positive' : 'warning' })
    } catch (failure) {
      notice.toast(failureOf(failure, problem('template.load')), { tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="outline" loading={isBusy} onClick={() => void read()}>
      <LayoutTemplate size={15} aria-hidden="true" />
      {t('action.synctemplates.do')}
    </Button>
  )
}
