import { Button, Field, Input, Text } from '@chakra-ui/react'
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorLine } from './error-line.tsx'
import { InstanceBadge } from './instance-badge.tsx'
import { Modal } from './modal.tsx'

/** Accepts the confirmation word of the language, and the English one everywhere. */
export const isConfirmed = (typed: string, word: string): boolean => typed === word || typed === 'CONFIRM'

interface Props {
  readonly title: string
  /** Data to remove, and how to restore it. */
  readonly children: ReactNode
  /** The verb of the title. */
  readonly action: string
  readonly icon?: ReactNode
  onConfirm(): Promise<unknown>
  /** Content below the error message. */
  readonly details?: (failure: unknown) => ReactNode
  onClose(): void
}

const useSubmit = ({
  ready,
  onConfirm,
  onClose,
}: Pick<Props, 'onConfirm' | 'onClose'> & { readonly ready: boolean }) => {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<{ readonly text: string; readonly failure: unknown }>()
  const submit = async () => {
    if (!ready || busy) return
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError({ text: failure instanceof Error ? failure.message : String(failure), failure })
      setBusy(false)
    }
  }
  return { busy, error, submit }
}

/** A destructive act: says what goes and how it comes back, and asks to type CONFIRM. */
export const ConfirmDialog = ({ title, children, action, icon, onConfirm, details, onClose }: Props) => {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const word = t('confirm.word')
  const ready = isConfirmed(typed, word)
  const { busy, error, submit } = useSubmit({ ready, onConfirm, onClose })
  return (
    <Modal
      open
      alert
      tone="danger"
      icon={icon ?? <Trash2 size={18} aria-hidden="true" />}
      title={title}
      onClose={onClose}
      footer={
        <>
          <InstanceBadge />
          <Text flex="1" />
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" colorPalette="danger" disabled={!ready} loading={busy} onClick={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <Text textStyle="body" color="fg.muted" mb="3">
        {children}
      </Text>
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <Field.Root>
          <Field.Label>{t('confirm.type', { word })}</Field.Label>
          <Input
            data-autofocus=""
            fontFamily="mono"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={typed}
            onChange={event => setTyped(event.target.value)}
          />
        </Field.Root>
      </form>
      {error ? (
        <Text as="div" mt="3">
          <ErrorLine text={error.text}>{details?.(error.failure)}</ErrorLine>
        </Text>
      ) : null}
    </Modal>
  )
}
