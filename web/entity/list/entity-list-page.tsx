import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { inSentence, useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { numberText } from '#web/format/number.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import type { Cells } from './cell.tsx'
import { EntityCards } from './entity-cards.tsx'
import { EntityTable } from './entity-table.tsx'
import { FloatingNew, ListActions, NewButton, useCreate } from './list-actions.tsx'
import { ListBar } from './list-bar.tsx'
import { columnsOf, defaultColumns } from './list-field.ts'
import { type ListState, listFilterParams, listParams } from './list-state.ts'
import type { MatrixView } from './list-tools.tsx'
import { Pagination } from './pagination.tsx'
import { type ListControl, type ListPlace, useListPlace, useListState } from './use-list-state.ts'
import { bulkActions, useProcess } from './use-process.ts'
import { useSelection } from './use-selection.ts'

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

const SelectionBar = lazy(() => import('./selection-bar.tsx').then(m => ({ default: m.SelectionBar })))

interface Props {
  /** Shown above the list. */
  readonly above?: ReactNode
  /** False where something new is made otherwise than by its form. */
  readonly hasNew?: boolean
  readonly matrix?: MatrixView
  /** Columns that are drawn otherwise than by their kind, by field. */
  readonly cells?: Cells
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
  const shared = {
    place,
    columns: shownColumns(entity, state),
    rows: query.data?.items ?? [],
    removed: state.removed,
    selection: actions.length === 0 ? undefined : selection,
    cells,
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
