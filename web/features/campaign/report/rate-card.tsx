import { Box, chakra, HStack, Text } from '@chakra-ui/react'
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

const Chart = ({ minutes, limit }: { readonly minutes: readonly number[]; readonly limit: number }) => {
  const top = Math.max(...minutes, 1)
  // A limit far above what is sent would press the curve flat.
  const scale = limit <= top * 4 ? Math.max(top, limit) : top
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
        <Chart minutes={minutes} limit={limit} />
        <HStack justify="space-between" textStyle="secondary" color="fg.subtle" fontVariantNumeric="tabular-nums">
          <span>{minuteOf(new Date(since).toISOString())}</span>
          <span>{minuteOf(new Date(now).toISOString())}</span>
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
