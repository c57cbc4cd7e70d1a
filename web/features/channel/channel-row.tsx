import { Box, Center, Grid, HStack, Text } from '@chakra-ui/react'
import {
  Building2,
  Code,
  Globe,
  Headset,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  PanelRight,
  Phone,
  Send,
  Store,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { IconButton } from '#web/components/hint.tsx'
import { useLabel } from '#web/entity/label.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { ActButton } from './act-button.tsx'
import { StateChip, TokenText } from './channel-state.tsx'
import { type Health, isInGroup, TONE, useCause } from './health-query.ts'

const HOUR_MS = 3_600_000
const HEIGHT_PX = 28
/** An hour without messages is still visible as an hour. */
const LOW_PX = 3

interface HealthBarsProps {
  readonly health: Health
  /** Messages of the busiest hour of all shown channels: one scale for the whole list. */
  readonly most: number
}

/** Messages of the last 24 hours, one bar an hour; hours with failures are red. */
const HealthBars = ({ health: { hours, lastin, lastout }, most }: HealthBarsProps) => {
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

const ICONS: Readonly<Record<string, LucideIcon>> = {
  webchat: Globe,
  facebook: MessagesSquare,
  instagram: MessageCircle,
  microsoft: Building2,
  telegram: Send,
  rest: Code,
  blip: Headset,
  marketplace: Store,
}

export const nameOf = (row: RowOf<'channel'>, type: string): string => row.name || type

interface FactProps {
  readonly label: string
  readonly isBad?: boolean
  readonly time: string | null
}

const Time = ({ label, time, isBad = false }: FactProps) => (
  <Box minW="0">
    <Text textStyle="secondary" color="fg.muted">
      {label}
    </Text>
    <Text
      textStyle="dense"
      whiteSpace="nowrap"
      {...(isBad ? { color: 'danger.fg', fontWeight: 'semibold' } : {})}
      title={time === null ? undefined : momentOf(time)}
    >
      {time === null ? '–' : agoOf(time)}
    </Text>
  </Box>
)

interface Props {
  readonly row: RowOf<'channel'>
  readonly health: Health
  readonly most: number
  readonly isOpen: boolean
  readonly mayChange: boolean
  /** Undefined where there is no room for the panel. */
  readonly open: (() => void) | undefined
  onSwitch(enable: boolean): void
  onTest(): void
}

/** The cause, and the one action that helps. */
const Remedy = ({ row, health, onTest }: Pick<Props, 'row' | 'health' | 'onTest'>) => {
  const { t } = useTranslation('entity/channel')
  const cause = useCause()
  if (!isInGroup('attention', health.state)) return null
  return (
    <HStack
      colorPalette={TONE[health.state]}
      bg="colorPalette.subtle"
      borderTopWidth="1px"
      borderColor="colorPalette.muted"
      ps={{ base: '4', md: '62px' }}
      pe="4"
      py="2"
      gap="3"
      rowGap="2"
      flexWrap="wrap"
    >
      <Text textStyle="dense" flex="1 1 240px" minW="0" overflowWrap="anywhere">
        <Text as="span" color="colorPalette.fg" fontWeight="semibold">
          {cause(health, row)}
        </Text>
        {health.waiting === 0 ? '' : ` ${t('health.waiting', { count: health.waiting })}.`}
      </Text>
      <ActButton row={row} health={health} onTest={onTest} size={{ base: 'lg', md: 'sm' }} />
    </HStack>
  )
}

/** Name, state and type of a channel. */
const Lead = ({ row, health }: Pick<Props, 'row' | 'health'>) => {
  const label = useLabel()
  const type = label.option('channel', 'type', row.type)
  const name = nameOf(row, type)
  const number = [row.phonenumber, row.sender_number, row.type === 'telegram' ? row.account_id : null].find(Boolean)
  return (
    <Box minW="0">
      <RouterLink
        to={`/channel/${row.id}?pid=${row.bot}`}
        fontSize="md"
        fontWeight="semibold"
        borderRadius="xs"
        overflowWrap="anywhere"
        focusVisibleRing="outside"
        onClick={event => event.stopPropagation()}
        _hover={{ textDecoration: 'underline', textUnderlineOffset: '3px' }}
      >
        {name}
      </RouterLink>
      <HStack mt="1" gap="2" rowGap="1" flexWrap="wrap">
        <StateChip health={health} />
        <Text as="span" textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
          {[type, number].filter(Boolean).join(' · ')}
        </Text>
      </HStack>
    </Box>
  )
}

/** Last message in and out, and the token. */
const Facts = ({ row, health }: Pick<Props, 'row' | 'health'>) => {
  const { t } = useTranslation('entity/channel')
  const isBad = TONE[health.state] === 'danger'
  return (
    <Grid templateColumns={{ base: 'repeat(3, 1fr)', md: '84px 84px 104px' }} columnGap="3">
      <Time label={t('health.lastin')} time={health.lastin} />
      <Time
        label={t('health.lastout')}
        time={health.lastout}
        isBad={isBad && health.hours.some(hour => hour.failed > 0)}
      />
      <Box minW="0">
        <Text textStyle="secondary" color="fg.muted">
          {t('health.token')}
        </Text>
        <Box textStyle="dense">
          <TokenText row={row} health={health} />
        </Box>
      </Box>
    </Grid>
  )
}

/** A channel of the list: state, 24 hours, last in and out, token and switch, with the remedy below. */
export const ChannelRow = ({ row, health, most, isOpen, mayChange, open, onSwitch, onTest }: Props) => {
  const { t } = useTranslation('entity/channel')
  const label = useLabel()
  const type = label.option('channel', 'type', row.type)
  const name = nameOf(row, type)
  const Icon = ICONS[row.type] ?? Phone
  return (
    <Box as="li" borderTopWidth="1px" _first={{ borderTopWidth: 0 }}>
      <Grid
        data-channel={row.id}
        templateColumns={{
          base: '36px minmax(0, 1fr) auto',
          md: '36px minmax(200px, 1fr) minmax(72px, 168px) 84px 84px 104px 74px',
        }}
        alignItems="center"
        columnGap="3"
        rowGap="3"
        px="4"
        py="3"
        boxShadow={isOpen ? 'inset 3px 0 0 var(--chakra-colors-accent-solid)' : undefined}
        bg={isOpen ? 'accent.subtle' : undefined}
        {...(open === undefined ? {} : { onClick: open, cursor: 'pointer', _hover: { bg: 'bg.hover' } })}
      >
        <Box bg="bg.sunken" borderRadius="md" p="2.5" color="fg.muted" alignSelf="start">
          <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
        </Box>
        <Lead row={row} health={health} />
        <Box gridColumn={{ base: '1 / -1', md: 'auto' }} gridRow={{ base: '2', md: 'auto' }} minW="0">
          <HealthBars health={health} most={most} />
        </Box>
        <Box gridColumn={{ base: '1 / -1', md: 'span 3' }} gridRow={{ base: '3', md: 'auto' }}>
          <Facts row={row} health={health} />
        </Box>
        <HStack gap="1" justify="end" gridColumn={{ base: '3', md: 'auto' }} gridRow={{ base: '1', md: 'auto' }}>
          <button
            type="button"
            role="switch"
            className="pl-switch"
            aria-checked={row.enable}
            aria-label={t('health.switch', { name })}
            disabled={!mayChange}
            onClick={event => {
              event.stopPropagation()
              onSwitch(!row.enable)
            }}
          />
          {open === undefined ? null : (
            <IconButton icon={PanelRight} label={t('health.open', { name })} aria-expanded={isOpen} onClick={open} />
          )}
        </HStack>
      </Grid>
      <Remedy row={row} health={health} onTest={onTest} />
    </Box>
  )
}
