import { Box, Button, Checkbox, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Download, KeyRound, Upload } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { fileUrl, http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { Chip } from '#web/components/chip.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useScopeText } from '#web/entity/form/permission/pending-permissions.tsx'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { agoOf, dayOf, momentOf } from '#web/format/time.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { RouterLink } from '#web/page/router-link.ts'
import { useAddress } from '#web/page/use-address.ts'
import { levelsQuery } from '#web/shell/level.ts'
import { useDebouncedValue } from '#web/timer.ts'

type Review = AnswerOf<'GET /audit/access'>
type Holder = Review['items'][number]
type Kind = Holder['kind']

interface Selection {
  readonly kind: Kind
  readonly search: string
  readonly exports: boolean
}

const queryOf = ({ kind, search, exports }: Selection) => ({
  kind,
  ...(search === '' ? {} : { search }),
  ...(exports ? { exports: 'true' as const } : {}),
})

const reviewQuery = (selection: Selection, page: number, size: number) =>
  queryOptions({
    queryKey: ['audit', 'access', selection, page, size],
    queryFn: () => http.get('/audit/access', { query: { ...queryOf(selection), page, size } }),
  })

const COLUMNS = 'minmax(0, 1.2fr) minmax(0, 1.8fr) minmax(0, 1fr)'

const Identity = ({ holder }: { readonly holder: Holder }) => {
  const { t } = useTranslation('accessreview')
  const level = useQuery(levelsQuery).data?.find(({ id }) => id === holder.hierarchylevel)?.name
  const { kind, id, name, firstname, lastname, locked, last_seen_at } = holder
  const whole = [firstname, lastname].filter(Boolean).join(' ')
  const seen = last_seen_at === null ? t('never') : agoOf(last_seen_at)
  return (
    <Box minW="0">
      <HStack gap="2" flexWrap="wrap">
        <RouterLink
          to={kind === 'person' ? `/user/${id}` : `/serviceaccount/${id}`}
          textStyle="card"
          overflowWrap="anywhere"
          _hover={{ textDecoration: 'underline' }}
        >
          {name}
        </RouterLink>
        {locked ? <Chip tone="warning">{t(kind === 'person' ? 'locked' : 'off')}</Chip> : null}
      </HStack>
      <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
        {[whole, level].filter(Boolean).join(' · ')}
      </Text>
      <Text textStyle="secondary" color="fg.muted" title={last_seen_at === null ? undefined : momentOf(last_seen_at)}>
        {t(kind === 'person' ? 'lastseen' : 'lastused')}: {seen}
      </Text>
    </Box>
  )
}

const Grants = ({ holder }: { readonly holder: Holder }) => {
  const { t } = useTranslation('accessreview')
  const { everything, grants } = holder
  if (!everything && grants.length === 0) return <Text color="fg.muted">{t('norole')}</Text>
  return (
    <chakra.ul listStyleType="none" ps="0" minW="0">
      {everything ? (
        <chakra.li textStyle="dense">
          <b>{t('everything')}</b>
        </chakra.li>
      ) : null}
      {grants.map(({ role, group, since, permissions }) => (
        <chakra.li key={`${role.id} ${group.id}`} textStyle="dense" overflowWrap="anywhere">
          <b>{role.name ?? t('hidden')}</b>{' '}
          <chakra.span color="fg.muted" title={since === null ? undefined : momentOf(since)}>
            {[
              t('rights', { count: permissions }),
              t('through', { group: group.name ?? t('hidden') }),
              ...(since === null ? [] : [t('since', { time: dayOf(since) })]),
            ].join(' · ')}
          </chakra.span>
        </chakra.li>
      ))}
    </chakra.ul>
  )
}

const Tokens = ({ tokens }: { readonly tokens: Holder['tokens'] }) => {
  const { t } = useTranslation('accessreview')
  if (tokens.length === 0) return null
  return (
    <chakra.ul listStyleType="none" ps="0" mt="1" aria-label={t('tokens')}>
      {tokens.map(({ id, name, active, expires, last_used_at }) => (
        <chakra.li key={id} textStyle="dense" overflowWrap="anywhere" color={active ? undefined : 'fg.muted'}>
          <chakra.span display="inline-block" me="1.5" verticalAlign="-1px" color="fg.muted">
            <KeyRound size={12} aria-hidden="true" />
          </chakra.span>
          {name}{' '}
          <chakra.span color="fg.muted">
            {[
              active ? t('expires', { time: dayOf(expires) }) : t('ended'),
              last_used_at === null ? t('notused') : t('usedat', { time: agoOf(last_used_at) }),
            ].join(' · ')}
          </chakra.span>
        </chakra.li>
      ))}
    </chakra.ul>
  )
}

const ENTITY_NAMES = Object.keys(ENTITIES)

/** Loads the texts of entities when it is opened: they are many files. */
const Unused = ({ names }: { readonly names: readonly string[] }) => {
  const text = useScopeText()
  const ready = useEntityTextsReady(ENTITY_NAMES.filter(entity => names.some(name => name.endsWith(entity))))
  if (!ready) return null
  return (
    <chakra.ul listStyleType="none" ps="0" maxH="44" overflowY="auto" tabIndex={0} color="fg.muted">
      {names.map(name => (
        <li key={name}>{text(name)}</li>
      ))}
    </chakra.ul>
  )
}

const Use = ({ holder: { exports, unused, permissions } }: { readonly holder: Holder }) => {
  const { t } = useTranslation('accessreview')
  const text = useScopeText()
  const [isOpen, setOpen] = useState(false)
  if (permissions === 0) return null
  return (
    <Box minW="0">
      {exports.length === 0 ? null : (
        <Chip tone="warning" title={exports.map(text).join('\n')} mb="1" icon={Upload}>
          {t('exports')}
        </Chip>
      )}
      {unused.length === 0 ? (
        <Text textStyle="dense" color="fg.muted">
          {t('used')}
        </Text>
      ) : (
        <chakra.details textStyle="dense" onToggle={event => setOpen(event.currentTarget.open)}>
          <chakra.summary cursor="pointer" py={{ base: '2', md: '0' }}>
            {t('unused', { count: unused.length })}
          </chakra.summary>
          {isOpen ? <Unused names={unused} /> : null}
        </chakra.details>
      )}
    </Box>
  )
}

const HolderRow = ({ holder }: { readonly holder: Holder }) => (
  <SimpleGrid as="li" templateColumns={{ base: '1fr', lg: COLUMNS }} gap="3" px="4" py="3" borderTopWidth="1px">
    <Identity holder={holder} />
    <Box minW="0">
      <Grants holder={holder} />
      <Tokens tokens={holder.tokens} />
    </Box>
    <Use holder={holder} />
  </SimpleGrid>
)

const useReviewState = () => {
  const { params, put } = useAddress()
  const kind: Kind = params.get('kind') === 'service' ? 'service' : 'person'
  return {
    kind,
    search: params.get('search') ?? '',
    exports: kind === 'person' && params.get('exports') === 'true',
    page: Math.max(1, Number(params.get('page')) || 1),
    size: [25, 50, 100].find(one => one === Number(params.get('size'))) ?? 25,
    put: (change: Readonly<Record<string, string | undefined>>) => put({ page: undefined, ...change }),
  }
}

const Bar = ({ state }: { readonly state: ReturnType<typeof useReviewState> }) => {
  const { t } = useTranslation('accessreview')
  const { kind, search, exports, put } = state
  return (
    <HStack gap="3" flexWrap="wrap" mb="3">
      <Segments
        label={t('kind')}
        value={kind}
        options={[
          { value: 'person', label: t('person') },
          { value: 'service', label: t('service') },
        ]}
        onChange={value => put({ kind: value === 'person' ? undefined : value })}
      />
      <SearchField
        label={t('search')}
        value={search}
        onChange={text => put({ search: text })}
        flex="1 1 180px"
        maxW={{ md: '300px' }}
      />
      {kind === 'person' ? (
        <Checkbox.Root
          checked={exports}
          onCheckedChange={({ checked }) => put({ exports: checked === true ? 'true' : undefined })}
        >
          <Checkbox.HiddenInput />
          <Checkbox.Control />
          <Checkbox.Label>{t('onlyexport')}</Checkbox.Label>
        </Checkbox.Root>
      ) : null}
    </HStack>
  )
}

const SEARCH_DELAY_MS = 250

/** /audit/access: who may do what, since when, and what of it is used. */
export const AccessReviewPage = () => {
  const { t } = useTranslation('accessreview')
  const { can } = useSession()
  const state = useReviewState()
  const { kind, exports, page, size } = state
  const search = useDebouncedValue(state.search, SEARCH_DELAY_MS)
  const allowed = can('readaudit')
  const selection = { kind, search, exports }
  const { data, error, refetch } = useQuery({ ...reviewQuery(selection, page, size), enabled: allowed })
  const ready = useEntityTextsReady(['campaign'])
  if (!allowed) return <ErrorMessage code="403" />
  const save = () => location.assign(fileUrl('/audit/access/export', { query: queryOf(selection) }))
  return (
    <Page
      title={t('title')}
      purpose={t('text')}
      actions={
        can('exportaudit') ? (
          <Button onClick={save}>
            <Download size={15} aria-hidden="true" />
            {t('save')}
          </Button>
        ) : undefined
      }
    >
      {data === undefined ? null : (
        <Text textStyle="dense" color="fg.muted" mb="3">
          {t('unusednote', { days: data.days })}{' '}
          {data.seal === null ? t('noseal') : t('seal', { number: data.seal.number, time: momentOf(data.seal.time) })}
        </Text>
      )}
      <Bar state={state} />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined || !ready ? (
        <RowsSkeleton />
      ) : (
        <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
          {data.items.length === 0 ? (
            <EmptyState title={t('nothing')} />
          ) : (
            <Box as="ul" listStyleType="none" ps="0" mt="-1px" aria-label={t(kind)}>
              {data.items.map(holder => (
                <HolderRow key={holder.id} holder={holder} />
              ))}
            </Box>
          )}
        </Box>
      )}
      {data !== undefined && data.total > 0 ? (
        <Pagination
          state={{ page, size }}
          total={data.total}
          onChange={change =>
            state.put({
              ...(change.size ? { size: String(change.size) } : {}),
              ...(change.page ? { page: String(change.page) } : {}),
            })
          }
        />
      ) : null}
    </Page>
  )
}
