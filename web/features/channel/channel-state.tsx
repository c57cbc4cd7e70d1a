import { HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed, CircleOff, KeyRound, Moon, Square, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { channelType } from '#schemas/channel-type.ts'
import type { RowOf } from '#schemas/row.ts'
import { Chip } from '#web/components/chip.tsx'
import { Hint } from '#web/components/hint.tsx'
import { useEntityTexts } from '#web/entity/label.ts'
import { dayOf, minuteOf } from '#web/format/time.ts'
import { botHealthQuery, type Health, TONE, useCause } from './health-query.ts'

const ICONS = {
  off: CircleOff,
  incomplete: CircleDashed,
  stopped: Square,
  error: CircleAlert,
  failing: CircleAlert,
  warning: TriangleAlert,
  new: CircleDashed,
  quiet: Moon,
  ok: CircleCheck,
} as const satisfies Readonly<Record<Health['state'], typeof CircleOff>>

/** The time of today, else the day. */
const beginOf = (since: string): string =>
  dayOf(since) === dayOf(new Date().toISOString()) ? minuteOf(since) : dayOf(since)

/** State of a channel with its icon, and since when it fails. */
export const StateChip = ({
  health: { state, since },
  isOnTint = false,
}: {
  readonly health: Pick<Health, 'state' | 'since'>
  /** On a background of the same colour. */
  readonly isOnTint?: boolean
}) => {
  const { t } = useTranslation('entity/channel')
  const Icon = ICONS[state]
  return (
    <Chip tone={TONE[state]} {...(isOnTint ? { bg: 'bg.surface' } : {})} icon={Icon}>
      {t(`health.state.${state}`)}
      {since === null ? null : ` ${t('health.since', { time: beginOf(since) })}`}
    </Chip>
  )
}

/** State of a channel in a list; all channels of a bot are read by one call. */
export const StateCell = ({ row }: { readonly row: RowOf<'channel'> }) => {
  useEntityTexts(['channel'])
  const cause = useCause()
  const { data } = useQuery(botHealthQuery(row.bot))
  const health = data?.items.find(({ id }) => id === row.id)
  if (health === undefined)
    return (
      <Text as="span" color="fg.subtle">
        –
      </Text>
    )
  return health.code === '' ? (
    <StateChip health={health} />
  ) : (
    <Hint text={cause(health, row)}>
      <span>
        <StateChip health={health} />
      </span>
    </Hint>
  )
}

const DAY_MS = 86_400_000
const SOON_DAYS = 14

interface Props {
  readonly row: RowOf<'channel'>
  readonly health: Health
}

/** Days until the token ends, as far as the provider says. */
export const TokenText = ({ row: { type }, health: { tokenends: ends } }: Props) => {
  const { t } = useTranslation('entity/channel')
  const days = ends === null ? undefined : Math.ceil((Date.parse(ends) - Date.now()) / DAY_MS)
  const [text, color] =
    channelType(type)?.token === undefined
      ? [t('health.notoken'), 'fg.muted']
      : days === undefined
        ? ['–', 'fg.muted']
        : days <= 0
          ? [t('health.ended'), 'danger.fg']
          : [t('health.ends', { count: days }), days <= SOON_DAYS ? 'warning.fg' : 'fg']
  return (
    <HStack
      as="span"
      gap="1"
      title={days === undefined ? t('health.noend') : undefined}
      color={color}
      fontWeight={days !== undefined && days <= SOON_DAYS ? 'semibold' : 'normal'}
    >
      <KeyRound size={12} aria-hidden="true" style={{ flex: 'none' }} />
      <Text as="span">{text}</Text>
    </HStack>
  )
}
