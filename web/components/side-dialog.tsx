import { chakra, type HTMLChakraProps } from '@chakra-ui/react'
import { useOpenDialog } from './modal.tsx'

interface Props extends Omit<HTMLChakraProps<'dialog'>, 'onClose'> {
  readonly side: 'left' | 'right'
  readonly onClose: () => void
}

/** A dialog of the page's whole height at one side. Escape and a click beside it close it. */
export const SideDialog = ({ side, onClose, ...box }: Props) => {
  const dialog = useOpenDialog()
  return (
    <chakra.dialog
      ref={dialog}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      onClick={event => {
        if (event.target === event.currentTarget) onClose()
      }}
      position="fixed"
      inset={side === 'left' ? '0 auto 0 0' : '0 0 0 auto'}
      m="0"
      p="0"
      maxW="100vw"
      h="100dvh"
      maxH="100dvh"
      color="fg"
      {...(side === 'left' ? { borderRightWidth: '1px' } : { borderLeftWidth: '1px' })}
      boxShadow="overlay"
      _backdrop={{ bg: 'rgba(20,19,17,.42)' }}
      animation={`slide-from-${side}-full 240ms cubic-bezier(.2,.8,.2,1)`}
      {...box}
    />
  )
}
