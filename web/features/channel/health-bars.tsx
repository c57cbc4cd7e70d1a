import { Box, Center, HStack } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { momentOf } from '#web/format/time.ts'
import type { Health } from './health-query.ts'

const HOUR_MS = 3_600_000
const HEIGHT_PX = 28
/** An hour without messages is still visible as an hour. */
const LOW_PX = 3

interface Props {
  readonly health: Health
  /** Messages of the busiest hour of all shown channels: one scale for the whole list. */
  readonly most: number
}

/** Messages of the last 24 hours, one bar an hour; hours with failures are red. */
export const HealthBars = ({ health: { hours, lastin, lastout }, most }: Props) => {
  const { t } = useTranslation('entity/channel')
  const sum = (kind: 'in' | 'out' | 'failed') => hours.reduce((total, hour) => total + hour[kind], 0)
  const counts = { in: sum('in'), out: sum('out'), failed: sum('failed') }
  const last = [lastin, lastout]
    .filter(time => time !== null)
    .sort()
    .at(-1)
  if (counts.in + counts.out + counts.failed === 0)
    return (
      <Center h="7" borderWidth="1px" borderStyle="dashed" borderRadius="md" textStyle="secondary" color="fg.muted">
        {last === undefined ? t('health.none') : momentOf(last)}
      </Center>
    )
  const now = Date.now()
  return (
    <HStack
      role="img"
      aria-label={t('health.bars', counts)}
      gap="2px"
      align="end"
      h={`${HEIGHT_PX}px`}
      minW="0"
      justify="space-between"
    >
      {hours.map((hour, at) => {
        const share = Math.min(1, (hour.in + hour.out + hour.failed) / Math.max(1, most))
        const from = new Date(now - (hours.length - at) * HOUR_MS).toISOString()
        return (
          <Box
            key={from}
            flex="1"
            maxW={{ base: 'none', md: '6px' }}
            borderRadius="2px"
            title={t('health.hour', { ...hour, from: momentOf(from) })}
            bg={hour.failed > 0 ? 'danger.solid' : at === hours.length - 1 ? 'fg' : 'fg.subtle'}
            h={`${LOW_PX + Math.round(share * (HEIGHT_PX - LOW_PX))}px`}
          />
        )
      })}
    </HStack>
  )
}
