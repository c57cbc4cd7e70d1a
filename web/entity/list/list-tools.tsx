import { Button, HStack, Text } from '@chakra-ui/react'
import { ArrowDownUp, Bookmark, Columns3, LayoutGrid, type LucideIcon, Table2 } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Segments } from '#web/components/segments.tsx'
import { lazyPart } from '#web/lazy-module.ts'
import { columnsOf, isSortable, useColumnLabel } from './list-field.ts'
import { nextSort } from './list-state.ts'
import type { ListControl, ListPlace } from './use-list-state.ts'

/** A way of showing a list that its page brings along, beside table and cards. */
export interface MatrixView {
  readonly label: string
  readonly icon: LucideIcon
  isOffered(place: ListPlace): boolean
  /** Beside the search, in place of the list's filters. */
  filter(place: ListPlace): ReactNode
  /** In place of the button that makes something new. */
  action(place: ListPlace): ReactNode
  content(place: ListPlace, control: ListControl): ReactNode
}

const ColumnsPanel = lazyPart(async () => (await import('./columns-panel.tsx')).ColumnsPanel)
const ViewsPanel = lazyPart(async () => (await import('./views-panel.tsx')).ViewsPanel)

interface PanelButtonProps {
  readonly icon: LucideIcon
  readonly label: string
  /** Shown beside the icon. */
  readonly text?: ReactNode
  readonly isPressed: boolean
  readonly variant?: 'outline' | undefined
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a panel below it. */
const PanelButton = ({ icon, label, text, isPressed, variant, children }: PanelButtonProps) => {
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  const Icon = icon
  const common = {
    ref: setAnchor,
    variant: variant ?? 'ghost',
    flex: 'none',
    'aria-haspopup': 'dialog',
    'aria-expanded': isOpen,
    onClick: () => setOpen(!isOpen),
    ...(isPressed ? { color: 'accent.fg' } : {}),
  } as const
  return (
    <>
      {text === undefined ? (
        <IconButton icon={icon} label={label} {...common} />
      ) : (
        <Button {...common} maxW="220px" {...(variant === undefined ? { px: '2' } : {})}>
          <Icon size={15} aria-hidden="true" />
          {text}
        </Button>
      )}
      {isOpen && anchor !== null ? (
        <AnchoredPopover
          anchor={anchor}
          align="end"
          onClose={() => setOpen(false)}
          maxH="min(480px, calc(100dvh - 16px))"
        >
          <Suspense fallback={null}>{children(() => setOpen(false))}</Suspense>
        </AnchoredPopover>
      ) : null}
    </>
  )
}

interface Props {
  readonly entity: EntityDeclaration
  readonly control: ListControl
  /** Cards alone: there is no room for a table. */
  readonly isNarrow: boolean
  readonly matrix?: MatrixView | undefined
  /** The matrix is what is shown: it has its own columns and order. */
  readonly isMatrix?: boolean
}

/** Cards have no headers to click on. */
const SortMenu = ({ entity, control }: Pick<Props, 'entity' | 'control'>) => {
  const { t } = useTranslation('list')
  const label = useColumnLabel(entity)
  const { sort } = control.state
  const actions = columnsOf(entity)
    .filter(({ field }) => isSortable(entity, field))
    .map(({ field }) => ({
      id: field,
      label:
        sort === field
          ? t('sort.ascending', { name: label(field) })
          : sort === `-${field}`
            ? t('sort.descending', { name: label(field) })
            : label(field),
      checked: sort === field || sort === `-${field}`,
      run: () => control.set({ sort: nextSort(sort, field) }),
    }))
  return (
    <ActionMenu label={t('sort.title')} actions={actions}>
      <IconButton icon={ArrowDownUp} label={t('sort.title')} {...(sort === '' ? {} : { color: 'accent.fg' })} />
    </ActionMenu>
  )
}

/** Table, cards, and the matrix where there is one. In a narrow window there is no room for a table. */
const ViewSegments = ({ control, isNarrow, matrix }: Pick<Props, 'control' | 'isNarrow' | 'matrix'>) => {
  const { t } = useTranslation('shell')
  const { state, set } = control
  if (isNarrow && matrix === undefined) return null
  const shown = state.view === 'matrix' && matrix === undefined ? 'table' : state.view
  const options = [
    ...(isNarrow ? [] : [{ value: 'table' as const, label: t('list.table'), icon: Table2, iconOnly: true }]),
    { value: 'cards' as const, label: t('list.cards'), icon: LayoutGrid, iconOnly: true },
    ...(matrix === undefined
      ? []
      : [{ value: 'matrix' as const, label: matrix.label, icon: matrix.icon, iconOnly: true }]),
  ]
  return (
    <Segments
      label={t('list.view')}
      value={isNarrow && shown === 'table' ? 'cards' : shown}
      // The matrix has its own filters.
      onChange={view => set(view === 'matrix' ? { view, filter: {}, removed: false } : { view })}
      options={options}
    />
  )
}

interface ViewsButtonProps {
  readonly control: Pick<ListControl, 'saved' | 'query' | 'save' | 'open'>
  readonly isNarrow: boolean
  /** Among other buttons of a page's head. */
  readonly variant?: 'outline'
}

/** Names the view that is open, and opens, saves and renames others. */
export const ViewsButton = ({ control, isNarrow, variant }: ViewsButtonProps) => {
  const { t } = useTranslation('list')
  const active = control.saved.views.find(view => view.query === control.query)
  const text = active === undefined ? t('views.title') : t('views.active', { name: active.name })
  return (
    <PanelButton
      icon={Bookmark}
      label={t('views.title')}
      isPressed={active !== undefined}
      variant={variant}
      {...(isNarrow
        ? {}
        : {
            text: (
              <Text as="span" truncate {...(variant === undefined ? { fontWeight: 'normal' } : {})}>
                {text}
              </Text>
            ),
          })}
    >
      {close => <ViewsPanel control={control} onClose={close} />}
    </PanelButton>
  )
}

/** Display of a list: saved views, columns, sorting if there are no headers, table or cards. */
export const ListTools = ({ entity, control, isNarrow, matrix, isMatrix = false }: Props) => {
  const { t: tl } = useTranslation('list')
  const { state, set } = control
  const isCards = isNarrow || state.view === 'cards'
  const segments = <ViewSegments control={control} isNarrow={isNarrow} matrix={matrix} />
  if (isMatrix) return segments
  return (
    <HStack gap="1" flex="none">
      {isCards ? <SortMenu entity={entity} control={control} /> : null}
      <PanelButton icon={Columns3} label={tl('columns.title')} isPressed={state.columns.length > 0}>
        {() => <ColumnsPanel entity={entity} columns={state.columns} onChange={columns => set({ columns })} />}
      </PanelButton>
      <ViewsButton control={control} isNarrow={isNarrow} />
      {segments}
    </HStack>
  )
}
