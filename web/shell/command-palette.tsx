import { chakra, HStack, Kbd, Text } from '@chakra-ui/react'
import { Search } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpenDialog } from '#web/components/use-open-dialog.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import type { CommandListProps } from './command-list.tsx'

const list = lazyModule(async () => (await import('./command-list.tsx')).CommandList)

/** Ctrl K: navigate, create, find by name. The field shows at once; results load when first opened. */
export const CommandPalette = ({ onClose }: { readonly onClose: () => void }) => {
  const { t } = useTranslation('shell')
  const dialog = useOpenDialog()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const [active, setActive] = useState<string>()
  const keys: CommandListProps['keys'] = useRef(undefined)
  const last = useRef('')
  const { value: CommandList, error } = useLazyModule(list)
  return (
    <chakra.dialog
      ref={dialog}
      aria-label={t('search.open')}
      onCancel={onClose}
      onPointerDown={event => {
        if (event.target === event.currentTarget) onClose()
      }}
      m="0 auto"
      mt={{ base: '3', md: '12vh' }}
      p="0"
      w="calc(100vw - 24px)"
      maxW="640px"
      bg="bg.raised"
      color="fg"
      borderWidth="1px"
      borderRadius="xl"
      boxShadow="overlay"
      overflow="hidden"
      _backdrop={{ bg: 'rgba(20,19,17,.32)' }}
      animation="fade-in 90ms"
    >
      <HStack px="4" h="52px" gap="3" borderBottomWidth="1px">
        <Search size={17} aria-hidden="true" />
        <chakra.input
          flex="1"
          minW="0"
          fontSize="lg"
          bg="transparent"
          outline="none"
          role="combobox"
          aria-expanded="true"
          aria-controls="commands"
          aria-activedescendant={active}
          aria-label={t('search.open')}
          placeholder={t('search.placeholder')}
          autoFocus
          value={typed}
          onChange={event => {
            setTyped(event.target.value)
            setAt(0)
          }}
          onKeyDown={event => {
            last.current = event.key
            keys.current?.(event)
          }}
        />
        <Kbd>Esc</Kbd>
      </HStack>
      {CommandList === undefined ? null : (
        <CommandList {...{ typed, at, keys, last, onClose }} onPoint={setAt} onActive={setActive} />
      )}
      {error === undefined ? null : (
        <Text role="alert" px="4" py="3" textStyle="dense">
          {t('search.unloaded')}
        </Text>
      )}
    </chakra.dialog>
  )
}
