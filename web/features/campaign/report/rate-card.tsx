import { Box, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { Card } from '#web/components/card.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { type HistoryItem, historyQuery } from '#web/entity/entity-query.ts'
import { minuteOf } from '#web/format/time.ts'
import type { Statistics } from './campaign-query.ts'
import { countText } from './delivery.ts'

const WIDTH = 320
const HEIGHT = 120
const MINUTE_MS = 60_000
const HOUR = 60

interface Pause {
  readonly from: string
  /** Absent while it lasts. */
  readonly to: string | undefined
  readonly name: string
}

/** Pauses that people made, of the history that is newest first. */
const pausesOf = (items: readonly HistoryItem[], since: number): readonly Pause[] => {
  const pauses: Pause[] = []
  for (const item of items.toReversed()) {
    const open = pauses.at(-1)
    if (item.action === 'paused') pauses.push({ from: item.time, to: undefined, name: nameOf(item.actor) })
    else if (open !== undefined && open.to === undefined && /^(?:resumed|cancelled)$/u.test(item.action))
      pauses[pauses.length - 1] = { ...open, to: item.time }
  }
  return pauses.filter(({ from, to }) => Date.parse(to ?? from) >= since)
}

const PauseLine = ({ pause: { from, to, name } }: { readonly pause: Pause }) => {
  const { t } = useTranslation('campaign')
  return (
    <Text as="li">
      {to === undefined
        ? t('rate.pausedsince', { name, from: minuteOf(from) })
        : t('rate.paused', { name, from: minuteOf(from), to: minuteOf(to) })}
    </Text>
  )
}

/** Messages of each of the last 60 minutes: the minutes without one are zero. */
const lastHour = (rate: Statistics['rate'], now: number): readonly number[] => {
  const by = new Map(rate.map(({ at, count }) => [Math.floor(Date.parse(at) / MINUTE_MS), count]))
  const last = Math.floor(now / MINUTE_MS)
  return Array.from({ length: HOUR }, (_, at) => by.get(last - HOUR + 1 + at) ?? 0)
}

/** Messages a minute at the top of the chart. A limit far above what is sent would press the curve flat. */
const scaleOf = (minutes: readonly number[], limit: number): number => {
  const top = Math.max(...minutes, 1)
  return limit <= top * 4 ? Math.max(top, limit) : top
}

interface ChartProps {
  readonly minutes: readonly number[]
  readonly limit: number
  readonly scale: number
}

const Chart = ({ minutes, limit, scale }: ChartProps) => {
  const x = (at: number) => (at / (minutes.length - 1)) * WIDTH
  const y = (count: number) => HEIGHT - (count / scale) * (HEIGHT - 8)
  const line = minutes.map((count, at) => `${x(at).toFixed(1)},${y(count).toFixed(1)}`).join(' ')
  return (
    <chakra.svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} w="100%" h="120px" preserveAspectRatio="none" aria-hidden="true">
      <chakra.polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} fill="bg.sunken" />
      <chakra.polyline points={line} fill="none" stroke="fg" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      {limit <= scale ? (
        <chakra.line
          x1="0"
          x2={WIDTH}
          y1={y(limit)}
          y2={y(limit)}
          stroke="warning.solid"
          strokeWidth="1.5"
          strokeDasharray="6 4"
          vectorEffect="non-scaling-stroke"
        />
      ) : null}
    </chakra.svg>
  )
}

/** Messages a minute of the last hour, with the limit and who paused. */
export const RateCard = ({ row, rate }: { readonly row: RowOf<'campaign'>; readonly rate: Statistics['rate'] }) => {
  const { t } = useTranslation('campaign')
  const now = Date.now()
  const since = now - HOUR * MINUTE_MS
  const { data: items } = useQuery({ ...historyQuery('campaign', row.id), staleTime: 5000 })
  const minutes = lastHour(rate, now)
  const limit = Number(row.rate ?? 0) * 60
  const pauses = items === undefined ? [] : pausesOf(items, since)
  const most = Math.max(...minutes)
  const scale = scaleOf(minutes, limit)
  return (
    <Card
      title={t('rate.title')}
      beside={
        <HStack gap="2" textStyle="secondary" color="fg.muted">
          <Box w="5" borderTopWidth="2px" borderStyle="dashed" borderColor="warning.solid" />
          {t('rate.limit', { limit: countText(limit) })}
        </HStack>
      }
    >
      <Box px="4" pb="3">
        <Text textStyle="secondary" color="fg.muted" mb="2">
          {most === 0 ? t('rate.none') : t('rate.most', { count: most, rate: countText(most) })}
        </Text>
        <HStack gap="2" align="flex-start" textStyle="secondary" color="fg.subtle" fontVariantNumeric="tabular-nums">
          <Flex direction="column" justify="space-between" textAlign="end" h="120px" lineHeight="1" aria-hidden="true">
            {[scale, scale / 2, 0].map(value => (
              <span key={value}>{Number.isInteger(value) ? countText(value) : ''}</span>
            ))}
          </Flex>
          <Box flex="1" minW="0">
            <Chart minutes={minutes} limit={limit} scale={scale} />
            <HStack justify="space-between">
              <span>{minuteOf(new Date(since).toISOString())}</span>
              <span>{minuteOf(new Date(now).toISOString())}</span>
            </HStack>
          </Box>
        </HStack>
        {pauses.length === 0 ? null : (
          <chakra.ul listStyleType="none" textStyle="secondary" color="fg.muted" mt="2">
            {pauses.map(pause => (
              <PauseLine key={pause.from} pause={pause} />
            ))}
          </chakra.ul>
        )}
      </Box>
    </Card>
  )
}
