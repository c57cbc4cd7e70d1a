import { useTranslation } from 'react-i18next'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { CHART_HEIGHT } from './chart-card.tsx'
import { dayName, shortDay } from './day-name.ts'

export interface Series {
  /** Unique within its chart: it names the series in tooltip and legend. */
  readonly name: string
  readonly counts: readonly number[]
  /** CSS color. */
  readonly color: string
}

interface Props {
  /** What the chart shows, in a sentence. */
  readonly description: string
  readonly days: readonly string[]
  readonly series: readonly Series[]
}

export const token = (name: string): string => `var(--chakra-colors-${name})`

const TICK = { fill: token('fg-subtle'), style: { fontSize: 11 } }
const MIN_TICK_GAP = 18
const MAX_BAR = 28

/** Counts per day as stacked bars. */
export const DayBars = ({ description, days, series }: Props) => {
  const { i18n } = useTranslation()
  const points = days.map((day, at) => ({ day, counts: series.map(({ counts }) => counts[at] ?? 0) }))
  return (
    <ResponsiveContainer width="100%" height={CHART_HEIGHT}>
      <BarChart
        data={points}
        role="img"
        aria-label={description}
        margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        barCategoryGap="18%"
      >
        <CartesianGrid vertical={false} stroke={token('border')} />
        <XAxis
          dataKey="day"
          tickFormatter={shortDay}
          tick={TICK}
          tickLine={false}
          axisLine={false}
          minTickGap={MIN_TICK_GAP}
        />
        <YAxis allowDecimals={false} tick={TICK} tickLine={false} axisLine={false} tickCount={4} width={36} />
        <Tooltip
          cursor={{ fill: token('bg-subtle') }}
          isAnimationActive={false}
          labelFormatter={day => dayName(String(day), i18n.language)}
          contentStyle={{
            background: token('bg-inverted'),
            border: 'none',
            borderRadius: 7,
            fontSize: 12,
          }}
          labelStyle={{ color: token('fg-inverted'), fontWeight: 600 }}
          itemStyle={{ color: token('fg-inverted'), padding: 0 }}
        />
        {series.map(({ name, color }, at) => (
          <Bar
            key={name}
            dataKey={({ counts }: (typeof points)[number]) => counts[at] ?? 0}
            name={name}
            stackId="day"
            fill={color}
            stroke={series.length > 1 ? token('bg-surface') : 'none'}
            maxBarSize={MAX_BAR}
            isAnimationActive={false}
          />
        ))}
      </BarChart>
    </ResponsiveContainer>
  )
}
