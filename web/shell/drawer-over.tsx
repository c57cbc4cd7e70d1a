import { chakra, HStack } from '@chakra-ui/react'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { Drawer } from './drawer.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { LevelButton } from './level-button.tsx'

/** The side menu over the page on small screens, with what the toolbar has no room for. */
export const DrawerOver = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const box = dialog.current
    box?.showModal()
    return () => box?.close()
  }, [])
  return (
    <chakra.dialog
      ref={dialog}
      aria-label={t('menu.label')}
      onCancel={onClose}
      onClick={event => {
        if (event.target === event.currentTarget) onClose()
      }}
      position="fixed"
      inset="0 auto 0 0"
      m="0"
      p="0"
      w="min(300px, 86vw)"
      h="100dvh"
      maxH="100dvh"
      bg="bg"
      color="fg"
      borderRightWidth="1px"
      boxShadow="overlay"
      _backdrop={{ bg: 'rgba(20,19,17,.42)' }}
      animation="slide-from-left-full 240ms cubic-bezier(.2,.8,.2,1)"
    >
      <Drawer mini={false} onGo={onClose}>
        <HStack justify="space-between" mb="2" gap="1">
          <LevelButton />
          <HStack gap="0">
            <LanguageMenu />
            <IconButton icon={X} label={t('close')} size="xl" onClick={onClose} />
          </HStack>
        </HStack>
      </Drawer>
    </chakra.dialog>
  )
}
