import { Box, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { http } from '#web/api/http.ts'
import { minuteOf } from '#web/format/time.ts'

const REFRESH_MS = 15_000
const HOUR_MS = 3_600_000
const HOURS = 24
const HEIGHT_PX = 40
const LOW_PX = 2

/** Begin of the day of the browser's clock. */
const midnight = (): number => new Date().setHours(0, 0, 0, 0)

interface CountProps {
  readonly label: string
  readonly count: number
  readonly isBad?: boolean
}

const Count = ({ label, count, isBad = false }: CountProps) => {
  const { i18n } = useTranslation()
  return (
    <Box flex="1" minW="0">
      <Text textStyle="title" fontVariantNumeric="tabular-nums" {...(isBad ? { color: 'danger.fg' } : {})}>
        {count.toLocaleString(i18n.language)}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {label}
      </Text>
    </Box>
  )
}

/** Messages of a channel since midnight: counts, and a bar for each hour. */
export const TodayActivity = ({ row }: { readonly row: RowOf<'channel'> }) => {
  const { t } = useTranslation('entity/channel')
  const { data } = useQuery({
    queryKey: ['channel', 'activity', row.id],
    queryFn: ({ signal }) =>
      http.get('/channel/{id}/activity', {
        params: { id: row.id },
        query: { from: new Date(midnight()).toISOString() },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  })
  if (data === undefined) return null
  const { hours, in: received, out, failed } = data
  const totals = hours.map(hour => hour.in + hour.out + hour.failed)
  const most = Math.max(1, ...totals)
  const begin = midnight()
  return (
    <>
      <Text as="h3" textStyle="card" mb="2">
        {t('today.title')}
      </Text>
      <HStack gap="3" align="start">
        <Count label={t('today.in')} count={received} />
        <Count label={t('today.out')} count={out} />
        <Count label={t('today.failed')} count={failed} isBad={failed > 0} />
      </HStack>
      {received + out + failed === 0 ? (
        <Text textStyle="secondary" color="fg.muted" mt="2">
          {t('today.none')}
        </Text>
      ) : (
        <HStack
          role="img"
          aria-label={t('today.counts', { in: received, out, failed })}
          gap="2px"
          align="end"
          h={`${HEIGHT_PX}px`}
          mt="3"
        >
          {Array.from({ length: Math.max(HOURS, hours.length) }, (_, at) => {
            const hour = hours[at]
            const from = new Date(begin + at * HOUR_MS).toISOString()
            const share = (totals[at] ?? 0) / most
            return (
              <Box
                key={from}
                flex="1"
                borderRadius="2px"
                title={hour === undefined ? undefined : t('today.hour', { ...hour, from: minuteOf(from) })}
                bg={
                  hour === undefined
                    ? 'border'
                    : hour.failed > 0
                      ? 'danger.solid'
                      : at === hours.length - 1
                        ? 'fg'
                        : 'fg.subtle'
                }
                h={`${LOW_PX + Math.round(share * (HEIGHT_PX - LOW_PX))}px`}
              />
            )
          })}
        </HStack>
      )}
      <HStack justify="space-between" textStyle="secondary" color="fg.muted" aria-hidden="true" mt="1">
        {[0, 6, 12, 18, 24].map(hour => (
          <span key={hour}>{String(hour).padStart(2, '0')}</span>
        ))}
      </HStack>
    </>
  )
}
