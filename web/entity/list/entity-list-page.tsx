import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { Box, Button, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { EntityDeclaration, ListColumn } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { listQuery, type Row } from '#web/entity/entity-query.ts'
import { inSentence, useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { numberText } from '#web/format/number.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { coveringLink } from '#web/theme/highlight.ts'
import { Cell, type Cells, PersonTime, shownValue } from './cell.tsx'
import { EntityTable } from './entity-table.tsx'
import { FloatingNew, ListActions, NewButton, useCreate } from './list-actions.tsx'
import { ListBar } from './list-bar.tsx'
import { columnsOf, defaultColumns, useColumnLabel } from './list-field.ts'
import { type ListState, listFilterParams, listParams } from './list-state.ts'
import type { MatrixView } from './list-tools.tsx'
import { Pagination } from './pagination.tsx'
import { RowActions } from './row-actions.tsx'
import { Tick } from './unlabelled-checkbox.tsx'
import {
  type ListControl,
  type ListPlace,
  type Selection,
  useListPlace,
  useListState,
  useSelection,
} from './use-list-state.ts'
import { bulkActions, useProcess } from './use-process.ts'

const MAX_FACTS = 3
/** Columns whose values say themselves what they are; a number or a yes alone says nothing. */
const SELF_EVIDENT: ReadonlySet<string> = new Set(['status', 'environment', 'person', 'tags'])

/** Columns that every card shows in places of their own. */
const IN_FRAME: ReadonlySet<string> = new Set(['description', 'modified_at'])

interface EntityCardsProps {
  readonly place: ListPlace
  readonly columns: readonly ListColumn[]
  /** The columns were chosen: each is shown. Else the first that have a value. */
  readonly isChosen: boolean
  readonly rows: readonly Row[]
  readonly removed: boolean
  /** Undefined where there is nothing to do with several. */
  readonly selection: Selection | undefined
  readonly cells: Cells | undefined
}

const CardLink = ({ to, children }: { readonly to: string; readonly children: string }) => (
  <RouterLink to={to} textStyle="title" overflowWrap="anywhere" {...coveringLink('2px', 'lg')}>
    {children}
  </RouterLink>
)

interface FactsProps {
  readonly entity: EntityCardsProps['place']['entity']
  readonly row: Row
  readonly facts: EntityCardsProps['columns']
  readonly cells: Cells | undefined
}

const Facts = ({ entity, row, facts, cells }: FactsProps) => {
  const label = useColumnLabel(entity)
  return (
    <HStack mt="2" gap="3.5" flexWrap="wrap" rowGap="1" fontSize="sm">
      {facts.map(column => (
        <HStack key={column.field} maxW="100%" gap="1.5">
          {SELF_EVIDENT.has(column.as ?? '') &&
          !(column.as === 'tags' && entity.fields[column.field]?.kind === 'enumeration') ? null : (
            <Text as="span" textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
              {label(column.field)}
            </Text>
          )}
          {cells?.[column.field]?.(row) ?? <Cell entity={entity} column={column} row={row} />}
        </HStack>
      ))}
    </HStack>
  )
}

const Card = ({
  place,
  columns,
  isChosen,
  row,
  removed,
  selection,
  cells,
}: Omit<EntityCardsProps, 'rows'> & { row: Row }) => {
  const { entity } = place
  const { t } = useTranslation('list')
  const rest = columns.filter(({ as, field }) => as !== 'name' && !IN_FRAME.has(field))
  const status = rest.find(column => column.as === 'status')
  // Custom cells also show empty values, such as the state of a campaign before its first run.
  const isFilled = ({ field }: ListColumn) => {
    const value = shownValue(entity, row, field)
    return cells?.[field] !== undefined || (value !== null && value !== '')
  }
  const filled = rest.filter(column => column !== status && isFilled(column))
  const facts = filled
    .filter(column => !(Array.isArray(row[column.field]) && (row[column.field] as unknown[]).length === 0))
    .slice(0, isChosen ? columns.length : MAX_FACTS + (entity.list.facts?.length ?? 0))
  const name = useLabel().title(entity, row)
  return (
    <Box
      as="li"
      position="relative"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      {...(selection?.has(row.id) ? { borderColor: 'accent.border', bg: 'accent.subtle' } : {})}
      px="3.5"
      pt="3"
      _hover={{ borderColor: 'border.emphasized' }}
    >
      <HStack justify="space-between" align="flex-start" gap="3">
        {removed ? <Text textStyle="title">{name}</Text> : <CardLink to={place.formAt(row.id)}>{name}</CardLink>}
        {status ? <Cell entity={entity} column={status} row={row} /> : null}
      </HStack>
      {typeof row.description === 'string' ? (
        <Text textStyle="dense" color="fg.muted" lineClamp={2} mt="0.5">
          {row.description}
        </Text>
      ) : null}
      {facts.length > 0 ? <Facts entity={entity} row={row} facts={facts} cells={cells} /> : null}
      <HStack mt="2.5" mb="0.5" borderTopWidth="1px" fontSize="sm" minH="11" gap="1">
        {selection === undefined ? null : (
          <Box position="relative" zIndex="1" ms="-2">
            <Tick
              label={t('select.row', { name })}
              checked={selection.has(row.id)}
              onChange={checked => selection.set([row], checked)}
            />
          </Box>
        )}
        <Box flex="1" minW="0">
          <PersonTime id={row.modified_by} time={row.modified_at} words />
        </Box>
        <Box position="relative" zIndex="1">
          <RowActions place={place} row={row} removed={removed} compact={!removed} />
        </Box>
      </HStack>
    </Box>
  )
}

/** A list as cards: always on a phone, by choice elsewhere. */
const EntityCards = ({ rows, ...shared }: EntityCardsProps) => (
  <SimpleGrid
    as="ul"
    listStyleType="none"
    gap={{ base: '2', md: '4' }}
    templateColumns="repeat(auto-fill, minmax(min(300px, 100%), 1fr))"
  >
    {rows.map(row => (
      <Card key={row.id} row={row} {...shared} />
    ))}
  </SimpleGrid>
)

interface EmptyListProps {
  readonly entity: EntityDeclaration
  readonly control: ListControl
  /** Undefined where nothing may be made. */
  readonly create: (() => void) | undefined
}

/** Why a list is empty, and the one thing to do about it. */
const EmptyList = ({ entity, control: { state, set }, create }: EmptyListProps) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const icon = ICONS[entity.icon]
  const purpose = label.message(entity.name, 'empty') ?? label.purpose(entity.name)
  if (state.search !== '' || Object.keys(state.filter).length > 0) {
    return (
      <EmptyState title={t('list.nothing')} text={t('list.nothingtext')} hasHelp={false}>
        <Button onClick={() => set({ search: '', filter: {} })}>{t('list.clear')}</Button>
      </EmptyState>
    )
  }
  if (state.removed) return <EmptyState title={t('list.noremoved')} text={t('list.noremovedtext')} />
  return (
    <EmptyState
      {...(icon ? { icon } : {})}
      title={t('list.empty', { name: inSentence(label.plural(entity.name)) })}
      {...(purpose ? { text: purpose } : {})}
    >
      {create === undefined ? null : <NewButton entity={entity} create={create} />}
    </EmptyState>
  )
}

const SelectionBar = lazyPart(async () => (await import('./selection-bar.tsx')).SelectionBar)

interface Props {
  /** Shown above the list. */
  readonly above?: ReactNode
  /** False where something new is made otherwise than by its form. */
  readonly hasNew?: boolean
  readonly matrix?: MatrixView
  /** Columns that are drawn otherwise than by their kind, by field; or those for the rows of a page. */
  readonly cells?: Cells | ((rows: readonly Row[]) => Cells)
}

const LateSelectionBar = (props: ComponentProps<typeof SelectionBar>) => (
  <Suspense fallback={null}>
    <SelectionBar {...props} />
  </Suspense>
)

const shownColumns = (entity: EntityDeclaration, { columns }: ListState) => {
  const names = columns.length === 0 ? defaultColumns(entity) : columns
  return names.flatMap(name => columnsOf(entity).find(({ field }) => field === name) ?? [])
}

type ListPage = AnswerOf<'GET /{entity}'>
type Shared = Omit<ComponentProps<typeof EntityCards>, 'isChosen'>

interface ContentProps {
  readonly control: ListControl
  readonly query: Pick<UseQueryResult<ListPage>, 'data' | 'error' | 'refetch'>
  readonly shared: Shared
  readonly create: (() => void) | undefined
  readonly isNarrow: boolean
  /** A button floats over the end of the list. */
  readonly isFloating: boolean
}

/** A page of the list as cards or as a table, or why there is none. */
const ListContent = ({ control, query, shared, create, isNarrow, isFloating }: ContentProps) => {
  const { state, set } = control
  const { data } = query
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (data === undefined) return <RowsSkeleton />
  const pagination = <Pagination state={state} total={data.total} onChange={set} />
  if (data.items.length === 0 && data.total > 0)
    return (
      <>
        <RowsSkeleton />
        {pagination}
      </>
    )
  if (data.items.length === 0) {
    return (
      <HStack justify="center" borderWidth="1px" borderRadius="lg" bg="bg.surface">
        <EmptyList entity={shared.place.entity} control={control} create={create} />
      </HStack>
    )
  }
  return (
    <>
      {isNarrow || state.view === 'cards' ? (
        <EntityCards {...shared} isChosen={state.columns.length > 0} />
      ) : (
        <EntityTable {...shared} sort={state.sort} onSort={sort => set({ sort })} />
      )}
      {pagination}
      {/* So that the button that floats covers nothing. */}
      {isFloating ? <Box flex="none" h="14" /> : null}
    </>
  )
}

const Listed = ({ place, above, hasNew = true, matrix, cells }: Props & { readonly place: ListPlace }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const isNarrow = useMedia(PHONE)
  const { entity, fixed } = place
  const control = useListState(place)
  const { state } = control
  const offered = matrix?.isOffered(place) === true ? matrix : undefined
  const shownMatrix = state.view === 'matrix' && !state.removed ? offered : undefined
  const narrowing = listFilterParams(entity, state, fixed)
  const query = useQuery(listQuery(entity.name, listParams(entity, state, fixed)))
  const total = query.data?.total ?? 0
  const create = useCreate(place, state.removed || !hasNew || shownMatrix !== undefined)
  const actions = bulkActions(entity, can, state.removed)
  const selection = useSelection(JSON.stringify(narrowing), total, query.data?.items ?? [])
  const process = useProcess(entity.name)
  const isSelecting = selection.count > 0 || process.started !== undefined
  const rows = query.data?.items ?? []
  const shared = {
    place,
    columns: shownColumns(entity, state),
    rows,
    removed: state.removed,
    selection: actions.length === 0 ? undefined : selection,
    cells: typeof cells === 'function' ? cells(rows) : cells,
  }
  const isReady = useEntityTextsReady([entity.name])
  if (!isReady) return <PageSkeleton />
  const isFloating = create !== undefined && isNarrow && total > 0 && !isSelecting
  return (
    <Page
      title={state.removed ? t('list.removedtitle', { name: label.plural(entity.name) }) : label.plural(entity.name)}
      beside={
        <Text as="span" color="fg.muted" fontVariantNumeric="tabular-nums">
          {query.data === undefined ? null : numberText(query.data.total)}
        </Text>
      }
      actions={
        <ListActions
          place={place}
          control={control}
          total={total}
          isNarrow={isNarrow}
          create={create}
          action={shownMatrix?.action(place)}
          onImported={process.showImport}
        />
      }
      bar={
        isSelecting ? (
          <LateSelectionBar
            place={place}
            actions={actions}
            selection={selection}
            total={total}
            narrowing={narrowing}
            control={process}
          />
        ) : null
      }
    >
      {place.tabOf === undefined ? null : <ParentTabs {...place.tabOf} active={entity.name} />}
      {state.removed ? null : above}
      <ListBar
        entity={entity}
        control={control}
        fixed={fixed}
        isNarrow={isNarrow}
        matrix={offered}
        matrixFilter={shownMatrix?.filter(place)}
      />
      {shownMatrix === undefined ? (
        <ListContent
          control={control}
          query={query}
          shared={shared}
          create={create}
          isNarrow={isNarrow}
          isFloating={isFloating}
        />
      ) : (
        shownMatrix.content(place, control)
      )}
      {isFloating ? <FloatingNew entity={entity} create={create} /> : null}
    </Page>
  )
}

/** /{entity}/search and a bot's settings: the list that follows from the declaration. */
export const EntityListPage = (props: Props) => {
  const place = useListPlace()
  const { can } = useSession()
  if (place === undefined) return <ErrorMessage code="404" />
  if (!can(`read${place.entity.name}`)) return <ErrorMessage code="403" />
  return <Listed key={`${place.entity.name}${place.newAt}`} place={place} {...props} />
}
