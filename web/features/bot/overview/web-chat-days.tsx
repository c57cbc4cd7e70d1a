import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { numberText } from '#web/format/number.ts'
import { dayOf } from '#web/format/time.ts'
import { type Overview, overviewQuery } from './overview-query.ts'

type Days = NonNullable<Overview['webchat']>['days']

/** View box of the line, with room for the dot at its end. */
const WIDTH = 180
const HEIGHT = 28
const DOT = 3

/** Conversations of the last days as a line. */
const Sparkline = ({ days, label }: { readonly days: Days; readonly label: string }) => {
  const most = Math.max(1, ...days.map(({ started }) => started ?? 0))
  const points = days.map(({ started }, at) => ({
    x: DOT + (at * (WIDTH - 2 * DOT)) / Math.max(1, days.length - 1),
    y: HEIGHT - DOT - ((started ?? 0) * (HEIGHT - 2 * DOT)) / most,
  }))
  const last = points.at(-1)
  return (
    <chakra.svg role="img" aria-label={label} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} w={`${WIDTH}px`} maxW="100%" h="auto">
      <title>{label}</title>
      <chakra.polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        fill="none"
        stroke="fg.muted"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      {last === undefined ? null : <chakra.circle cx={last.x} cy={last.y} r={DOT} fill="accent.solid" />}
    </chakra.svg>
  )
}

/** Conversations by web chat in the last days, and when the first one came. Nothing before it. */
export const WebChatDays = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('overview')
  const { first = null, days = [] } = useQuery(overviewQuery(bot)).data?.webchat ?? {}
  if (first === null) return null
  const isHidden = days.some(({ started }) => started === null)
  const count = days.reduce((sum, { started }) => sum + (started ?? 0), 0)
  const total = isHidden
    ? t('webchat.somedays', { days: days.length })
    : t('webchat.indays', { count, shown: numberText(count), days: days.length })
  return (
    <HStack gap="3" flexWrap="wrap" w="full">
      {isHidden ? null : <Sparkline days={days} label={total} />}
      <Box minW="0">
        <Text textStyle="secondary">{total}</Text>
        <Text textStyle="secondary" color="fg.muted">
          {t('webchat.since', { day: dayOf(first) })}
        </Text>
      </Box>
    </HStack>
  )
}
