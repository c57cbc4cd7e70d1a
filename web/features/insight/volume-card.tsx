import { Box, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { Card } from '#web/components/card.tsx'
import { Segments } from '#web/components/segments.tsx'
import { numberText } from '#web/format/number.ts'
import { timeIn } from '#web/format/time.ts'
import type { Insight } from './insight-query.ts'
import type { InsightState } from './use-insight-filter.ts'

const token = (name: string): string => `var(--chakra-colors-${name})`
const TICK = { fill: token('fg-subtle'), style: { fontSize: 11 } }
const AXIS = { tick: TICK, tickLine: false, axisLine: false } as const
const TOOLTIP = {
  contentStyle: { background: token('bg-inverted'), border: 'none', borderRadius: 7, fontSize: 12 },
  labelStyle: { color: token('fg-inverted'), fontWeight: 600 },
  itemStyle: { color: token('fg-inverted'), padding: 0 },
} as const
const CHARTS = ['day', 'hour'] as const

interface Point {
  readonly key: string
  readonly label: string
  readonly count: number
  /** The list of its conversations. */
  readonly to: string
}

/** Conversations by day, or by hour of the day as an average; each bar opens its conversations. */
export const VolumeCard = ({ insight, state }: { readonly insight: Insight; readonly state: InsightState }) => {
  const { t, i18n } = useTranslation('insight')
  const navigate = useNavigate()
  const { chart, listOf, filter } = state
  const days = Math.round((Date.parse(filter.to) - Date.parse(filter.from)) / 86_400_000) + 1
  const dayName = (day: string) =>
    timeIn(i18n.language, { day: '2-digit', month: '2-digit' }).format(new Date(`${day}T15:00:00Z`))
  const started = new Map(insight.rows.map(({ key, conversations }) => [key, conversations?.started ?? 0]))
  const points: readonly Point[] =
    chart === 'day'
      ? Array.from({ length: days }, (_, place) =>
          new Date(Date.parse(filter.from) + place * 86_400_000).toISOString().slice(0, 10),
        ).map(day => ({
          key: day,
          label: dayName(day),
          count: started.get(day) ?? 0,
          to: listOf('started', { firstday: day, lastday: day }),
        }))
      : insight.hours.map((count, hour) => {
          const key = String(hour).padStart(2, '0')
          return { key, label: `${hour}h`, count: (count ?? 0) / days, to: listOf(`hour:${key}`) }
        })
  const open = (label: unknown) => {
    const point = points.find(one => one.label === label)
    if (point !== undefined) void navigate(point.to)
  }
  return (
    <Card
      title={t(`volume.${chart}`)}
      beside={
        <HStack>
          <Segments
            label={t('volume.by')}
            value={chart}
            options={CHARTS.map(value => ({ value, label: t(`volume.as${value}`) }))}
            onChange={value => state.put({ chart: value })}
          />
        </HStack>
      }
    >
      <Box className="in-chart">
        <ResponsiveContainer width="100%" height="100%">
          <BarChart
            data={[...points]}
            role="img"
            aria-label={t('volume.described', { title: t(`volume.${chart}`), count: insight.total.started ?? 0 })}
            margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
            barCategoryGap="18%"
            style={{ cursor: 'pointer' }}
            onClick={({ activeLabel }) => open(activeLabel)}
          >
            <CartesianGrid vertical={false} stroke={token('border')} />
            <XAxis dataKey="label" {...AXIS} minTickGap={18} />
            <YAxis
              {...AXIS}
              allowDecimals={chart === 'hour'}
              tickCount={4}
              width={40}
              tickFormatter={n => numberText(Number(n))}
            />
            <Tooltip
              cursor={{ fill: token('bg-subtle') }}
              isAnimationActive={false}
              formatter={n => [numberText(Number(n), { maximumFractionDigits: 1 }), t('name.started')]}
              {...TOOLTIP}
            />
            <Bar
              dataKey="count"
              fill={token('fg-muted')}
              maxBarSize={28}
              radius={[3, 3, 0, 0]}
              isAnimationActive={false}
            />
          </BarChart>
        </ResponsiveContainer>
      </Box>
    </Card>
  )
}
