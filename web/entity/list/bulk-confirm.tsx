import { Button, Text } from '@chakra-ui/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { ErrorLine } from '#web/components/error-line.tsx'
import { Modal } from '#web/components/modal.tsx'

interface Props {
  readonly title: string
  readonly text: string
  readonly action: string
  /** CONFIRM must be typed. */
  readonly isTyped: boolean
  readonly isDanger: boolean
  onConfirm(): Promise<void>
  onClose(): void
}

/** Asks before a command changes several things. */
export const BulkConfirm = ({ title, text, action, isTyped, isDanger, onConfirm, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  if (isTyped) {
    return (
      <ConfirmDialog title={title} action={action} onConfirm={onConfirm} onClose={onClose}>
        {text}
      </ConfirmDialog>
    )
  }
  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      alert
      title={title}
      {...(isDanger ? { tone: 'danger' as const } : {})}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            data-autofocus=""
            variant="solid"
            {...(isDanger ? { colorPalette: 'danger' } : {})}
            loading={isBusy}
            onClick={() => void submit()}
          >
            {action}
          </Button>
        </>
      }
    >
      <Text textStyle="body" color="fg.muted">
        {text}
      </Text>
      {error === undefined ? null : (
        <Text as="div" mt="3">
          <ErrorLine text={error} />
        </Text>
      )}
    </Modal>
  )
}
