import { Box, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { Lock } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { bot } from '#schemas/entities/bot.ts'
import { user } from '#schemas/entities/user.ts'
import { nameOf } from '#web/components/person-avatar.tsx'
import { useEntityTextsReady, useLabel } from '#web/entity/label.ts'
import { listAddress } from '#web/entity/list/list-state.ts'
import { ChartCard } from './chart-card.tsx'
import type { DashboardData } from './dashboard-query.ts'

const RouterLink = chakra(Link)
const STATUSES = ['running', 'started', 'pending', 'stopped'] as const
const COLORS = {
  running: 'positive.solid',
  started: 'info.solid',
  pending: 'warning.solid',
  stopped: 'border.emphasized',
} as const

export const BotStates = ({ bots }: { readonly bots: NonNullable<DashboardData['bots']> }) => {
  const { t } = useTranslation('tool')
  const label = useLabel()
  const isReady = useEntityTextsReady(['bot'])
  const states = STATUSES.map(status => ({
    status,
    count: bots[status] ?? 0,
    name: isReady ? label.option('bot', 'runningstatus', status) : '',
  }))
  const isEmpty = states.every(({ count }) => count === 0)
  const title = t('dashboard.card.bots')
  return (
    <ChartCard
      title={title}
      beside={t('dashboard.now')}
      file="dashboard-bots"
      table={{ columns: [t('dashboard.state'), title], rows: states.map(({ name, count }) => [name, count]) }}
      empty={isEmpty ? t('dashboard.nobots') : undefined}
    >
      <SimpleGrid columns={{ base: 2, sm: 4 }} gap="2" mb="3">
        {states.map(({ status, count, name }) => (
          <RouterLink
            key={status}
            to={listAddress(bot, { runningstatus: status })}
            borderRadius="md"
            focusVisibleRing="outside"
            _hover={{ bg: 'bg.subtle' }}
          >
            <Text fontSize="2xl" fontWeight="semibold" lineHeight="32px">
              {count}
            </Text>
            <HStack gap="1.5" textStyle="secondary" color="fg.muted">
              <Box boxSize="2" flex="none" borderRadius={status === 'stopped' ? '1px' : 'full'} bg={COLORS[status]} />
              {name.toLocaleLowerCase()}
            </HStack>
          </RouterLink>
        ))}
      </SimpleGrid>
      <HStack
        role="img"
        aria-label={`${title}: ${states.map(({ name, count }) => `${name} ${count}`).join(', ')}`}
        gap="2px"
        h="8px"
        borderRadius="full"
        overflow="hidden"
      >
        {states.map(({ status, count }) =>
          count === 0 ? null : <Box key={status} h="100%" bg={COLORS[status]} style={{ flexGrow: count }} />,
        )}
      </HStack>
    </ChartCard>
  )
}

/** Locked-out people. */
export const LockedPeople = ({ locked }: { readonly locked: NonNullable<DashboardData['locked']> }) => {
  const { t } = useTranslation('tool')
  const title = t('dashboard.card.locked')
  return (
    <ChartCard
      title={title}
      beside={t('dashboard.now')}
      file="dashboard-locked"
      table={{
        columns: [t('dashboard.person'), t('dashboard.username')],
        rows: locked.people.map(person => [nameOf(person), person.username ?? '']),
      }}
      empty={locked.total === 0 ? t('dashboard.nolocked') : undefined}
    >
      <HStack gap="3" align="flex-start">
        <Box bg="warning.subtle" color="warning.fg" borderRadius="full" p="2" flex="none">
          <Lock size={15} aria-hidden="true" />
        </Box>
        <Box minW="0">
          <Text textStyle="dense" fontWeight="semibold">
            {t('dashboard.locked', { count: locked.total })}
          </Text>
          <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
            {locked.people.map(nameOf).join(', ')}
          </Text>
          <RouterLink
            to={listAddress(user, { locked: 'true' })}
            textStyle="secondary"
            color="accent.fg"
            focusVisibleRing="outside"
          >
            {t('dashboard.showlocked')}
          </RouterLink>
        </Box>
      </HStack>
    </ChartCard>
  )
}
