import { Box, Button, chakra, Field, HStack, Input, NativeSelect, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Building2, ChevronDown, ChevronRight, Ellipsis, History, Network, PenLine, Plus, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { http } from '#web/api/http.ts'
import { isProblem } from '#web/api/problem.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/icon-button.tsx'
import { Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { type TreeRow, treeRows } from '#web/components/tree.ts'
import { formAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { type Level, levelsQuery } from '#web/shell/level.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'

interface NewLevel {
  readonly parent: string
}

interface ParentProps {
  readonly levels: readonly Level[]
  readonly value: string
  onChange(level: string): void
}

const ParentField = ({ levels, value, onChange }: ParentProps) => {
  const { t } = useTranslation('shell')
  return (
    <Field.Root>
      <Field.Label>{t('level.under')}</Field.Label>
      <NativeSelect.Root>
        <NativeSelect.Field value={value} onChange={event => onChange(event.target.value)}>
          {levels.map(level => (
            <option key={level.id} value={level.id}>
              {level.name}
            </option>
          ))}
        </NativeSelect.Field>
        <NativeSelect.Indicator />
      </NativeSelect.Root>
    </Field.Root>
  )
}

const NewLevelDialog = ({
  parent,
  levels,
  onClose,
}: {
  parent: string
  levels: readonly Level[]
  onClose: () => void
}) => {
  const { t } = useTranslation('shell')
  const { refresh } = useEntityCommand(hierarchy)
  const [name, setName] = useState('')
  const [under, setUnder] = useState(parent)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const create = async () => {
    if (busy || name.trim() === '') return
    setBusy(true)
    try {
      await http.post('/{entity}', { params: { entity: 'hierarchy' }, body: { name, parent: under } })
      await refresh()
      notice.snack(t('created'), { tone: 'positive' })
      onClose()
    } catch (failure) {
      setError(isProblem(failure) ? (failure.errors[0]?.message ?? failure.message) : t('error.noanswer'))
      field.current?.focus()
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      open
      title={t('level.new')}
      onClose={onClose}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button variant="solid" loading={busy} disabled={name.trim() === ''} onClick={() => void create()}>
            {t('form.create')}
          </Button>
        </>
      }
    >
      <Stack gap="4" pt="2">
        <Field.Root invalid={error !== undefined}>
          <Field.Label>{t('level.name')}</Field.Label>
          <Input
            ref={field}
            data-autofocus=""
            value={name}
            onChange={event => setName(event.target.value)}
            onKeyDown={event => {
              // Enter that ends the input of a composed character creates nothing.
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              void create()
            }}
          />
          <Field.ErrorText>{error}</Field.ErrorText>
        </Field.Root>
        <ParentField levels={levels} value={under} onChange={setUnder} />
      </Stack>
    </Modal>
  )
}

interface RowProps {
  readonly row: TreeRow<Level>
  onToggle(): void
  onNew(): void
  onRemove(): void
}

const useRowActions = ({ row: { item }, onNew, onRemove }: Omit<RowProps, 'onToggle'>): readonly MenuAction[] => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const navigate = useNavigate()
  return [
    ...(can('createhierarchy') ? [{ id: 'new', icon: Plus, label: t('level.newunder'), run: onNew }] : []),
    ...(can('updatehierarchy')
      ? [{ id: 'edit', icon: PenLine, label: t('level.edit'), run: () => void navigate(`/hierarchy/${item.id}`) }]
      : []),
    {
      id: 'history',
      icon: History,
      label: t('history'),
      run: () => void navigate(formAddress(`/hierarchy/${item.id}`, { history: true })),
    },
    ...(can('deletehierarchy') && item.parent !== null
      ? [{ id: 'remove', icon: Trash2, danger: true, separated: true, label: t('remove'), run: onRemove }]
      : []),
  ]
}

const LevelRow = ({ row, onToggle, onNew, onRemove }: RowProps) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const { item, depth, children, open } = row
  const actions = useRowActions({ row, onNew, onRemove })
  return (
    <HStack
      role="row"
      aria-level={depth + 1}
      {...(children > 0 ? { 'aria-expanded': open } : {})}
      gap="2"
      minH="12"
      pe="2"
      style={{ paddingInlineStart: 10 + depth * 24 }}
      _hover={{ bg: 'bg.subtle' }}
      css={{ '&:not(:last-child)': { borderBottomWidth: '1px' } }}
    >
      <HStack role="gridcell" flex="1" minW="0" gap="2">
        {children > 0 ? (
          <IconButton
            icon={open ? ChevronDown : ChevronRight}
            size="xs"
            label={open ? t('level.close') : t('level.open')}
            onClick={onToggle}
          />
        ) : (
          <Box w="7" flex="none" />
        )}
        <Box color="fg.muted">
          {children > 0 ? <Network size={16} aria-hidden="true" /> : <Building2 size={16} aria-hidden="true" />}
        </Box>
        <Text truncate fontWeight={item.id === user.hierarchylevel ? 'semibold' : 'normal'}>
          {item.name}
        </Text>
        {item.id === user.hierarchylevel ? (
          <chakra.span textStyle="secondary" color="accent.fg" whiteSpace="nowrap">
            {t('level.here')}
          </chakra.span>
        ) : null}
      </HStack>
      <Box role="gridcell">
        <ActionMenu label={t('moreof', { name: item.name })} actions={actions}>
          <IconButton icon={Ellipsis} label={t('moreof', { name: item.name })} />
        </ActionMenu>
      </Box>
    </HStack>
  )
}

interface TreeProps {
  readonly levels: readonly Level[]
  onNew(parent: string): void
  onRemove(level: Level): void
}

const LevelTree = ({ levels, onNew, onRemove }: TreeProps) => {
  const label = useLabel()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  return (
    <Box role="treegrid" aria-label={label.menu('hierarchy')} borderWidth="1px" borderRadius="lg" bg="bg.surface">
      {treeRows(levels, closed).map(row => (
        <LevelRow
          key={row.item.id}
          row={row}
          onToggle={() => toggle(row.item.id)}
          onNew={() => onNew(row.item.id)}
          onRemove={() => onRemove(row.item)}
        />
      ))}
    </Box>
  )
}

/** /hierarchy: the tree that everything lies in. */
export const HierarchyPage = () => {
  const { t } = useTranslation('shell')
  useEntityTexts(['hierarchy'])
  const label = useLabel()
  const { can, user } = useSession()
  const query = useQuery(levelsQuery)
  const command = useEntityCommand(hierarchy)
  const [creating, setCreating] = useState<NewLevel>()
  const [removing, setRemoving] = useState<Level>()
  const detail = useQuery({ ...detailQuery('hierarchy', removing?.id ?? ''), enabled: removing !== undefined })
  const levels = query.data ?? []
  useShortcut('n', () => setCreating({ parent: user.hierarchylevel }), can('createhierarchy'))
  if (!can('readhierarchy')) return <ErrorMessage code="403" />
  return (
    <Page
      title={label.menu('hierarchy')}
      beside={<Text color="fg.muted">{query.data?.length}</Text>}
      width={960}
      actions={
        can('createhierarchy') ? (
          <Button variant="solid" onClick={() => setCreating({ parent: user.hierarchylevel })}>
            <Plus size={16} aria-hidden="true" />
            {t('level.new')}
          </Button>
        ) : null
      }
    >
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <RowsSkeleton />
      ) : (
        <LevelTree levels={levels} onNew={parent => setCreating({ parent })} onRemove={setRemoving} />
      )}
      {creating ? (
        <NewLevelDialog parent={creating.parent} levels={levels} onClose={() => setCreating(undefined)} />
      ) : null}
      {removing && detail.data ? (
        <ConfirmDialog
          title={t('level.removetitle', { name: removing.name })}
          action={t('remove')}
          onClose={() => setRemoving(undefined)}
          onConfirm={() => command.remove(detail.data as Row)}
        >
          {t('level.removetext')}
        </ConfirmDialog>
      ) : null}
    </Page>
  )
}
