import { Box, Button, chakra, HStack, Input, Text } from '@chakra-ui/react'
import { Pencil, Star, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '#web/components/hint.tsx'
import { submits } from '#web/components/submits.ts'
import { ChoiceButton } from './chip-frame.tsx'
import { MAX_VIEW_NAME, MAX_VIEWS, removeView, renameView, type SavedView, saveView } from './list-state.ts'
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
    <chakra.form flex="1" onSubmit={submits(() => onDone(typed.trim() || undefined))}>
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

interface EntryProps {
  readonly view: SavedView
  readonly isActive: boolean
  readonly isDefault: boolean
  onOpen(): void
  onDefault(): void
  onRename(): void
  onRemove(): void
}

const Entry = ({ view, isActive, isDefault, onOpen, onDefault, onRename, onRemove }: EntryProps) => {
  const { t } = useTranslation('list')
  return (
    <HStack as="li" gap="0">
      <ChoiceButton
        aria-pressed={isActive}
        isChosen={isActive}
        onClick={onOpen}
        gap="2"
        flex="1"
        minW="0"
        fontWeight={isActive ? 'semibold' : 'normal'}
      >
        <Text as="span" truncate>
          {view.name}
        </Text>
      </ChoiceButton>
      <IconButton
        icon={Star}
        label={t('views.default', { name: view.name })}
        aria-pressed={isDefault}
        {...(isDefault ? { color: 'accent.fg', css: { '& svg': { fill: 'currentColor' } } } : { color: 'fg.subtle' })}
        onClick={onDefault}
      />
      <IconButton icon={Pencil} label={t('views.rename', { name: view.name })} color="fg.subtle" onClick={onRename} />
      <IconButton icon={Trash2} label={t('views.remove', { name: view.name })} color="fg.subtle" onClick={onRemove} />
    </HStack>
  )
}

interface SaveFormProps {
  readonly isFull: boolean
  onSave(name: string): void
}

const SaveForm = ({ isFull, onSave }: SaveFormProps) => {
  const { t } = useTranslation('list')
  const [name, setName] = useState('')
  return (
    <chakra.form
      display="flex"
      gap="1.5"
      p="1"
      pt="2"
      borderTopWidth="1px"
      onSubmit={event => {
        event.preventDefault()
        if (name.trim() === '') return
        onSave(name.trim())
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
      <Button type="submit" h={{ base: '11', md: '8' }} disabled={name.trim() === '' || isFull}>
        {t('views.save')}
      </Button>
    </chakra.form>
  )
}

interface Props {
  readonly control: Pick<ListControl, 'saved' | 'query' | 'save' | 'open'>
  onClose(): void
}

/** Views that were saved by name: open, rename, remove, choose the one that the list opens with, save another one. */
export const ViewsPanel = ({ control, onClose }: Props) => {
  const { t } = useTranslation('list')
  const { saved, query, save, open } = control
  const [renamed, setRenamed] = useState<string>()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector<HTMLElement>('button, input')?.focus(), [])
  const show = (next: string) => {
    open(next)
    onClose()
  }
  const rename = (id: string, name: string | undefined) => {
    setRenamed(undefined)
    if (name !== undefined && !saved.views.some(one => one.name === name)) save(renameView(saved, id, name))
  }
  const item = (view: SavedView) =>
    view.id === renamed ? (
      <HStack as="li" key={view.id} p="1">
        <Rename name={view.name} onDone={name => rename(view.id, name)} />
      </HStack>
    ) : (
      <Entry
        key={view.id}
        view={view}
        isActive={view.query === query}
        isDefault={view.id === saved.defaultId}
        onOpen={() => show(view.query)}
        onDefault={() => save({ ...saved, defaultId: view.id === saved.defaultId ? null : view.id })}
        onRename={() => setRenamed(view.id)}
        onRemove={() => save(removeView(saved, view.id))}
      />
    )
  return (
    <Box ref={panel} role="group" aria-label={t('views.title')} w="320px" maxW="100%" p="1.5">
      {saved.views.length > 0 ? (
        <Box as="ul" listStyleType="none" mb="1">
          {saved.views.map(item)}
        </Box>
      ) : (
        <Text px="2" py="1.5" textStyle="secondary" color="fg.muted">
          {t('views.empty')}
        </Text>
      )}
      <SaveForm
        isFull={saved.views.length >= MAX_VIEWS}
        onSave={name => save(saveView(saved, { id: crypto.randomUUID(), name, query }))}
      />
      <HStack px="1" pt="1" justify="flex-end">
        <Button size="sm" variant="ghost" disabled={query === ''} onClick={() => show('')}>
          {t('views.reset')}
        </Button>
      </HStack>
    </Box>
  )
}
