import { Box, chakra, HStack, Spacer } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './icon-button.tsx'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly icon?: ReactNode
  readonly tone?: 'danger' | 'accent'
  readonly footer?: ReactNode
  /** Widest, in pixels. */
  readonly width?: number
  readonly alert?: boolean
  readonly children: ReactNode
}

/** Opens the dialog as long as it is rendered, with the focus where it was asked for. */
const useOpenDialog = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    box?.showModal()
    box?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
    // Without inputs the focus starts at the top.
    if (document.activeElement?.matches('[data-close]')) box?.focus()
    return () => box?.close()
  }, [])
  return dialog
}

const Shown = ({ onClose, title, icon, tone, footer, width = 480, alert = false, children }: Omit<Props, 'open'>) => {
  const { t } = useTranslation()
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
        {children}
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
export const Modal = ({ open, ...props }: Props) => (open ? <Shown {...props} /> : null)
