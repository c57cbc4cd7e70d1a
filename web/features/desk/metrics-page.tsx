import './metrics.css'
import { Box, Button, HStack, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChartColumn, Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { DESK_METRIC_GROUPS } from '#schemas/api/desk-metrics.ts'
import { fileUrl } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Hint } from '#web/components/hint.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { FilterChip } from '#web/entity/list/filter-chip.tsx'
import { SwitchLabel } from '#web/form/control/choice-control.tsx'
import { numberText } from '#web/format/number.ts'
import { durationOf, isoDayOf, longDayOf } from '#web/format/time.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { Page } from '#web/page/page.tsx'
import { useAddress } from '#web/page/use-address.ts'
import { deskSummaryQuery } from '#web/shell/desk-summary.ts'
import { type Metric, type Metrics, type MetricsFilter, metricsQuery } from './desk-query.ts'

const SECOND_MS = 1000
/** Shown in place of a figure that nothing was counted for. */
const NONE = '–'

const METRICS = [
  'requested',
  'givenup',
  'waiting',
  'first',
  'answer',
  'handle',
  'goal',
  'csat',
  'nps',
  'occupancy',
] as const
type MetricName = (typeof METRICS)[number]

const shareText = (part: number, whole: number): string =>
  whole === 0 ? NONE : numberText(part / whole, { style: 'percent', maximumFractionDigits: 0 })

/** People measure their waits in seconds. */
const timeText = (ms: number | null): string =>
  ms === null ? NONE : durationOf(ms === 0 || ms >= SECOND_MS ? ms : SECOND_MS)

/** Net Promoter Score, from −100 to 100. */
const npsText = ({ rated, promoters, detractors }: Metric['nps']): string =>
  rated === 0 ? NONE : numberText(Math.round((100 * (promoters - detractors)) / rated), { signDisplay: 'exceptZero' })

/** A figure in words; `inside`: of the time inside the opening hours. */
const metricText = (metric: Metric, name: MetricName, inside: boolean): string => {
  switch (name) {
    case 'requested':
      return numberText(metric.requested)
    case 'givenup':
      return shareText(metric.givenup, metric.requested)
    case 'goal':
      return shareText(inside ? metric.goal.inside : metric.goal.met, metric.goal.count)
    case 'csat':
      return shareText(metric.csat.good, metric.csat.rated)
    case 'nps':
      return npsText(metric.nps)
    case 'occupancy':
      return metric.occupancy === null ? NONE : shareText(metric.occupancy.busy, metric.occupancy.available)
    default: {
      const time = inside ? metric[name].inside : metric[name]
      return timeText(name === 'handle' ? time.mean : time.p50)
    }
  }
}

/** Detail of a figure: its count, or the time that a tenth exceeds. */
const metricDetail = (
  metric: Metric,
  name: MetricName,
  inside: boolean,
): { readonly key: string; readonly values: Readonly<Record<string, string | number>> } | undefined => {
  switch (name) {
    case 'givenup':
      return metric.givenup === 0
        ? undefined
        : { key: 'givenup', values: { count: metric.givenup, shown: numberText(metric.givenup) } }
    case 'goal':
      return metric.goal.count === 0 ? undefined : { key: 'goal', values: { of: numberText(metric.goal.count) } }
    case 'csat':
    case 'nps': {
      const { rated, asked } = metric[name]
      return asked === 0 ? undefined : { key: 'rated', values: { rated: numberText(rated), asked: numberText(asked) } }
    }
    case 'waiting':
    case 'first':
    case 'answer': {
      const { p90 } = inside ? metric[name].inside : metric[name]
      return p90 === null ? undefined : { key: 'p90', values: { time: timeText(p90) } }
    }
    default:
      return undefined
  }
}

/** Figures that a table of a grouping has: chats of nobody are no agent's, and available time belongs to no queue. */
const metricsBy = (by: string, hasNps: boolean): readonly MetricName[] =>
  METRICS.filter(
    name =>
      (name !== 'givenup' || by !== 'agent') &&
      (name !== 'occupancy' || by === 'agent' || by === 'day') &&
      (name !== 'nps' || hasNps),
  )

const DAYS = ['7', '14', '30', '90'] as const
const DAY_MS = 86_400_000

/** Days, grouping and queue of the page, in the address. */
const useMetricsFilter = () => {
  const { params, put } = useAddress()
  const days = DAYS.find(one => one === params.get('days')) ?? '14'
  const by = DESK_METRIC_GROUPS.find(one => one === params.get('by')) ?? 'day'
  const queue = params.get('queue') ?? undefined
  const inside = params.get('hours') === 'open'
  const now = Date.now()
  const filter: MetricsFilter = {
    from: isoDayOf(now - (Number(days) - 1) * DAY_MS),
    to: isoDayOf(now),
    by,
    ...(queue === undefined ? {} : { queue }),
  }
  return { days, by, queue, inside, filter, put }
}

/** Name of a figure; its definition is shown on hover and focus, and read with it. */
const MetricTitle = ({ name }: { readonly name: MetricName }) => {
  const { t } = useTranslation('desk')
  return (
    <Hint text={t(`metrics.definition.${name}`)}>
      <button type="button" className="dk-metric-title">
        {t(`metrics.name.${name}`)}
      </button>
    </Hint>
  )
}

interface FigureProps {
  readonly metric: Metric
  readonly name: MetricName
  readonly inside: boolean
}

const Detail = ({ metric, name, inside }: FigureProps) => {
  const { t } = useTranslation('desk')
  const detail = metricDetail(metric, name, inside)
  return detail === undefined ? null : (
    <span className="dk-metric-detail">{t(`metrics.detail.${detail.key}`, detail.values)}</span>
  )
}

/** Figures of all chats together. */
const Totals = ({
  total,
  inside,
  names,
}: {
  readonly total: Metric
  readonly inside: boolean
  readonly names: readonly MetricName[]
}) => (
  <dl className="dk-totals">
    {names.map(name => (
      <div key={name}>
        <dt>
          <MetricTitle name={name} />
        </dt>
        <dd>
          <b>{metricText(total, name, inside)}</b>
          <Detail metric={total} name={name} inside={inside} />
        </dd>
      </div>
    ))}
  </dl>
)

const Table = ({ metrics, inside }: { readonly metrics: Metrics; readonly inside: boolean }) => {
  const { t } = useTranslation('desk')
  const { by, rows, total } = metrics
  const names = metricsBy(by, total.nps.asked > 0)
  const nameOf = ({ key, name }: Metrics['rows'][number]): string => {
    if (by === 'day') return longDayOf(key)
    if (by !== 'reason') return name
    return name || t(`metrics.ending.${key === '' ? 'open' : key}`, { defaultValue: key })
  }
  return (
    <Box className="dk-table" role="region" aria-label={t(`metrics.by.${by}`)} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t(`metrics.by.${by}`)}</th>
            {names.map(name => (
              <th key={name} scope="col">
                <MetricTitle name={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.key}>
              <th scope="row">{nameOf(row)}</th>
              {names.map(name => (
                <td key={name} data-label={t(`metrics.name.${name}`)}>
                  {metricText(row, name, inside)}
                  <Detail metric={row} name={name} inside={inside} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}

type FilterState = ReturnType<typeof useMetricsFilter>

const Filters = ({ days, by, queue, inside, put }: FilterState) => {
  const { t } = useTranslation('desk')
  const queues = useQuery(deskSummaryQuery).data?.queues ?? []
  return (
    <HStack gap="2" rowGap="2" flexWrap="wrap" mb="3">
      <Segments
        label={t('metrics.days')}
        value={days}
        options={DAYS.map(value => ({ value, label: t('metrics.lastdays', { count: Number(value) }) }))}
        onChange={value => put({ days: value })}
      />
      <Segments
        label={t('metrics.group')}
        value={by}
        options={DESK_METRIC_GROUPS.map(value => ({ value, label: t(`metrics.by.${value}`) }))}
        onChange={value => put({ by: value })}
      />
      {queues.length > 1 || queue !== undefined ? (
        <FilterChip
          title={t('filter.queue')}
          value={queue}
          options={queues.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={value => put({ queue: value })}
        />
      ) : null}
      <SwitchLabel
        label={t('metrics.inside')}
        line={{ minH: { base: '11', md: '8' }, textStyle: 'dense' }}
        value={inside}
        onChange={value => put({ hours: value ? 'open' : '' })}
      />
    </HStack>
  )
}

/** /desk/metrics: figures of the desk by day, queue, agent and subject. */
export const MetricsPage = () => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const state = useMetricsFilter()
  const { filter, inside } = state
  const metrics = useQuery({ ...metricsQuery(filter), enabled: can('showdesk') })
  if (!can('showdesk')) return <ErrorMessage code="403" />
  const { data } = metrics
  const isEmpty = data !== undefined && data.total.requested === 0 && data.rows.length === 0
  return (
    <Page
      title={t('metrics.title')}
      name={t('metrics.title')}
      purpose={data?.own === true ? t('metrics.own') : t('metrics.purpose')}
      actions={
        can('exportdesk') ? (
          <Button asChild variant="outline" size="sm">
            <a href={fileUrl('/desk/metrics/export', { query: filter })} download>
              <Download size={15} aria-hidden="true" />
              {t('metrics.export')}
            </a>
          </Button>
        ) : undefined
      }
    >
      <Filters {...state} />
      {data === undefined ? (
        metrics.error ? (
          <ErrorState error={metrics.error} onRetry={() => void metrics.refetch()} />
        ) : (
          <RowsSkeleton rows={6} />
        )
      ) : isEmpty ? (
        <EmptyState icon={ChartColumn} title={t('metrics.empty')} text={t('metrics.emptytext')}>
          <Button asChild variant="outline">
            <Link to="/desk">{t('title')}</Link>
          </Button>
        </EmptyState>
      ) : (
        <>
          <Totals
            total={data.total}
            inside={inside}
            names={metricsBy(data.own ? 'agent' : 'day', data.total.nps.asked > 0)}
          />
          <Box mt="3" bg="bg.surface" borderWidth="1px" borderRadius="lg" overflow="hidden">
            <Table metrics={data} inside={inside} />
          </Box>
          <VisuallyHidden role="status">{t('metrics.shown', { count: data.rows.length })}</VisuallyHidden>
        </>
      )}
    </Page>
  )
}
