import { Button, Checkbox, Field, Input, Stack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { Modal } from '#web/components/modal.tsx'
import { notice } from '#web/notice/notice.ts'
import { useAttempt } from '#web/notice/use-attempt.ts'
import { useGuardedNavigate } from '#web/page/use-address.ts'

interface Props {
  readonly row: RowOf<'campaign'>
  onClose(): void
}

/** Copies a campaign under another name, with its contacts if they are wanted. */
export const DuplicateDialog = ({ row, onClose }: Props) => {
  const { t } = useTranslation(['campaign', 'shell'])
  const { can } = useSession()
  const client = useQueryClient()
  const goOn = useGuardedNavigate()
  const [name, setName] = useState(`${row.name}_2`)
  const [contacts, setContacts] = useState(false)
  const { isBusy, failure, attempt } = useAttempt(t('duplicate.failed'))
  const duplicate = () =>
    attempt(async () => {
      const { id } = await http.post('/campaign/{id}/duplicate', { params: { id: row.id }, body: { name, contacts } })
      await client.invalidateQueries({ queryKey: ['campaign'] })
      notice.snack(t('duplicate.done'), { tone: 'positive' })
      await goOn(`/campaign/${id}`)
      onClose()
    })
  return (
    <Modal
      onClose={onClose}
      icon={<Copy size={17} aria-hidden="true" />}
      title={t('duplicate.title', { name: row.name })}
      actions={
        <Button variant="solid" loading={isBusy} disabled={name.trim() === ''} onClick={() => void duplicate()}>
          {t('duplicate.do')}
        </Button>
      }
    >
      <Stack gap="3">
        <Text textStyle="dense">{t('duplicate.text')}</Text>
        <Field.Root required>
          <Field.Label>{t('duplicate.name')}</Field.Label>
          <Input
            data-autofocus=""
            fontFamily="mono"
            maxLength={200}
            value={name}
            onChange={event => setName(event.target.value)}
          />
        </Field.Root>
        {can('readcontact') && can('createcontact') ? (
          <Checkbox.Root checked={contacts} onCheckedChange={({ checked }) => setContacts(checked === true)}>
            <Checkbox.HiddenInput />
            <Checkbox.Control />
            <Checkbox.Label>{t('duplicate.contacts')}</Checkbox.Label>
          </Checkbox.Root>
        ) : null}
        <ErrorLine text={failure} />
      </Stack>
    </Modal>
  )
}
