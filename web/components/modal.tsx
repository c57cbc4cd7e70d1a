import { Box, Button, chakra, Field, HStack, Input, Spacer, Text } from '@chakra-ui/react'
import { Trash2, X } from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorLine } from './error-state.tsx'
import { IconButton } from './hint.tsx'
import { InstanceBadge } from './instance-badge.tsx'
import { submits } from './submits.ts'

/** Opens a dialog over the page as long as it is rendered, with the focus where it was asked for. */
export const useOpenDialog = (): RefObject<HTMLDialogElement | null> => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    box?.showModal()
    const first = box?.querySelector<HTMLElement>('[data-autofocus]')
    first?.focus()
    // A proposed value is there to be typed over.
    if (first instanceof HTMLInputElement) first.select()
    // Without inputs the focus starts at the top.
    if (document.activeElement?.matches('[data-close]')) box?.focus()
    return () => box?.close()
  }, [])
  return dialog
}

interface Props {
  readonly open?: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly icon?: ReactNode
  readonly tone?: 'danger' | 'accent'
  readonly footer?: ReactNode
  /** Buttons of a footer that begins with one to cancel. */
  readonly actions?: ReactNode
  /** Widest, in pixels. */
  readonly width?: number
  readonly alert?: boolean
  readonly children: ReactNode
}

const Cancelling = ({ onClose, children }: Pick<Props, 'onClose' | 'children'>) => {
  const { t } = useTranslation('shell')
  return (
    <>
      <Button variant="ghost" onClick={onClose}>
        {t('cancel')}
      </Button>
      {children}
    </>
  )
}

const Shown = ({ onClose, title, icon, tone, actions, width = 480, alert = false, ...rest }: Omit<Props, 'open'>) => {
  const { t } = useTranslation()
  const footer = actions === undefined ? rest.footer : <Cancelling onClose={onClose}>{actions}</Cancelling>
  const dialog = useOpenDialog()
  const heading = useId()
  return (
    <chakra.dialog
      ref={dialog}
      tabIndex={-1}
      outline="none"
      role={alert ? 'alertdialog' : 'dialog'}
      aria-labelledby={heading}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={event => {
        if (event.target === event.currentTarget) onClose()
      }}
      m="auto"
      p="0"
      w="calc(100vw - 24px)"
      maxH="calc(100dvh - 24px)"
      bg="bg.raised"
      color="fg"
      borderWidth="1px"
      borderColor="border"
      borderRadius="xl"
      boxShadow="overlay"
      overflow="hidden"
      _backdrop={{ bg: 'rgba(20,19,17,.42)' }}
      animation="fade-in 160ms, slide-from-bottom 160ms"
      style={{ maxWidth: width }}
    >
      <Box px="5" pt="4" pb="4" overflow="auto" maxH="calc(100dvh - 120px)">
        <HStack gap="2.5" mb="1.5" color={tone === 'danger' ? 'danger.fg' : 'fg'}>
          {icon}
          <chakra.h2 id={heading} textStyle="title">
            {title}
          </chakra.h2>
          {footer === undefined ? (
            <>
              <Spacer />
              <IconButton icon={X} label={t('close')} size="xs" data-close onClick={onClose} />
            </>
          ) : null}
        </HStack>
        {rest.children}
      </Box>
      {footer ? (
        <HStack px="5" py="3" gap="2" justify="flex-end" bg="bg" borderTopWidth="1px" flexWrap="wrap">
          {footer}
        </HStack>
      ) : null}
    </chakra.dialog>
  )
}

/** A question that must be answered before going on: CONFIRM, a conflict, unsaved work. Escape closes it. */
export const Modal = ({ open = true, ...props }: Props) => (open ? <Shown {...props} /> : null)

/** Accepts the confirmation word of the language, and the English one everywhere. */
export const isConfirmed = (typed: string, word: string): boolean => typed === word || typed === 'CONFIRM'

interface ConfirmDialogProps {
  readonly title: string
  /** Data to remove, and how to restore it. */
  readonly children: ReactNode
  /** The verb of the title. */
  readonly action: string
  readonly icon?: ReactNode
  onConfirm(): Promise<unknown>
  /** Content below the error message; `again` repeats the act. */
  readonly details?: (failure: unknown, again: () => void) => ReactNode
  onClose(): void
}

const useSubmit = ({
  ready,
  onConfirm,
  onClose,
}: Pick<ConfirmDialogProps, 'onConfirm' | 'onClose'> & { readonly ready: boolean }) => {
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
export const ConfirmDialog = ({ title, children, action, icon, onConfirm, details, onClose }: ConfirmDialogProps) => {
  const { t } = useTranslation('shell')
  const [typed, setTyped] = useState('')
  const word = t('confirm.word')
  const ready = isConfirmed(typed, word)
  const { busy, error, submit } = useSubmit({ ready, onConfirm, onClose })
  return (
    <Modal
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
      <form onSubmit={submits(submit)}>
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
          <ErrorLine text={error.text}>{details?.(error.failure, () => void submit())}</ErrorLine>
        </Text>
      ) : null}
    </Modal>
  )
}
