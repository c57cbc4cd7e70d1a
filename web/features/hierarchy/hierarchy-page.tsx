import { Box, Button, chakra, HStack, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  Building2,
  ChevronDown,
  ChevronRight,
  Ellipsis,
  FolderInput,
  History,
  Network,
  PenLine,
  Plus,
  Trash2,
  Users,
} from 'lucide-react'
import { type DragEvent, type DragEventHandler, type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { hierarchy } from '#schemas/entities/hierarchy.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { ConfirmDialog } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { subtreeOf, type TreeRow, treeRows } from '#web/components/tree.ts'
import { formAddress } from '#web/entity/address.ts'
import { useEntityCommand } from '#web/entity/entity-command.ts'
import { detailQuery, type Row } from '#web/entity/entity-query.ts'
import { useEntityTexts, useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { type Level, levelsQuery } from '#web/shell/level.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { MoveLevelDialog, NewLevelDialog } from './level-dialogs.tsx'

/** Role of a row in a drag: the dragged branch, a drop target, or neither. */
interface RowDrag {
  readonly isHeld: boolean
  readonly isTarget: boolean
  readonly handlers: Readonly<
    Partial<Record<'onDragStart' | 'onDragEnd' | 'onDragOver' | 'onDragLeave' | 'onDrop', DragEventHandler>>
  >
}

interface Props {
  readonly row: TreeRow<Level>
  readonly movable: boolean
  /** The row that Tab reaches. */
  readonly current: boolean
  readonly drag: RowDrag
  onFocus(): void
  onToggle(): void
  onNew(): void
  onMove(): void
  onRemove(): void
}

const useActions = ({ row: { item }, movable, onNew, onMove, onRemove }: Props) => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const navigate = useNavigate()
  return [
    ...(can('createhierarchy') ? [{ id: 'new', icon: Plus, label: t('level.newunder'), run: onNew }] : []),
    ...(can('updatehierarchy')
      ? [{ id: 'edit', icon: PenLine, label: t('level.edit'), run: () => void navigate(`/hierarchy/${item.id}`) }]
      : []),
    ...(movable ? [{ id: 'move', icon: FolderInput, label: t('level.moveto'), keys: 'M', run: onMove }] : []),
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

const Group = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('shell')
  return (
    <HStack gap="1" color="fg.muted" textStyle="secondary" minW="0" flexShrink={2} title={t('level.group')}>
      <Users size={13} aria-hidden="true" style={{ flex: 'none' }} />
      <Text as="span" truncate>
        <ReferenceName to="usergroup" id={id} />
      </Text>
    </HStack>
  )
}

/** The part that tells the level: opens and closes it, names it, and the group that belongs to it. */
const Content = ({ row: { item, children, open }, onToggle }: Pick<Props, 'row' | 'onToggle'>) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const isHere = item.id === user.hierarchylevel
  const Icon = children > 0 ? Network : Building2
  return (
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
      <Box color="fg.muted" flex="none">
        <Icon size={16} aria-hidden="true" />
      </Box>
      <Text truncate fontWeight={isHere ? 'semibold' : 'normal'}>
        {item.name}
      </Text>
      {isHere ? (
        <chakra.span textStyle="secondary" color="accent.fg" whiteSpace="nowrap">
          {t('level.here')}
        </chakra.span>
      ) : null}
      {typeof item.usergroup === 'string' ? <Group id={item.usergroup} /> : null}
    </HStack>
  )
}

/** One level of the tree, with what can be done to it. */
const LevelRow = (props: Props) => {
  const { row, movable, current, drag, onFocus, onToggle } = props
  const { t } = useTranslation('shell')
  const { item, depth, children, open } = row
  const actions = useActions(props)
  const more = t('moreof', { name: item.name })
  return (
    <HStack
      role="row"
      data-level={item.id}
      aria-level={depth + 1}
      {...(children > 0 ? { 'aria-expanded': open } : {})}
      tabIndex={current ? 0 : -1}
      onFocus={onFocus}
      draggable={movable}
      {...drag.handlers}
      gap="2"
      minH="12"
      pe="2"
      opacity={drag.isHeld ? 0.5 : 1}
      style={{ paddingInlineStart: 10 + depth * 24 }}
      bg={drag.isTarget ? 'accent.subtle' : undefined}
      boxShadow={drag.isTarget ? 'inset 3px 0 0 var(--chakra-colors-accent-solid)' : undefined}
      _hover={{ bg: drag.isTarget ? 'accent.subtle' : 'bg.subtle' }}
      focusVisibleRing="inside"
      css={{ '&:not(:last-child)': { borderBottomWidth: '1px' } }}
    >
      <Content row={row} onToggle={onToggle} />
      <Box role="gridcell">
        <ActionMenu label={more} actions={actions}>
          <IconButton icon={Ellipsis} label={more} />
        </ActionMenu>
      </Box>
    </HStack>
  )
}

interface TreeKeysOptions {
  readonly rows: readonly TreeRow<Level>[]
  onToggle(id: string): void
  onOpen(level: Level): void
  onMove(level: Level): void
}

const focusRow = (tree: Element, id: string | undefined) => {
  if (id !== undefined) tree.querySelector<HTMLElement>(`[data-level="${CSS.escape(id)}"]`)?.focus()
}

/** Arrows walk the rows, left and right close and open a branch or lead to its parent and first child, Enter opens, M moves. */
const useTreeKeys =
  ({ rows, onToggle, onOpen, onMove }: TreeKeysOptions) =>
  (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget, key } = event
    // Keys of the buttons and menus inside of a row are their own.
    if (!(target instanceof HTMLElement) || target.dataset.level === undefined) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = rows.findIndex(({ item }) => item.id === target.dataset.level)
    const row = rows[at]
    if (row === undefined) return
    const go = (index: number) => focusRow(currentTarget, rows[index]?.item.id)
    const isBranch = row.children > 0
    if (key === 'ArrowDown') go(Math.min(rows.length - 1, at + 1))
    else if (key === 'ArrowUp') go(Math.max(0, at - 1))
    else if (key === 'Home') go(0)
    else if (key === 'End') go(rows.length - 1)
    else if (key === 'ArrowRight' && isBranch) {
      if (row.open) go(at + 1)
      else onToggle(row.item.id)
    } else if (key === 'ArrowLeft') {
      if (isBranch && row.open) onToggle(row.item.id)
      else focusRow(currentTarget, row.item.parent ?? undefined)
    } else if (key === 'Enter') onOpen(row.item)
    else if (key.toLowerCase() === 'm') onMove(row.item)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

/** Over a closed branch for so long, the held one has it opened. */
const OPEN_AFTER_MS = 700

interface Options {
  readonly levels: readonly Level[]
  isMovable(level: Level): boolean
  onOpen(id: string): void
  onDrop(level: Level, parent: string): void
}

/** Drags a branch onto its new parent level. */
const useLevelDrag = ({ levels, isMovable, onOpen, onDrop }: Options) => {
  const [held, setHeld] = useState<Level>()
  const [target, setTarget] = useState<string>()
  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = () => {
    clearTimeout(opening.current)
    setTarget(undefined)
  }
  const end = () => {
    leave()
    setHeld(undefined)
  }
  const own = held === undefined ? undefined : subtreeOf(levels, held.id)
  return ({ item, children, open }: TreeRow<Level>): RowDrag => {
    const isPlace = own !== undefined && !own.has(item.id) && held?.parent !== item.id
    const over = (event: DragEvent) => {
      if (!isPlace) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      if (target === item.id) return
      setTarget(item.id)
      clearTimeout(opening.current)
      if (children > 0 && !open) opening.current = setTimeout(() => onOpen(item.id), OPEN_AFTER_MS)
    }
    return {
      isHeld: own?.has(item.id) === true,
      isTarget: target === item.id && isPlace,
      handlers: {
        ...(isMovable(item)
          ? {
              onDragStart: event => {
                event.dataTransfer.effectAllowed = 'move'
                event.dataTransfer.setData('text/plain', item.name)
                setHeld(item)
              },
              onDragEnd: end,
            }
          : {}),
        onDragOver: over,
        onDragLeave: event => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null) && target === item.id) leave()
        },
        onDrop: event => {
          if (!isPlace || held === undefined) return
          event.preventDefault()
          onDrop(held, item.id)
          end()
        },
      },
    }
  }
}

/** Open dialog: create, move or remove a level. */
type Question =
  | { readonly about: 'new'; readonly parent: string }
  | { readonly about: 'move'; readonly level: Level; readonly target?: string }
  | { readonly about: 'remove'; readonly level: Level }

/** Moves a level, with the way back in the notice. */
const useMove = (levels: readonly Level[]) => {
  const { t } = useTranslation('shell')
  const command = useEntityCommand(hierarchy)
  const move = async (level: Level, parent: Level): Promise<void> => {
    await http.post('/{entity}/{id}/{action}', {
      params: { entity: hierarchy.name, id: level.id, action: 'move' },
      body: { parent: parent.id },
    })
    await command.refresh()
    const before = levels.find(({ id }) => id === level.parent)
    notice.snack(t('level.moved', { name: level.name, parent: parent.name }), {
      tone: 'positive',
      ...(before === undefined || before.id === parent.id
        ? {}
        : {
            action: {
              label: t('undo'),
              run: () => void move({ ...level, parent: parent.id }, before).catch(command.failed),
            },
          }),
    })
  }
  return move
}

interface DialogProps {
  readonly asked: Question | undefined
  readonly levels: readonly Level[]
  onClose(): void
}

const Dialogs = ({ asked, levels, onClose }: DialogProps) => {
  const { t } = useTranslation('shell')
  const command = useEntityCommand(hierarchy)
  const move = useMove(levels)
  const removing = asked?.about === 'remove' ? asked.level : undefined
  const detail = useQuery({ ...detailQuery('hierarchy', removing?.id ?? ''), enabled: removing !== undefined })
  if (asked === undefined) return null
  switch (asked.about) {
    case 'new':
      return <NewLevelDialog parent={asked.parent} levels={levels} onClose={onClose} />
    case 'move': {
      const { level, target } = asked
      const onMove = (parent: Level) => move(level, parent)
      return <MoveLevelDialog level={level} levels={levels} target={target} onMove={onMove} onClose={onClose} />
    }
    case 'remove':
      return detail.data === undefined ? null : (
        <ConfirmDialog
          title={t('level.removetitle', { name: asked.level.name })}
          action={t('remove')}
          onClose={onClose}
          onConfirm={() => command.remove(detail.data as Row)}
        >
          {t('level.removetext')}
        </ConfirmDialog>
      )
  }
}

interface TreeProps {
  readonly levels: readonly Level[]
  onAsk(asked: Question): void
}

/** Collapsed and focused rows, drag and keyboard navigation. */
const useTree = ({ levels, onAsk }: TreeProps) => {
  const { can } = useSession()
  const navigate = useNavigate()
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [current, setCurrent] = useState<string>()
  const rows = treeRows(levels, closed)
  const ids = new Set(levels.map(({ id }) => id))
  // The parent of the topmost visible level is not visible: it cannot be moved.
  const isMovable = (level: Level) => can('movehierarchy') && level.parent !== null && ids.has(level.parent)
  const onToggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }
  const onMove = (level: Level) => {
    if (isMovable(level)) onAsk({ about: 'move', level })
  }
  const dragOf = useLevelDrag({
    levels,
    isMovable,
    onOpen: id => setClosed(before => new Set([...before].filter(one => one !== id))),
    onDrop: (level, target) => onAsk({ about: 'move', level, target }),
  })
  const onOpen = ({ id }: Level) => void navigate(`/hierarchy/${id}`)
  const onKeyDown = useTreeKeys({ rows, onToggle, onOpen, onMove })
  const reached = rows.some(({ item }) => item.id === current) ? current : rows[0]?.item.id
  return { rows, reached, isMovable, dragOf, setCurrent, onToggle, onMove, onKeyDown }
}

const Tree = (props: TreeProps) => {
  const { onAsk } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  const hint = useId()
  const { rows, reached, isMovable, dragOf, setCurrent, onToggle, onMove, onKeyDown } = useTree(props)
  return (
    <>
      <VisuallyHidden id={hint}>{t('level.keys')}</VisuallyHidden>
      <Box
        role="treegrid"
        aria-label={label.menu('hierarchy')}
        aria-describedby={hint}
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.surface"
        overflow="hidden"
        onKeyDown={onKeyDown}
      >
        {rows.map(row => (
          <LevelRow
            key={row.item.id}
            row={row}
            movable={isMovable(row.item)}
            current={row.item.id === reached}
            drag={dragOf(row)}
            onFocus={() => setCurrent(row.item.id)}
            onToggle={() => onToggle(row.item.id)}
            onNew={() => onAsk({ about: 'new', parent: row.item.id })}
            onMove={() => onMove(row.item)}
            onRemove={() => onAsk({ about: 'remove', level: row.item })}
          />
        ))}
      </Box>
    </>
  )
}

/** /hierarchy: the tree of levels. */
export const HierarchyPage = () => {
  const { t } = useTranslation('shell')
  useEntityTexts(['hierarchy'])
  const label = useLabel()
  const { can, user } = useSession()
  const query = useQuery(levelsQuery)
  const [asked, setAsked] = useState<Question>()
  const askNew = () => setAsked({ about: 'new', parent: user.hierarchylevel })
  useShortcut('n', askNew, can('createhierarchy'))
  if (!can('readhierarchy')) return <ErrorMessage code="403" />
  const levels = query.data ?? []
  return (
    <Page
      title={label.menu('hierarchy')}
      beside={<Text color="fg.muted">{query.data?.length}</Text>}
      width={960}
      actions={
        can('createhierarchy') ? (
          <Button variant="solid" onClick={askNew}>
            <Plus size={16} aria-hidden="true" />
            {t('level.new')}
          </Button>
        ) : null
      }
    >
      {query.error && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <RowsSkeleton />
      ) : (
        <Tree levels={levels} onAsk={setAsked} />
      )}
      <Dialogs asked={asked} levels={levels} onClose={() => setAsked(undefined)} />
    </Page>
  )
}
