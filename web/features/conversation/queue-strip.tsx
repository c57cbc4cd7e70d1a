import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Headset, Hourglass, UserMinus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { useEntityTextsReady } from '#web/entity/label.ts'
import { readAll } from '#web/entity/read-all.ts'
import { queueQuery, useClearQueue, useNow, waitOf } from '#web/features/agentchannel/index.ts'
import { RouterLink } from '#web/page/router-link.ts'

/** Waiting people and open chats of one agent channel. */
interface ChannelQueue {
  readonly channel: string
  readonly name: string
  /** Parley's own desk. */
  readonly isDesk: boolean
  readonly waiting: number
  readonly talking: number
  /** Whether those who wait may be taken out. */
  readonly clearing: boolean
  /** Since when the first one waits, ISO 8601 UTC. */
  readonly longest: string | undefined
}

/** A conversation in a queue, or with an agent. */
export interface QueuedConversation {
  readonly queue: ChannelQueue
  /** Since when it waits, ISO 8601 UTC; null: an agent is there. */
  readonly waiting: string | null
  readonly requested: string
  /** Counted from 1 among those who wait. */
  readonly place: number
}

/** The queues of a bot's agent channels, for who may read them, and the conversations in them by id. */
export const useQueues = (bot: string) => {
  const { can } = useSession()
  const channels = useQuery({
    queryKey: ['agentchannel', 'list', { bot, all: true }],
    queryFn: ({ signal }) => readAll('agentchannel', { bot, sort: 'name' }, signal),
    enabled: can('readagentchannel') && bot !== '',
  })
  const tracked = channels.data?.items.filter(row => row.queue_tracker_enabled === true) ?? []
  const read = useQueries({ queries: tracked.map(({ id }) => queueQuery(id)) })
  const talks = new Map<string, QueuedConversation>()
  const queues = tracked.flatMap((row, at): ChannelQueue[] => {
    const found = read[at]?.data
    if (found === undefined || !found.enabled || (row.enable !== true && found.items.length === 0)) return []
    const waiting = found.items
      .filter(talk => talk.waiting !== null)
      .toSorted((one, other) => String(one.waiting).localeCompare(String(other.waiting)))
    const queue: ChannelQueue = {
      channel: row.id,
      name: String(row.name),
      isDesk: row.type === 'parley',
      waiting: found.waiting,
      talking: found.talking,
      clearing: found.clearing,
      longest: waiting[0]?.waiting ?? undefined,
    }
    for (const talk of found.items)
      talks.set(talk.conversation, {
        queue,
        waiting: talk.waiting,
        requested: talk.requested,
        place: waiting.indexOf(talk) + 1,
      })
    return [queue]
  })
  return { queues, talks }
}

/** The desk for who may see it, else the page of an agent channel's queue. */
const useQueueAddress = () => {
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

const TakeOut = ({ channel, conversation }: { readonly channel: string; readonly conversation: string }) => {
  const { t } = useTranslation('entity/agentchannel')
  const { isBusy, clear } = useClearQueue(channel)
  return (
    <Button size="xs" loading={isBusy} onClick={() => void clear(conversation)}>
      <UserMinus size={14} aria-hidden="true" />
      {t('queue.clearone')}
    </Button>
  )
}

/** That a person waits for an agent or talks to one, how long, and what may be done about it. */
export const QueueBand = ({
  conversation,
  talk,
}: {
  readonly conversation: string
  readonly talk: QueuedConversation
}) => {
  const { t } = useTranslation('tool')
  const { can } = useSession()
  const addressOf = useQueueAddress()
  const isReady = useEntityTextsReady(['agentchannel'])
  const now = useNow()
  const { queue, waiting, requested, place } = talk
  const isWaiting = waiting !== null
  const Sign = isWaiting ? Hourglass : Headset
  const time = waitOf(waiting ?? requested, now)
  return (
    <HStack
      px="4"
      py="2"
      gap="2.5"
      rowGap="1"
      flexWrap="wrap"
      flex="none"
      borderBottomWidth="1px"
      textStyle="dense"
      {...(isWaiting
        ? { bg: 'warning.subtle', borderColor: 'warning.muted', color: 'warning.fg' }
        : { bg: 'accent.subtle', borderColor: 'accent.muted', color: 'accent.fg' })}
    >
      <Box flex="none">
        <Sign size={15} aria-hidden="true" />
      </Box>
      <Text flex="1 1 220px" minW="0">
        <b>{t(isWaiting ? 'conversation.queue.waits' : 'conversation.queue.talks', { time, name: queue.name })}</b>
        {isWaiting ? ` · ${t('conversation.queue.place', { place, count: queue.waiting })}` : null}
      </Text>
      {isWaiting && isReady && queue.clearing && can('clearqueueagentchannel') ? (
        <TakeOut channel={queue.channel} conversation={conversation} />
      ) : null}
      <RouterLink to={addressOf(queue, conversation)} fontWeight="semibold" flex="none" textDecoration="underline">
        {t(queue.isDesk ? 'conversation.queue.desk' : 'conversation.queue.open')}
      </RouterLink>
    </HStack>
  )
}
