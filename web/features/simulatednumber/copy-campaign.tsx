import { Button, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowRightFromLine } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isSimulated } from '#domain/campaign/simulated-number.ts'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { useAccounts } from '#web/features/campaign/index.ts'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import { notice } from '#web/notice/notice.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'
import { useIsSimulated } from './number-query.ts'

interface DialogProps {
  readonly row: RowOf<'campaign'>
  onClose(): void
}

const CopyDialog = ({ row, onClose }: DialogProps) => {
  const { t } = useTranslation(['simulatednumber', 'shell'])
  const client = useQueryClient()
  const goOn = useGuardedNavigate()
  const [chosen, setChosen] = useState<string>()
  const { isBusy, failure, attempt } = useAttempt(t('leave.failed'))
  const accounts = useAccounts()
  const real = (accounts ?? []).filter(account => !isSimulated(account))
  const target = chosen ?? real[0]?.id
  const copy = async () => {
    const { metaaccount: id } = row
    if (target === undefined || id === null) return
    await attempt(async () => {
      const { campaign } = await http.post('/simulatednumber/{id}/copy', {
        params: { id },
        body: { campaign: row.id, metaaccount: target },
      })
      for (const key of ['campaign', 'template']) await client.invalidateQueries({ queryKey: [key] })
      notice.snack(t('leave.done'), { tone: 'positive' })
      await goOn(`/campaign/${campaign}`)
    })
  }
  return (
    <Modal
      onClose={onClose}
      title={t('leave.title')}
      icon={<ArrowRightFromLine size={17} aria-hidden="true" />}
      actions={
        <Button variant="solid" loading={isBusy} disabled={target === undefined} onClick={() => void copy()}>
          {t('leave.do')}
        </Button>
      }
    >
      <Stack gap="3">
        <Text textStyle="dense">{t('leave.text')}</Text>
        {accounts === undefined ? null : target === undefined ? (
          <Text textStyle="dense">{t('leave.none')}</Text>
        ) : (
          <LabelledSelect
            label={t('leave.account')}
            value={target}
            options={real.map(({ id, name }) => [id, name])}
            onChange={setChosen}
          />
        )}
        <ErrorLine text={failure} />
      </Stack>
    </Modal>
  )
}

/** The way from a simulated campaign to a real number; nothing at other campaigns. */
export const CopyToReal = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation('simulatednumber')
  const { can } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!useIsSimulated(row.metaaccount) || !can('createcampaign')) return null
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)}>
        <ArrowRightFromLine size={15} aria-hidden="true" />
        {t('leave.do')}
      </Button>
      {isOpen ? <CopyDialog row={row} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
