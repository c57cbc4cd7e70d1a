import { Box, chakra, HStack, Text } from '@chakra-ui/react'
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
import type { DragEventHandler } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { IconButton } from '#web/components/hint.tsx'
import type { TreeRow } from '#web/components/tree.ts'
import { formAddress } from '#web/entity/address.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import type { Level } from '#web/shell/level.ts'

/** Role of a row in a drag: the dragged branch, a drop target, or neither. */
export interface RowDrag {
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
export const LevelRow = (props: Props) => {
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
