import { HStack, Text, Wrap } from '@chakra-ui/react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Bar, BarChart, CartesianGrid, Cell, ReferenceArea, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { CHART_HEIGHT, ChartCard, type ChartTable, Patterns, patternId, Swatch } from './chart-card.tsx'
import { type AuditQuery, dayInAudit, dayName, isWeekend, shortDay } from './dashboard-query.ts'

interface Series {
  /** Unique within its chart: it names the series in tooltip and legend. */
  readonly name: string
  readonly counts: readonly number[]
  /** CSS color. */
  readonly color: string
  /** Number of earlier series of the same color: selects another pattern. */
  readonly repeat?: number
  /** Audit filter of the series, in addition to its chart's. */
  readonly query?: AuditQuery
}

interface Props {
  /** One sentence about the chart. */
  readonly description: string
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** A day, or one series of it, was clicked. */
  readonly onOpen?: ((day: string, query?: AuditQuery) => void) | undefined
}

export const token = (name: string): string => `var(--chakra-colors-${name})`
/** Of a chart with one series. */
export const INK = token('fg-muted')

const TICK = { fill: token('fg-subtle'), style: { fontSize: 11 } }
const AXIS = { tick: TICK, tickLine: false, axisLine: false } as const
const WEEKEND = { fill: token('fg'), fillOpacity: 0.06 } as const
/** Of the bars of weekends. */
const WEEKEND_OPACITY = 0.5
const TOOLTIP = {
  contentStyle: { background: token('bg-inverted'), border: 'none', borderRadius: 7, fontSize: 12 },
  labelStyle: { color: token('fg-inverted'), fontWeight: 600 },
  itemStyle: { color: token('fg-inverted'), padding: 0 },
} as const
const MIN_TICK_GAP = 18
const MAX_BAR = 28

/** Counts per day as stacked bars. */
const DayBars = ({ description, days, series, onOpen }: Props) => {
  const { i18n } = useTranslation()
  const patterns = useId()
  const points = days.map((day, at) => ({ day, counts: series.map(({ counts }) => counts[at] ?? 0) }))
  return (
    <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
      <BarChart
        data={points}
        role="img"
        aria-label={description}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="18%"
        {...(onOpen === undefined ? {} : { style: { cursor: 'pointer' } })}
        onClick={({ activeLabel }) => {
          if (typeof activeLabel === 'string') onOpen?.(activeLabel)
        }}
      >
        {days.filter(isWeekend).map(day => (
          <ReferenceArea key={day} x1={day} x2={day} {...WEEKEND} />
        ))}
        <CartesianGrid vertical={false} stroke={token('border')} />
        <XAxis dataKey="day" tickFormatter={shortDay} {...AXIS} minTickGap={MIN_TICK_GAP} />
        <YAxis allowDecimals={false} {...AXIS} tickCount={4} width={36} />
        <Tooltip
          cursor={{ fill: token('bg-subtle') }}
          isAnimationActive={false}
          labelFormatter={day => dayName(String(day), i18n.language)}
          {...TOOLTIP}
        />
        <Patterns id={patterns} series={series} />
        {series.map(({ name, color, repeat = 0, query }, at) => (
          <Bar
            key={name}
            dataKey={({ counts }: (typeof points)[number]) => counts[at] ?? 0}
            name={name}
            stackId="day"
            fill={repeat === 0 ? color : `url(#${patternId(patterns, at)})`}
            stroke={series.length > 1 ? token('bg-surface') : 'none'}
            maxBarSize={MAX_BAR}
            isAnimationActive={false}
            onClick={({ payload }, _index, event) => {
              if (onOpen === undefined || query === undefined) return
              event.stopPropagation()
              onOpen(payload.day, query)
            }}
          >
            {days.map(day => (
              <Cell key={day} fillOpacity={isWeekend(day) ? WEEKEND_OPACITY : 1} />
            ))}
          </Bar>
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}

const sum = (counts: readonly number[]): number => counts.reduce((total, n) => total + n, 0)

/** Names as they are; a name that several have is numbered from its second on. */
export const uniqueNames = (names: readonly string[]): readonly string[] =>
  names.map((name, at) => {
    const before = names.slice(0, at).filter(other => other === name).length
    return before === 0 ? name : `${name} (${before + 1})`
  })

/** One row per day, newest first. */
export const dailyTable = (day: string, days: readonly string[], series: readonly Series[]): ChartTable => ({
  columns: [day, ...series.map(({ name }) => name)],
  rows: days.map((date, at) => [date, ...series.map(({ counts }) => counts[at] ?? 0)] as const).toReversed(),
})

/** The day with the greatest sum of all series; undefined where every count is zero. */
export const busiestDay = (
  days: readonly string[],
  series: readonly Series[],
): { readonly day: string; readonly count: number } | undefined => {
  const ranked = days
    .map((day, at) => ({ day, count: sum(series.map(({ counts }) => counts[at] ?? 0)) }))
    .toSorted((one, other) => other.count - one.count)
  const [best] = ranked
  return best !== undefined && best.count > 0 ? best : undefined
}

interface DayCardProps {
  readonly title: string
  /** Name of its CSV file, before the number of days. */
  readonly file: string
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** Under the chart; a legend where several series have none. */
  readonly legend?: ReactNode
  /** Instead of the total: active editors are no sum. */
  readonly beside?: string
  /** Filter of the audit that shows what is counted; without it the bars lead nowhere. */
  readonly drillDown?: AuditQuery | undefined
}

const Legend = ({ series }: { readonly series: readonly Series[] }) => (
  <Wrap gap="4" rowGap="1" mt="2" textStyle="secondary" aria-hidden="true">
    {series.map(({ name, color }) => (
      <HStack key={name} gap="1.5">
        <Swatch color={color} />
        <Text>{name}</Text>
      </HStack>
    ))}
  </Wrap>
)

/** Counts per day. */
export const DayCard = ({ title, file, days, series, legend, beside, drillDown }: DayCardProps) => {
  const { t } = useTranslation('tool')
  const navigate = useNavigate()
  const total = sum(series.flatMap(({ counts }) => counts))
  const best = busiestDay(days, series)
  const period = t('dashboard.period', { count: days.length })
  const said = beside ?? t('dashboard.total', { count: total, total })
  const addressOf = drillDown && ((day: string, own: AuditQuery = {}) => dayInAudit(day, { ...drillDown, ...own }))
  const description =
    best === undefined
      ? `${title}: ${t('dashboard.nothing', { period })}`
      : t('dashboard.sentence', { title, said, period, day: shortDay(best.day), most: best.count })
  return (
    <ChartCard
      title={title}
      beside={said}
      file={`${file}-${days.length}`}
      table={dailyTable(t('dashboard.day'), days, series)}
      rowAddress={addressOf}
      empty={best === undefined ? t('dashboard.nothing', { period }) : undefined}
    >
      <DayBars
        description={description}
        days={days}
        series={series}
        onOpen={addressOf && ((day, own) => void navigate(addressOf(day, own)))}
      />
      <Text textStyle="secondary" color="fg.subtle" mt="1">
        {t(drillDown === undefined ? 'dashboard.weekends' : 'dashboard.weekendsanddays')}
      </Text>
      {legend ?? (series.length > 1 ? <Legend series={series} /> : null)}
    </ChartCard>
  )
}
