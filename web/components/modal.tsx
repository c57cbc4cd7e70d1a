import { Dialog, HStack, Portal } from '@chakra-ui/react'
import type { ReactNode, RefObject } from 'react'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly icon?: ReactNode
  readonly tone?: 'danger' | 'accent'
  readonly footer?: ReactNode
  readonly size?: 'sm' | 'md' | 'lg' | 'xl'
  readonly alert?: boolean
  readonly initialFocus?: RefObject<HTMLElement | null>
  readonly children: ReactNode
}

/** A question that must be answered before going on: CONFIRM, a conflict, unsaved work. Escape closes it. */
export const Modal = ({
  open,
  onClose,
  title,
  icon,
  tone,
  footer,
  size = 'sm',
  alert = false,
  initialFocus,
  children,
}: Props) => (
  <Dialog.Root
    open={open}
    onOpenChange={change => {
      if (!change.open) onClose()
    }}
    size={size}
    placement="center"
    motionPreset="slide-in-bottom"
    role={alert ? 'alertdialog' : 'dialog'}
    {...(initialFocus ? { initialFocusEl: () => initialFocus.current } : {})}
    lazyMount
    unmountOnExit
  >
    <Portal>
      <Dialog.Backdrop />
      <Dialog.Positioner>
        <Dialog.Content>
          <Dialog.Header>
            <HStack gap="2" color={tone === 'danger' ? 'danger.fg' : 'fg'}>
              {icon}
              <Dialog.Title>{title}</Dialog.Title>
            </HStack>
          </Dialog.Header>
          <Dialog.Body>{children}</Dialog.Body>
          {footer ? <Dialog.Footer>{footer}</Dialog.Footer> : null}
        </Dialog.Content>
      </Dialog.Positioner>
    </Portal>
  </Dialog.Root>
)
