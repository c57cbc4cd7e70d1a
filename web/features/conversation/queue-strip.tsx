import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { Headset, Hourglass } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { useNow, waitOf } from '#web/features/agentchannel/index.ts'
import type { ChannelQueue } from './use-queues.ts'

const RouterLink = chakra(Link)

/** The desk for who may see it, else the page of an agent channel's queue. */
export const useQueueAddress = () => {
  const { can } = useSession()
  return ({ channel, isDesk }: ChannelQueue, conversation?: string): string => {
    if (!isDesk || !can('showdesk')) return `/agentchannel/queue/${channel}`
    return conversation === undefined ? '/desk?view=waiting' : `/desk?view=all&open=${conversation}`
  }
}

const Line = ({ queue }: { readonly queue: ChannelQueue }) => {
  const { t } = useTranslation('tool')
  const addressOf = useQueueAddress()
  const now = useNow()
  const { name, isDesk, waiting, talking, longest } = queue
  const Sign = waiting > 0 ? Hourglass : Headset
  const facts = [
    waiting === 0 ? t('conversation.queue.nobody') : t('conversation.queue.waiting', { count: waiting }),
    ...(longest === undefined ? [] : [t('conversation.queue.longest', { time: waitOf(longest, now) })]),
    ...(talking === 0 ? [] : [t('conversation.queue.talking', { count: talking })]),
  ]
  return (
    <HStack
      as="li"
      gap="2.5"
      px="3"
      py="1.5"
      borderWidth="1px"
      borderRadius="lg"
      textStyle="dense"
      {...(waiting > 0 ? { bg: 'warning.subtle', borderColor: 'warning.muted' } : { bg: 'bg.surface' })}
    >
      <Box flex="none" color={waiting > 0 ? 'warning.fg' : 'fg.muted'}>
        <Sign size={14} aria-hidden="true" />
      </Box>
      <Text flex="1" minW="0">
        <chakra.b color={waiting > 0 ? 'warning.fg' : undefined}>{name}</chakra.b> {facts.join(' · ')}
      </Text>
      <RouterLink to={addressOf(queue)} color="accent.fg" fontWeight="semibold" flex="none">
        {t(isDesk ? 'conversation.queue.desk' : 'conversation.queue.open')}
        <chakra.span srOnly> {name}</chakra.span>
      </RouterLink>
    </HStack>
  )
}

/** People in each agent channel's queue, with a link to it. */
export const QueueStrip = ({ queues }: { readonly queues: readonly ChannelQueue[] }) => {
  const { t } = useTranslation('tool')
  if (queues.length === 0) return null
  return (
    <Box as="ul" listStyleType="none" display="grid" gap="2" aria-label={t('conversation.queue.title')}>
      {queues.map(queue => (
        <Line key={queue.channel} queue={queue} />
      ))}
    </Box>
  )
}
