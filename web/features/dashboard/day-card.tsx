import { HStack, Text, Wrap } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { ChartCard, Swatch } from './chart-card.tsx'
import { type AuditQuery, dayInAudit, shortDay } from './dashboard-query.ts'
import { busiestDay, DayBars, dailyTable, type Series, sum } from './day-bars.tsx'

interface Props {
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
export const DayCard = ({ title, file, days, series, legend, beside, drillDown }: Props) => {
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
