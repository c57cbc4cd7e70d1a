import { Box, Button, chakra, Text } from '@chakra-ui/react'
import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Modal } from '#web/components/modal.tsx'

interface PublishDialogProps {
  readonly title: string
  /** Something other than the publishing itself disables the button: the changes are not read yet, or hold errors. */
  readonly blocked: boolean
  readonly busy: boolean
  /** Why the server refused. */
  readonly refusal?: string | undefined
  /** What goes live. */
  readonly children: ReactNode
  onPublish(): void
  onClose(): void
}

/** Asks before dialogs or handlers go live; the caller shows what changes and by whom. */
export const PublishDialog = ({ title, blocked, busy, refusal, children, onPublish, onClose }: PublishDialogProps) => {
  const { t } = useTranslation('shell')
  return (
    <Modal
      open
      width={560}
      icon={<Upload size={18} aria-hidden="true" />}
      title={title}
      onClose={onClose}
      footer={
        <>
          <InstanceBadge />
          <Box flex="1" />
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" data-autofocus="" loading={busy} disabled={blocked} onClick={onPublish}>
            {t('publish.do')}
          </Button>
        </>
      }
    >
      <Text color="fg.muted" mb="2">
        {t('publish.text')}
      </Text>
      {children}
      {refusal === undefined ? null : (
        <chakra.p role="alert" mt="3" textStyle="secondary" color="danger.fg">
          {refusal}
        </chakra.p>
      )}
    </Modal>
  )
}
