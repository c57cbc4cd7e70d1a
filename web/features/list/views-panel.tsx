import { Box, Button, chakra, HStack, Input, Text } from '@chakra-ui/react'
import { Check, Pencil, Star, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/icon-button.tsx'
import { MAX_VIEW_NAME, MAX_VIEWS, removeView, renameView, type SavedView, saveView } from './saved-views.ts'
import type { ListControl } from './use-list-state.ts'

interface RenameProps {
  readonly name: string
  /** Undefined: left as it is. */
  onDone(name: string | undefined): void
}

const Rename = ({ name, onDone }: RenameProps) => {
  const { t } = useTranslation('list')
  const [typed, setTyped] = useState(name)
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => box.current?.select(), [])
  return (
    <chakra.form
      flex="1"
      onSubmit={event => {
        event.preventDefault()
        onDone(typed.trim() || undefined)
      }}
    >
      <Input
        ref={box}
        aria-label={t('views.rename', { name })}
        maxLength={MAX_VIEW_NAME}
        value={typed}
        onChange={event => setTyped(event.target.value)}
        onBlur={() => onDone(typed.trim() || undefined)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onDone(undefined)
        }}
      />
    </chakra.form>
  )
}

interface Props {
  readonly control: ListControl
  onClose(): void
}

/** Views that were saved by name: open, rename, remove, choose the one that the list opens with, save another one. */
export const ViewsPanel = ({ control, onClose }: Props) => {
  const { t } = useTranslation('list')
  const { saved, query, save, open } = control
  const [renamed, setRenamed] = useState<string>()
  const [name, setName] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector<HTMLElement>('button, input')?.focus(), [])
  const show = (next: string) => {
    open(next)
    onClose()
  }
  const entry = (view: SavedView) => {
    const isActive = view.query === query
    const isDefault = view.id === saved.defaultId
    if (view.id === renamed) {
      return (
        <HStack as="li" key={view.id} p="1">
          <Rename
            name={view.name}
            onDone={next => {
              setRenamed(undefined)
              if (next !== undefined && !saved.views.some(one => one.name === next))
                save(renameView(saved, view.id, next))
            }}
          />
        </HStack>
      )
    }
    return (
      <HStack as="li" key={view.id} gap="0">
        <chakra.button
          type="button"
          aria-pressed={isActive}
          onClick={() => show(view.query)}
          display="flex"
          alignItems="center"
          gap="2"
          flex="1"
          minW="0"
          minH={{ base: '11', md: '8' }}
          px="2"
          borderRadius="sm"
          fontSize="sm"
          textAlign="start"
          cursor="pointer"
          fontWeight={isActive ? 'semibold' : 'normal'}
          _hover={{ bg: 'bg.subtle' }}
          _focusVisible={{ bg: 'bg.subtle', outline: 'none' }}
        >
          <Box boxSize="4" color="accent.fg" flex="none">
            {isActive ? <Check size={16} aria-hidden="true" /> : null}
          </Box>
          <Text as="span" truncate>
            {view.name}
          </Text>
        </chakra.button>
        <IconButton
          icon={Star}
          label={t('views.default', { name: view.name })}
          aria-pressed={isDefault}
          {...(isDefault ? { color: 'accent.fg', css: { '& svg': { fill: 'currentColor' } } } : { color: 'fg.subtle' })}
          onClick={() => save({ ...saved, defaultId: isDefault ? null : view.id })}
        />
        <IconButton
          icon={Pencil}
          label={t('views.rename', { name: view.name })}
          color="fg.subtle"
          onClick={() => setRenamed(view.id)}
        />
        <IconButton
          icon={Trash2}
          label={t('views.remove', { name: view.name })}
          color="fg.subtle"
          onClick={() => save(removeView(saved, view.id))}
        />
      </HStack>
    )
  }
  return (
    <Box ref={panel} role="group" aria-label={t('views.title')} w="320px" maxW="100%" p="1.5">
      {saved.views.length > 0 ? (
        <Box as="ul" listStyleType="none" mb="1">
          {saved.views.map(entry)}
        </Box>
      ) : (
        <Text px="2" py="1.5" textStyle="secondary" color="fg.muted">
          {t('views.empty')}
        </Text>
      )}
      <chakra.form
        display="flex"
        gap="1.5"
        p="1"
        pt="2"
        borderTopWidth="1px"
        onSubmit={event => {
          event.preventDefault()
          const given = name.trim()
          if (given === '') return
          save(saveView(saved, { id: crypto.randomUUID(), name: given, query }))
          setName('')
        }}
      >
        <Input
          aria-label={t('views.name')}
          placeholder={t('views.name')}
          maxLength={MAX_VIEW_NAME}
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <Button
          type="submit"
          h={{ base: '11', md: '8' }}
          disabled={name.trim() === '' || saved.views.length >= MAX_VIEWS}
        >
          {t('views.save')}
        </Button>
      </chakra.form>
      <HStack px="1" pt="1" justify="flex-end">
        <Button size="sm" variant="ghost" disabled={query === ''} onClick={() => show('')}>
          {t('views.reset')}
        </Button>
      </HStack>
    </Box>
  )
}
