import { ICONS } from 'virtual:icon/../schemas/entities/*.ts'
import { Box, Button, HStack, Kbd, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Plus, Undo2 } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { isSingle } from '#schemas/single.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { listQuery } from '#web/entity/entity-query.ts'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { ParentTabs } from '#web/entity/parent-tabs.tsx'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { LIST } from '#web/shell/storage-keys.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { EntityCards } from './entity-cards.tsx'
import { EntityTable } from './entity-table.tsx'
import { ListBar } from './list-bar.tsx'
import { changed, type ListState, listParams, readListState, writeListState } from './list-state.ts'
import { Pagination } from './pagination.tsx'
import { type ListPlace, useListPlace } from './use-list-place.ts'

const keyOf = (entity: string) => LIST + entity

const useListState = ({ entity }: ListPlace) => {
  const [search, setSearch] = useSearchParams()
  const state = readListState(search, entity)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when an address comes without a state of its own
  useEffect(() => {
    const stored = localStorage.getItem(keyOf(entity.name))
    const bare = writeListState(readListState(new URLSearchParams(), entity), search, entity).toString()
    if (stored !== null && bare === search.toString()) {
      const kept = readListState(new URLSearchParams(stored), entity)
      setSearch(writeListState(kept, search, entity), { replace: true })
    }
  }, [entity.name])
  const set = (change: Partial<ListState>) => {
    const next = changed(state, change)
    localStorage.setItem(keyOf(entity.name), writeListState(next, new URLSearchParams(), entity).toString())
    setSearch(before => writeListState(next, before, entity), { replace: true })
  }
  return { state, set }
}

const Listed = ({ place }: { readonly place: ListPlace }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  const { can } = useSession()
  const navigate = useNavigate()
  const phone = useMedia(PHONE)
  const { entity } = place
  const { state, set } = useListState(place)
  const query = useQuery(listQuery(entity.name, listParams(state, place.fixed)))
  const { data } = query
  const ready = useEntityTextsReady([entity.name])
  const mayCreate = can(`create${entity.name}`) && !state.removed && !isSingle(entity)
  const create = () => void navigate(place.newAt)
  useShortcut('n', create, mayCreate)
  if (!ready) return <PageSkeleton />
  const narrowed = state.search !== '' || Object.keys(state.filter).length > 0
  const newLabel = t('new', { name: label.name(entity.name).toLocaleLowerCase() })
  const cards = phone || state.view === 'cards'
  const button = (
    <Button variant="solid" onClick={create}>
      <Plus size={16} aria-hidden="true" />
      {newLabel}
      {phone ? null : (
        <Kbd bg="transparent" color="inherit" borderColor="currentColor" opacity="0.75" ms="1">
          N
        </Kbd>
      )}
    </Button>
  )
  return (
    <Page
      title={state.removed ? t('list.removedtitle', { name: label.plural(entity.name) }) : label.plural(entity.name)}
      beside={
        <Text as="span" color="fg.muted" fontVariantNumeric="tabular-nums">
          {data?.total.toLocaleString('pt-BR')}
        </Text>
      }
      actions={
        state.removed ? (
          <Button onClick={() => set({ removed: false })}>
            <Undo2 size={16} aria-hidden="true" />
            {t('list.leaveremoved')}
          </Button>
        ) : mayCreate && !phone ? (
          button
        ) : null
      }
    >
      {place.tabOf === undefined ? null : <ParentTabs {...place.tabOf} active={entity.name} />}
      <ListBar entity={entity} state={state} onChange={set} fixed={place.fixed} />
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : data === undefined ? (
        <RowsSkeleton />
      ) : data.items.length === 0 ? (
        <HStack justify="center" borderWidth="1px" borderRadius="lg" bg="bg.surface">
          {narrowed ? (
            <EmptyState title={t('list.nothing')} text={t('list.nothingtext')}>
              <Button onClick={() => set({ search: '', filter: {} })}>{t('list.clear')}</Button>
            </EmptyState>
          ) : state.removed ? (
            <EmptyState title={t('list.noremoved')} text={t('list.noremovedtext')} />
          ) : (
            <EmptyState
              {...(ICONS[entity.icon] ? { icon: ICONS[entity.icon] } : {})}
              title={t('list.empty', { name: label.plural(entity.name).toLocaleLowerCase() })}
              {...(label.purpose(entity.name) ? { text: label.purpose(entity.name) ?? '' } : {})}
            >
              {mayCreate ? button : null}
            </EmptyState>
          )}
        </HStack>
      ) : (
        <>
          {cards ? (
            <EntityCards place={place} rows={data.items} removed={state.removed} />
          ) : (
            <EntityTable
              place={place}
              rows={data.items}
              sort={state.sort}
              removed={state.removed}
              onSort={sort => set({ sort })}
            />
          )}
          <Pagination state={state} total={data.total} onChange={set} />
          {/* So that the button that floats covers nothing. */}
          {mayCreate && phone ? <Box flex="none" h="14" /> : null}
        </>
      )}
      {mayCreate && phone && data !== undefined && data.items.length > 0 ? (
        <Button
          variant="solid"
          size="xl"
          h="52px"
          px="5"
          position="fixed"
          bottom="4"
          right="4"
          borderRadius="full"
          boxShadow="overlay"
          zIndex="panel"
          onClick={create}
        >
          <Plus size={18} aria-hidden="true" />
          {newLabel}
        </Button>
      ) : null}
    </Page>
  )
}

/** /{entity}/search and a bot's settings: the list that follows from the declaration. */
export const EntityListPage = () => {
  const place = useListPlace()
  const { can } = useSession()
  if (place === undefined) return <ErrorMessage code="404" />
  if (!can(`read${place.entity.name}`)) return <ErrorMessage code="403" />
  return <Listed key={`${place.entity.name}${place.newAt}`} place={place} />
}
