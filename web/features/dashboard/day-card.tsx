import { Box, HStack, Text, Wrap } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { busiestDay, dailyTable, sum } from './activity.ts'
import { ChartCard } from './chart-card.tsx'
import { DayBars, type Series } from './day-bars.tsx'
import { shortDay } from './day-name.ts'

interface Props {
  /** Translation key under `tool:dashboard.card`, and name of its CSV file. */
  readonly name: string
  readonly days: readonly string[]
  readonly series: readonly Series[]
  /** Under the chart; a legend where several series have none. */
  readonly legend?: ReactNode
  /** Instead of the total: active editors are no sum. */
  readonly beside?: string
}

const Legend = ({ series }: { readonly series: readonly Series[] }) => (
  <Wrap gap="4" rowGap="1" mt="2" textStyle="secondary" aria-hidden="true">
    {series.map(({ name, color }) => (
      <HStack key={name} gap="1.5">
        <Box boxSize="2.5" borderRadius="xs" style={{ background: color }} />
        <Text>{name}</Text>
      </HStack>
    ))}
  </Wrap>
)

/** Counts per day. */
export const DayCard = ({ name, days, series, legend, beside }: Props) => {
  const { t } = useTranslation('tool')
  const total = sum(series.flatMap(({ counts }) => counts))
  const best = busiestDay(days, series)
  const title = t(`dashboard.card.${name}`)
  const period = t('dashboard.period', { count: days.length })
  const said = beside ?? t('dashboard.total', { count: total, total })
  const description =
    best === undefined
      ? `${title}: ${t('dashboard.nothing', { period })}`
      : t('dashboard.sentence', { title, said, period, day: shortDay(best.day), most: best.count })
  return (
    <ChartCard
      title={title}
      beside={said}
      file={`dashboard-${name}-${days.length}`}
      table={dailyTable(t('dashboard.day'), days, series)}
      empty={best === undefined ? t('dashboard.nothing', { period }) : undefined}
    >
      <DayBars description={description} days={days} series={series} />
      {legend ?? (series.length > 1 ? <Legend series={series} /> : null)}
    </ChartCard>
  )
}
