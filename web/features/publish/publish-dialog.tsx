import { Box, Button, chakra, Text } from '@chakra-ui/react'
import { Upload } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { InstanceBadge } from '#web/components/instance-badge.tsx'
import { Modal } from '#web/components/modal.tsx'
import { PublishRehearsal } from '#web/features/rehearsal/index.ts'
import { type Going, PublishTests, useTestGate } from './publish-tests.tsx'

interface PublishDialogProps {
  readonly title: string
  /** Something other than the publishing itself disables the button: the changes are not read yet, or hold errors. */
  readonly blocked: boolean
  readonly busy: boolean
  /** Why the server refused. */
  readonly refusal?: string | undefined
  /** Flows to run the bot's tests against; undefined while loading. */
  readonly going: Going | undefined
  /** Entity to publish: `publishuntested…` permits publishing with failed tests. */
  readonly entity: 'dialog' | 'handler' | 'dialogtask'
  /** The dialogs to publish. */
  readonly children: ReactNode
  /** `reason`: why it goes live although tests fail. */
  onPublish(reason?: string): void
  /** Publishes, makes what a chat needs, and opens it. */
  onTry?(reason?: string): void
  onClose(): void
}

/** Confirms publishing of dialogs or handlers; the caller shows changes and authors. */
export const PublishDialog = (props: PublishDialogProps) => {
  const { title, blocked, busy, refusal, going, entity, children, onPublish, onTry, onClose } = props
  const { t } = useTranslation('shell')
  const gate = useTestGate(going)
  const [reason, setReason] = useState<string>()
  const isHeld = gate.failed.length > 0
  const isReasoned = reason !== undefined && reason.trim() !== ''
  const isStopped = blocked || (isHeld && !isReasoned)
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
          <Button
            variant={onTry === undefined ? 'solid' : 'outline'}
            {...(onTry === undefined ? { 'data-autofocus': '' } : {})}
            loading={busy}
            disabled={isStopped}
            onClick={() => (isHeld ? onPublish(reason) : onPublish())}
          >
            {t('publish.do')}
          </Button>
          {onTry === undefined ? null : (
            <Button
              variant="solid"
              data-autofocus=""
              loading={busy}
              disabled={isStopped}
              onClick={() => (isHeld ? onTry(reason) : onTry())}
            >
              {t('publish.try')}
            </Button>
          )}
        </>
      }
    >
      <Text color="fg.muted" mb="2">
        {t('publish.text')}
      </Text>
      {children}
      {going === undefined ? null : (
        <PublishTests
          bot={going.bot}
          gate={gate}
          permission={`publishuntested${entity}`}
          reason={reason}
          onReason={setReason}
        />
      )}
      {going === undefined ? null : <PublishRehearsal drawn={going} />}
      {refusal === undefined ? null : (
        <chakra.p role="alert" mt="3" textStyle="secondary" color="danger.fg">
          {refusal}
        </chakra.p>
      )}
    </Modal>
  )
}
