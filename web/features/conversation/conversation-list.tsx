import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { MessageSquare } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { plainText } from '#web/chat/markdown.ts'
import { useLabel } from '#web/entity/label.ts'
import { agoOf } from '#web/format/time.ts'
import { RowLink } from '#web/page/row-link.tsx'
import type { ListedConversation } from './conversation-query.ts'
import type { QueuedConversation } from './queue-strip.tsx'
import { StatusChip, VisitorAvatar, visitorCode } from './status-chip.tsx'

interface ListProps {
  readonly items: readonly ListedConversation[]
  readonly open: string | undefined
  /** Queued for an agent or in an agent chat. */
  readonly talks: ReadonlyMap<string, QueuedConversation>
  addressOf(id: string): string
}

interface LinkProps {
  readonly to: string
  readonly isOpen: boolean
  /** Of the person; null for a visitor without one. */
  readonly name: string | null
  readonly children: ReactNode
}

/** Opens a conversation of a list: the person's avatar, and lines about the conversation beside it. */
export const ConversationLink = ({ to, isOpen, name, children }: LinkProps) => (
  <RowLink to={to} replace isOpen={isOpen} gap="2.5" px="3.5" py="2.5">
    <VisitorAvatar name={name} />
    <Box flex="1" minW="0">
      {children}
    </Box>
  </RowLink>
)

interface RowProps {
  readonly item: ListedConversation
  readonly current: boolean
  readonly talk: QueuedConversation | undefined
  readonly to: string
}

const Row = ({ item, current, talk, to }: RowProps) => {
  const { t } = useTranslation(['tool', 'insight'])
  const label = useLabel()
  const channel = label.option('channel', 'type', item.channeltype)
  const waiting = talk?.waiting ?? null
  const name = item.name ?? t('conversation.visitor', { sign: visitorCode(item) })
  // The bot's words have marks of bold and italic.
  const said = item.said?.from === 'bot' ? plainText(item.said.text) : item.said?.text
  return (
    <ConversationLink to={to} isOpen={current} name={item.name}>
      <HStack justify="space-between" gap="2">
        <Text textStyle="card" truncate title={name}>
          {name}
        </Text>
        <chakra.time dateTime={item.last} textStyle="secondary" color="fg.muted" flex="none">
          {agoOf(item.last)}
        </chakra.time>
      </HStack>
      {said === undefined ? null : (
        <Text textStyle="dense" color={item.said?.from === 'user' ? 'fg' : 'fg.muted'} truncate title={said}>
          {said}
        </Text>
      )}
      <HStack gap="2.5" mt="1.5" textStyle="secondary" color="fg.muted">
        <StatusChip status={item.status} standing={item.standing} isQueued={waiting !== null} />
        <HStack gap="1" minW="0">
          <MessageSquare size={12} aria-hidden="true" />
          <Text truncate>{item.origin === 'trial' ? `${channel} · ${t('insight:origin.trial')}` : channel}</Text>
        </HStack>
        {waiting === null ? (
          <Text ms="auto" flex="none">
            {t('conversation.turncount', { count: item.turns })}
          </Text>
        ) : (
          <Text ms="auto" flex="none" color="warning.fg">
            {t('conversation.queue.since', { ago: agoOf(waiting) })}
          </Text>
        )}
      </HStack>
    </ConversationLink>
  )
}

/** Conversations of a bot, the newest first; on a phone as cards. */
export const ConversationList = ({ items, open, talks, addressOf }: ListProps) => (
  <Box
    as="ul"
    listStyleType="none"
    display={{ base: 'grid', md: 'block' }}
    gap="2.5"
    borderWidth={{ md: '1px' }}
    borderRadius="lg"
    bg={{ md: 'bg.surface' }}
    overflow={{ md: 'hidden' }}
  >
    {items.map(item => (
      <Box
        as="li"
        key={item.id}
        borderWidth={{ base: '1px', md: '0' }}
        borderRadius={{ base: 'lg', md: '0' }}
        bg="bg.surface"
        overflow="hidden"
        css={{ '@media (min-width: 768px)': { '&:not(:last-child)': { borderBottomWidth: '1px' } } }}
      >
        <Row item={item} current={item.id === open} talk={talks.get(item.id)} to={addressOf(item.id)} />
      </Box>
    ))}
  </Box>
)
