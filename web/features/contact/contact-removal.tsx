import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useQueryClient } from '@tanstack/react-query'
import { UserMinus, UserX } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { ConfirmDialog, Modal } from '#web/components/modal.tsx'
import { SwitchControl } from '#web/form/control/choice-control.tsx'
import { notice } from '#web/notice/notice.ts'
import type { Contact } from './contact-query.ts'
import type { ContactHolder } from './holder.ts'

interface RemovalProps {
  readonly holder: ContactHolder
  readonly contact: Contact
  readonly name: string
  onClose(): void
}

/** Takes a contact out of one campaign. */
export const RemoveContact = ({ holder, contact, name, onClose }: RemovalProps) => {
  const { t } = useTranslation('contact')
  const { t: ts } = useTranslation('shell')
  const client = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const [failed, setFailed] = useState<string>()
  const remove = async () => {
    setBusy(true)
    try {
      await http.delete('/contact/{id}', { params: { id: contact.id }, query: holder.of })
      await client.invalidateQueries({ queryKey: ['contact', holder.id] })
      notice.snack(t(`remove.done.${holder.kind}`, { name }), { tone: 'positive' })
      onClose()
    } catch (failure) {
      setFailed(failureOf(failure, t('remove.failed')))
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      icon={<UserMinus size={18} aria-hidden="true" />}
      title={t(`remove.title.${holder.kind}`, { name })}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {ts('cancel')}
          </Button>
          <Button variant="solid" data-autofocus="" loading={isBusy} onClick={() => void remove()}>
            {t('remove.do')}
          </Button>
        </>
      }
    >
      <Text color="fg.muted">{t(`remove.text.${holder.kind}`)}</Text>
      {failed === undefined ? null : (
        <Box mt="3">
          <ErrorLine text={failed} />
        </Box>
      )}
    </Modal>
  )
}

/** Makes a person unreadable in every campaign, for good. */
export const ForgetContact = ({ holder, contact, name, onClose }: RemovalProps) => {
  const { t } = useTranslation('contact')
  const client = useQueryClient()
  const id = useId()
  const [suppress, setSuppress] = useState(true)
  const forget = async () => {
    await http.post('/contact/{id}/forget', { params: { id: contact.id }, body: { confirm: 'CONFIRM', suppress } })
    await client.invalidateQueries({ queryKey: ['contact', holder.id] })
    notice.snack(t('forget.done'), { tone: 'positive' })
  }
  return (
    <ConfirmDialog
      title={t('forget.title', { name })}
      action={t('forget.do')}
      icon={<UserX size={18} aria-hidden="true" />}
      onConfirm={forget}
      onClose={onClose}
    >
      {t('forget.text')}
      <HStack as="span" display="flex" gap="2.5" mt="3" color="fg">
        <SwitchControl id={id} value={suppress} onChange={setSuppress} />
        <Text as="span" id={`${id}-label`}>
          {t('forget.suppress')}
        </Text>
      </HStack>
    </ConfirmDialog>
  )
}
