import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartColumn, Download, ShieldAlert, ShieldCheck, ShieldQuestion, UserCheck } from 'lucide-react'
import { Fragment, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { fileUrl, http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { numberText } from '#web/format/number.ts'
import { dayOf, longDayOf, momentOf } from '#web/format/time.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { type AddressChange, useAddress } from '#web/page/use-address.ts'
import { AuditFilters, SavedFilters } from './audit-filters.tsx'
import { type AuditFilter, type AuditLine, activityQuery, apiFilter, auditQuery, readFilter } from './audit-query.ts'
import { AuditRow, GRID } from './audit-row.tsx'

interface Bucket {
  readonly from: string
  readonly count: number
}

interface Props {
  readonly buckets: readonly Bucket[]
  readonly from: string | undefined
  readonly to: string | undefined
  onChange(period: { from: string; to: string } | undefined): void
}

const HEIGHT = 52
/** A day's name begins at its bar, or as near to it as the name fits into the chart. */
const labelPlace = (share: number) => ({ left: `min(${share * 100}%, 100% - 3em)` })

const spanOf = (buckets: readonly Bucket[]) => {
  const first = Date.parse(buckets[0]?.from ?? '')
  const second = Date.parse(buckets[1]?.from ?? '')
  return Number.isNaN(second) ? 3_600_000 : second - first
}

/** Histogram of activity; dragging selects the period, Shift with arrows widens it. */
const ActivityBrush = ({ buckets, from, to, onChange }: Props) => {
  const { t } = useTranslation('shell')
  const box = useRef<HTMLDivElement>(null)
  const [drawn, setDrawn] = useState<readonly [number, number]>()
  const most = Math.max(1, ...buckets.map(bucket => bucket.count))
  const span = spanOf(buckets)
  const at = (time: string | undefined, fallback: number) => {
    if (time === undefined) return fallback
    const found = buckets.findIndex(bucket => Date.parse(bucket.from) + span > Date.parse(time))
    return found < 0 ? buckets.length - 1 : found
  }
  const given =
    from === undefined && to === undefined
      ? undefined
      : ([at(from, 0), Math.max(at(from, 0), at(to, buckets.length) - (to === undefined ? 1 : 0))] as const)
  const range = drawn === undefined ? given : ([Math.min(...drawn), Math.max(...drawn)] as const)
  const bucketAt = (event: React.PointerEvent) => {
    const rect = box.current?.getBoundingClientRect()
    if (rect === undefined) return 0
    return Math.max(
      0,
      Math.min(buckets.length - 1, Math.floor(((event.clientX - rect.left) / rect.width) * buckets.length)),
    )
  }
  const choose = ([low, high]: readonly [number, number]) => {
    const begin = buckets[low]?.from
    const end = buckets[high]?.from
    if (begin === undefined || end === undefined) return
    onChange({ from: new Date(begin).toISOString(), to: new Date(Date.parse(end) + span).toISOString() })
  }
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === 'Escape') return onChange(undefined)
    if (step === undefined) return
    event.preventDefault()
    const [low, high] = range ?? [buckets.length - 8, buckets.length - 1]
    const bounded = (place: number) => Math.max(0, Math.min(buckets.length - 1, place))
    choose(event.shiftKey ? [low, Math.max(low, bounded(high + step))] : [bounded(low + step), bounded(high + step)])
  }
  const labels = buckets.filter(
    (bucket, index) => index > 0 && dayOf(bucket.from) !== dayOf(buckets[index - 1]?.from ?? bucket.from),
  )
  const every = Math.ceil(labels.length / 6)
  return (
    <Box>
      <HStack
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={t('audit.brush')}
        aria-valuemin={0}
        aria-valuemax={buckets.length}
        aria-valuenow={range?.[0] ?? 0}
        aria-valuetext={
          range
            ? `${momentOf(buckets[range[0]]?.from ?? '')} – ${momentOf(buckets[range[1]]?.from ?? '')}`
            : t('audit.always')
        }
        gap="2px"
        align="flex-end"
        position="relative"
        cursor="crosshair"
        userSelect="none"
        touchAction="none"
        borderRadius="sm"
        focusVisibleRing="outside"
        style={{ height: HEIGHT }}
        onKeyDown={onKey}
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const place = bucketAt(event)
          setDrawn([place, place])
        }}
        onPointerMove={event => {
          if (drawn !== undefined) setDrawn([drawn[0], bucketAt(event)])
        }}
        onPointerUp={() => {
          if (drawn !== undefined) choose([Math.min(...drawn), Math.max(...drawn)])
          setDrawn(undefined)
        }}
      >
        {range ? (
          <chakra.div
            position="absolute"
            insetBlock="0"
            bg="accent.muted"
            opacity="0.7"
            borderInlineWidth="2px"
            borderColor="accent.solid"
            pointerEvents="none"
            style={{
              left: `${(range[0] / buckets.length) * 100}%`,
              width: `${((range[1] - range[0] + 1) / buckets.length) * 100}%`,
            }}
          />
        ) : null}
        {buckets.map((bucket, index) => (
          <Box
            key={bucket.from}
            flex="1"
            position="relative"
            borderTopRadius="2px"
            bg={range && index >= range[0] && index <= range[1] ? 'accent.solid' : 'border.emphasized'}
            title={`${momentOf(bucket.from)} · ${bucket.count}`}
            style={{ height: bucket.count === 0 ? 1 : Math.max(3, (bucket.count / most) * (HEIGHT - 6)) }}
          />
        ))}
      </HStack>
      <Box position="relative" h="5" mt="0.5" aria-hidden="true">
        {labels
          .filter((_, index) => index % every === 0)
          .map(bucket => (
            <Text
              key={bucket.from}
              as="span"
              position="absolute"
              textStyle="caption"
              color="fg.muted"
              whiteSpace="nowrap"
              style={labelPlace(buckets.indexOf(bucket) / buckets.length)}
            >
              {dayOf(bucket.from).slice(0, 5)}
            </Text>
          ))}
      </Box>
    </Box>
  )
}

type Chain = AnswerOf<'GET /audit/chain'>
type Finding = NonNullable<Chain['verification']>['findings'][number]

/** While a verification runs. */
const POLL_INTERVAL_MS = 1500

const chainQuery = queryOptions({
  queryKey: ['audit', 'chain'],
  queryFn: () => http.get('/audit/chain'),
  refetchInterval: ({ state }) => (state.data?.running ? POLL_INTERVAL_MS : false),
})

const verifyChain = () => http.post('/audit/chain/verify')

const LOOKS = {
  holds: { Icon: ShieldCheck, color: 'success.fg' },
  broken: { Icon: ShieldAlert, color: 'danger.fg' },
  unverified: { Icon: ShieldQuestion, color: 'fg.muted' },
} as const

const stateOf = ({ verification }: Chain) => {
  if (verification === null) return 'unverified'
  return verification.amiss === 0 ? 'holds' : 'broken'
}

const Findings = ({ findings }: { findings: readonly Finding[] }) => {
  const { t } = useTranslation('shell')
  return (
    <Box as="ul" listStyleType="none" mt="2" aria-label={t('audit.chain.where')}>
      {findings.map(({ kind, stream, revision, text }) => (
        <HStack as="li" key={`${stream} ${revision} ${kind}`} gap="2" py="0.5" textStyle="dense" title={text}>
          <b>{t(`audit.chain.kind.${kind}`)}</b>
          <chakra.code textStyle="code" overflowWrap="anywhere">
            {stream}
          </chakra.code>
          {revision === null ? null : <span>{t('audit.chain.revision', { revision })}</span>}
        </HStack>
      ))}
    </Box>
  )
}

/** Result of the last nightly recount of the figures of conversations, of one node. */
const Recount = ({ recount }: { readonly recount: Chain['recounts'][number] }) => {
  const { t } = useTranslation('shell')
  const { differences, conversations, days, time, node, lines } = recount
  const isEqual = differences === 0
  return (
    <Box mt="2" pt="2" borderTopWidth="1px">
      <HStack gap="3" role={isEqual ? undefined : 'alert'}>
        <Box color={isEqual ? 'success.fg' : 'danger.fg'} flex="none">
          <ChartColumn size={18} aria-hidden="true" />
        </Box>
        <Box minW="0">
          <Text textStyle="label">
            {t(isEqual ? 'audit.recount.equal' : 'audit.recount.differs', { count: differences })}
          </Text>
          <Text textStyle="dense" color="fg.muted">
            {[
              t('audit.recount.conversations', { count: conversations }),
              t('audit.recount.days', { count: days }),
              momentOf(time),
              node,
            ].join(' · ')}
          </Text>
        </Box>
      </HStack>
      {lines.length === 0 ? null : (
        <Box as="ul" listStyleType="none" mt="1">
          {lines.map(line => (
            <chakra.li key={line} textStyle="code" overflowWrap="anywhere">
              {line}
            </chakra.li>
          ))}
        </Box>
      )}
    </Box>
  )
}

/** Whether the log behind the audit holds: since when, by whose word, and where it does not. */
const ChainLine = () => {
  const { t } = useTranslation('shell')
  const queries = useQueryClient()
  const chain = useQuery(chainQuery).data
  const verify = useMutation({
    mutationFn: verifyChain,
    onSuccess: data => queries.setQueryData(chainQuery.queryKey, data),
  })
  if (chain === undefined) return null
  const { seal, verification, unsealed, running } = chain
  const state = stateOf(chain)
  const { Icon, color } = LOOKS[state]
  const details = [
    verification && t('audit.chain.verified', { time: momentOf(verification.time), name: nameOf(verification.user) }),
    seal === null ? t('audit.chain.noseal') : t('audit.chain.seal', { number: seal.number, time: momentOf(seal.time) }),
    seal !== null && unsealed > 0 ? t('audit.chain.unsealed', { count: unsealed }) : null,
  ].filter(Boolean)
  return (
    <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" px="4" py="2.5" mb="3">
      <HStack gap="3" role={state === 'broken' ? 'alert' : 'status'}>
        <Box color={color} flex="none">
          <Icon size={18} aria-hidden="true" />
        </Box>
        <Box flex="1" minW="0">
          <Text textStyle="label">{t(`audit.chain.${state}`, { count: verification?.amiss ?? 0 })}</Text>
          <Text textStyle="dense" color="fg.muted">
            {details.join(' · ')}
          </Text>
        </Box>
        <Button
          flex="none"
          disabled={verify.isPending}
          loading={running !== null}
          loadingText={t('audit.chain.running')}
          onClick={() => verify.mutate()}
        >
          {t('audit.chain.verify')}
        </Button>
      </HStack>
      {verification && verification.findings.length > 0 ? <Findings findings={verification.findings} /> : null}
      {chain.recounts.map(recount => (
        <Recount key={recount.node} recount={recount} />
      ))}
    </Box>
  )
}

const useAuditState = () => {
  const { params, put } = useAddress()
  const page = Math.max(1, Number(params.get('page')) || 1)
  const size = [25, 50, 100].find(one => one === Number(params.get('size'))) ?? 25
  return {
    filter: readFilter(params),
    page,
    size,
    put: (change: AddressChange) => put({ page: undefined, ...change }),
  }
}

const Head = () => {
  const { t } = useTranslation('shell')
  return (
    <chakra.div
      display={{ base: 'none', lg: 'grid' }}
      gridTemplateColumns={GRID}
      columnGap="3"
      px="2"
      h="36px"
      alignItems="center"
      textStyle="label"
      color="fg.muted"
      bg="bg"
      borderTopRadius="lg"
      aria-hidden="true"
    >
      <span />
      {['time', 'who', 'action', 'onwhat', 'change', 'rev'].map(key => (
        <span key={key}>{t(`audit.column.${key}`)}</span>
      ))}
    </chakra.div>
  )
}

const ExportMenu = ({ filter }: { readonly filter: AuditFilter }) => {
  const { t } = useTranslation('shell')
  const save = (format: 'csv' | 'jsonl') =>
    location.assign(fileUrl('/audit/export', { query: { ...apiFilter(filter), format } }))
  return (
    <ActionMenu
      label={t('audit.export')}
      actions={[
        { id: 'csv', label: 'CSV', run: () => save('csv') },
        { id: 'jsonl', label: 'JSON Lines', run: () => save('jsonl') },
      ]}
    >
      <Button>
        <Download size={15} aria-hidden="true" />
        {t('audit.export')}
      </Button>
    </ActionMenu>
  )
}

interface LinesProps {
  readonly items: readonly AuditLine[]
  readonly opened: string | undefined
  onOpen(id: string | undefined): void
}

/** The lines below the day of each. */
const Lines = ({ items, opened, onOpen }: LinesProps) => {
  return (
    <Box as="ul" listStyleType="none">
      {items.map((line, at) => {
        const id = `${line.entity}${line.entityid}${line.revision}${line.time}`
        const day = longDayOf(line.time)
        const before = items[at - 1]
        return (
          <Fragment key={id}>
            {before !== undefined && longDayOf(before.time) === day ? null : (
              <Box as="li" px="3" py="1" bg="bg.subtle" borderTopWidth="1px" textStyle="label" color="fg.muted">
                {day}
              </Box>
            )}
            <AuditRow line={line} open={opened === id} onToggle={() => onOpen(opened === id ? undefined : id)} />
          </Fragment>
        )
      })}
    </Box>
  )
}

const Total = ({ count }: { readonly count: number | undefined }) => {
  const { t } = useTranslation('shell')
  return (
    <Text textStyle="dense" color="fg.muted" whiteSpace="nowrap" pt="2.5" hideBelow="md" aria-live="polite">
      <b>{count === undefined ? null : numberText(count)}</b> {t('audit.lines')}
    </Text>
  )
}

/** /audit: everyone's actions. */
export const AuditPage = () => {
  const { t } = useTranslation(['shell', 'entity', 'history', 'list'])
  const { can } = useSession()
  const { filter, page, size, put } = useAuditState()
  const [opened, setOpened] = useState<string>()
  const allowed = can('readaudit')
  const query = useQuery({ ...auditQuery(filter, page, size), enabled: allowed })
  const activity = useQuery({ ...activityQuery(filter), enabled: allowed }).data
  const items = query.data?.items ?? []
  const ready = useEntityTextsReady(items.map(({ entity }) => entity))
  if (!allowed) return <ErrorMessage code="403" />
  return (
    <Page
      title={t('menu.audit')}
      purpose={t('audit.text')}
      actions={
        <>
          <Button asChild variant="outline">
            <Link to="/audit/access">
              <UserCheck size={15} aria-hidden="true" />
              {t('crumb.accessreview')}
            </Link>
          </Button>
          <SavedFilters filter={filter} put={put} />
          {can('exportaudit') ? <ExportMenu filter={filter} /> : null}
        </>
      }
    >
      <ChainLine />
      <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" px="4" pt="3" pb="1" mb="3">
        <HStack align="flex-start">
          <Box flex="1" minW="0">
            <AuditFilters filter={filter} put={put} />
          </Box>
          <Total count={query.data?.total} />
        </HStack>
        {activity && activity.length > 0 ? (
          <ActivityBrush
            buckets={activity}
            from={filter.from}
            to={filter.to}
            onChange={period => put({ from: period?.from, to: period?.to })}
          />
        ) : null}
      </Box>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined || !ready ? (
        <RowsSkeleton />
      ) : (
        <Box bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
          <Head />
          {query.data.total === 0 ? (
            <EmptyState title={t('list.nothing')} text={t('list.nothingtext')} />
          ) : (
            <Lines items={items} opened={opened} onOpen={setOpened} />
          )}
        </Box>
      )}
      {query.data && query.data.total > 0 ? (
        <Pagination
          state={{ page, size }}
          total={query.data.total}
          onChange={change =>
            put({
              ...(change.size ? { size: String(change.size) } : {}),
              ...(change.page ? { page: String(change.page) } : {}),
            })
          }
        />
      ) : null}
    </Page>
  )
}
