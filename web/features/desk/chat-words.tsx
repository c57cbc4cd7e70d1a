import { Link as Anchor, Box, Button, chakra, HStack, Image, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Bot, CircleAlert, Clock, FileText, MapPin, StickyNote, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { blockOf } from '#schemas/blocks/registry.ts'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { MessageText } from '#web/components/message-text.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { useNow } from '#web/features/agentchannel/index.ts'
import { Bubble, Delivery, DeskLine, RatingLine, VisitorAvatar } from '#web/features/conversation/index.ts'
import { bytesOf } from '#web/format/number.ts'
import { durationOf, minuteOf } from '#web/format/time.ts'
import { type DeskSummary, deskSummaryQuery } from '#web/shell/desk-summary.ts'
import {
  type ChatItem,
  type DeskEvent,
  type DeskMessage,
  type DeskNote,
  firstAnswerOf,
  foldedOf,
  itemsOf,
} from './chat-items.ts'
import { holderOf } from './chat-list.tsx'
import type { DeskChatDetail } from './desk-query.ts'
import { countdownOf, urgencyOf } from './urgency.ts'
import type { PendingMessage, useOutbox } from './use-outbox.ts'

type File = NonNullable<DeskMessage['attachments']>[number]

const isPicture = ({ contentType }: File): boolean => contentType.startsWith('image/')

const Attachment = ({ file }: { readonly file: File }) => (
  <Anchor href={file.contentUrl} target="_blank" rel="noreferrer" display="block" color="inherit" mt="1">
    {isPicture(file) ? (
      <Image src={file.contentUrl} alt={file.name} maxH="180px" borderRadius="md" />
    ) : (
      <HStack gap="2">
        <FileText size={15} aria-hidden="true" />
        <Text as="span" textDecoration="underline" truncate>
          {file.name}
        </Text>
      </HStack>
    )}
    <Text as="span" textStyle="caption" opacity="0.75">
      {[isPicture(file) ? file.name : file.contentType, file.size === undefined ? '' : bytesOf(file.size)]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  </Anchor>
)

const Place = ({ place }: { readonly place: NonNullable<DeskMessage['place']> }) => (
  <Anchor href={place.url} target="_blank" rel="noreferrer" color="inherit" display="flex" gap="2">
    <MapPin size={15} aria-hidden="true" />
    <span>
      {place.name === '' ? null : <b>{place.name}</b>} {place.address}
    </span>
  </Anchor>
)

const MessageBody = ({ message, isForgotten }: Omit<MessageProps, 'users'>) => {
  const { t } = useTranslation('tool')
  const { t: td } = useTranslation('desk')
  const { text, place, attachments = [], options = [], type } = message
  // A person's file without words has its name as text.
  const isName = attachments.length === 1 && attachments[0]?.name === text
  const isEmpty = text === '' && place === undefined && attachments.length === 0 && options.length === 0
  return (
    <>
      {text === '' || isName ? null : <MessageText text={text} />}
      {place === undefined ? null : <Place place={place} />}
      {attachments.map(file => (
        <Attachment key={file.contentUrl} file={file} />
      ))}
      {options.length === 0 ? null : (
        <HStack as="ul" listStyleType="none" gap="1" flexWrap="wrap" mt={text === '' ? '0' : '1.5'}>
          {options.map(option => (
            <li key={option}>
              <Chip h="auto" minH="5" py="0.5" whiteSpace="normal">
                {option}
              </Chip>
            </li>
          ))}
        </HStack>
      )}
      {!isEmpty ? null : isForgotten ? (
        <span className="dk-erased">{td('words.erased')}</span>
      ) : (
        t(`conversation.kind.${type}`, { defaultValue: t('conversation.message') })
      )}
    </>
  )
}

/** Ids of users by the names that people see: a user has one colour everywhere. */
const usersByName = (
  { holder, notes, transferto }: DeskChatDetail,
  agents: DeskSummary['agents'],
): ReadonlyMap<string, string> =>
  new Map([
    ...agents.map(({ user, name }) => [name, user] as const),
    ...transferto.users.map(({ id, name }) => [name, id] as const),
    ...notes.map(({ user, name }) => [name, user] as const),
    ...(holder === null ? [] : [[holder.name, holder.user] as const]),
  ])

interface MessageProps {
  readonly message: DeskMessage
  readonly users: ReadonlyMap<string, string>
  /** The words of the person and of those who answered are destroyed. */
  readonly isForgotten: boolean
}

const Message = ({ message, users, isForgotten }: MessageProps) => {
  const { t } = useTranslation('desk')
  const { from, name = '', time, status, block } = message
  const bubble = (
    <Bubble from={from === 'user' ? 'user' : 'bot'}>
      <MessageBody message={message} isForgotten={isForgotten} />
    </Bubble>
  )
  // A block without a title has the name of its type.
  const asked = from === 'bot' && block !== undefined && blockOf(block) === undefined ? block : ''
  if (from !== 'agent')
    return (
      <>
        {bubble}
        <p className="dk-meta" data-from={from}>
          <VisuallyHidden>{from === 'bot' ? t('words.bot') : t('words.person')} </VisuallyHidden>
          {minuteOf(time)}
          {asked === '' ? null : ` · ${asked}`}
        </p>
      </>
    )
  return (
    <div className="dk-agent">
      {name === '' ? (
        <VisitorAvatar name={null} size={24} />
      ) : (
        <PersonAvatar person={holderOf({ user: users.get(name) ?? name, name })} size={24} />
      )}
      <div>
        {bubble}
        <p className="dk-meta" data-from="agent">
          {name || t('event.somebody')} · {minuteOf(time)}
          {status === undefined ? null : <Delivery status={status} code="" />}
        </p>
      </div>
    </div>
  )
}

/** A note; without an author one that the server does not have yet. */
const Note = ({ text, author }: { readonly text: string; readonly author?: DeskNote }) => {
  const { t } = useTranslation('desk')
  return (
    <div className="dk-note">
      {author === undefined ? null : <PersonAvatar person={holderOf(author)} size={24} />}
      <div>
        <p className="dk-note-head">
          {author === undefined ? null : <b>{author.name}</b>}
          <StickyNote size={12} aria-hidden="true" />
          <span>{t('words.note')}</span>
          {author === undefined ? null : (
            <chakra.time dateTime={author.time} ms="auto">
              {minuteOf(author.time)}
            </chakra.time>
          )}
        </p>
        <MessageText text={text} />
      </div>
    </div>
  )
}

interface EventProps {
  readonly event: DeskEvent
  /** Subjects of the queue. */
  readonly reasons: DeskChatDetail['reasons']
}

const Event = ({ event, reasons }: EventProps) =>
  event.kind === 'asked' || event.kind === 'rated' || event.kind === 'unrated' ? (
    <RatingLine rating={{ ...event, kind: event.kind, about: event.about ?? 'agent' }} time={event.time} />
  ) : (
    <DeskLine {...event} kind={event.kind} subject={reasons.find(({ key }) => key === event.reason)?.name} />
  )

interface ItemProps extends Omit<MessageProps, 'message'>, Pick<EventProps, 'reasons'> {
  readonly item: ChatItem
}

const Item = ({ item, users, isForgotten, reasons }: ItemProps) =>
  item.kind === 'message' ? (
    <Message message={item.message} users={users} isForgotten={isForgotten} />
  ) : item.kind === 'note' ? (
    <Note text={item.note.text} author={item.note} />
  ) : (
    <Event event={item.event} reasons={reasons} />
  )

interface PendingProps {
  readonly pending: PendingMessage
  readonly onRetry: () => void
  readonly onDiscard: () => void
}

/** A message that the server does not have yet, or refused. */
const Pending = ({ pending, onRetry, onDiscard }: PendingProps) => {
  const { t } = useTranslation('desk')
  return (
    <div className="dk-agent" data-pending="">
      <div>
        {pending.isNote ? (
          <Note text={pending.text} />
        ) : (
          <Bubble from="bot">
            <MessageText text={pending.text} />
            {pending.files.map(({ id, name }) => (
              <Text key={id} textStyle="caption">
                {name}
              </Text>
            ))}
          </Bubble>
        )}
        {pending.failure === undefined ? (
          <p className="dk-meta">{t('words.sending')}</p>
        ) : (
          <HStack role="alert" gap="1.5" mt="1" textStyle="secondary" color="danger.fg">
            <CircleAlert size={13} aria-hidden="true" />
            {t('words.notsent', { why: pending.failure })}
            <Button size="xs" variant="plain" onClick={onRetry}>
              {t('retry')}
            </Button>
            <IconButton icon={X} iconSize={13} size="xs" label={t('words.discard')} onClick={onDiscard} />
          </HStack>
        )}
      </div>
    </div>
  )
}

/** Beginning of the conversation, folded to one line until it is opened. */
const Folded = ({
  bot,
  items,
  children,
}: {
  readonly bot: string
  readonly items: readonly ChatItem[]
  readonly children: ReactNode
}) => {
  const { t } = useTranslation('desk')
  const [isOpen, setOpen] = useState(false)
  if (items.length === 0) return null
  if (isOpen) return children
  return (
    <HStack className="dk-folded">
      <Bot size={14} aria-hidden="true" />
      <Text flex="1" minW="0">
        {t('words.before', { bot })}
      </Text>
      <Button size="xs" variant="plain" onClick={() => setOpen(true)}>
        {t('words.messages', { count: items.filter(({ kind }) => kind === 'message').length })}
      </Button>
    </HStack>
  )
}

const FROM_END = 40

interface WordsProps {
  readonly chat: DeskChatDetail
  readonly outbox: Pick<ReturnType<typeof useOutbox>, 'pending' | 'retry' | 'discard'>
  readonly isTyping: boolean
}

/** Rest of the queue's goal, over the messages, while the person waits for an answer. */
const GoalBand = ({ chat }: { readonly chat: DeskChatDetail }) => {
  const { t } = useTranslation('desk')
  const now = useNow()
  if (chat.status !== 'held' || chat.unanswered === null || chat.goal === null) return null
  const isPast = now >= Date.parse(chat.goal)
  const first = firstAnswerOf(chat)
  const tone = urgencyOf(chat, now) === 'overdue' ? 'danger' : 'warning'
  return (
    <HStack
      px={{ base: '3', md: '5' }}
      py="2"
      gap="2.5"
      rowGap="0"
      flexWrap="wrap"
      flex="none"
      borderBottomWidth="1px"
      textStyle="secondary"
      colorPalette={tone}
      bg="colorPalette.subtle"
      borderColor="colorPalette.emphasized"
      color="colorPalette.fg"
      fontVariantNumeric="tabular-nums"
    >
      <Clock size={14} aria-hidden="true" />
      <b>{isPast ? t('goal.past') : t('goal.left', { time: countdownOf(chat.goal, now) })}</b>
      <Text hideBelow="md">{t('goal.queue', { queue: chat.queuename })}</Text>
      {first === undefined ? null : (
        <Text ms="auto" hideBelow="md">
          {t('goal.first', { time: durationOf(Math.round(first / 1000) * 1000) })}
        </Text>
      )}
    </HStack>
  )
}

/** Messages, notes and events of a chat, below the rest of its goal. The newest stays in sight as long as the reader is at the end. */
export const ChatWords = ({ chat, outbox, isTyping }: WordsProps) => {
  const { t } = useTranslation('desk')
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const items = useMemo(() => itemsOf(chat), [chat])
  const agents = useQuery({ ...deskSummaryQuery, enabled: false }).data?.agents
  const users = useMemo(() => usersByName(chat, agents ?? []), [chat, agents])
  const folded = useMemo(() => foldedOf(items), [items])
  const shown = items.slice(folded.length)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new item is brought into sight
  useEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [items.length, outbox.pending.length, isTyping])
  useEffect(() => {
    const { current } = box
    if (current === null) return
    // The composer below takes room from the messages when it grows.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) current.scrollTo({ top: current.scrollHeight })
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  const about = { users, reasons: chat.reasons, isForgotten: chat.forgotten }
  const newest = chat.messages.findLast(({ from }) => from === 'user')
  return (
    <>
      <GoalBand chat={chat} />
      <Box
        ref={box}
        className="dk-words"
        role="log"
        aria-label={t('words.label')}
        aria-live="off"
        tabIndex={0}
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < FROM_END
        }}
      >
        <Folded bot={chat.botname} items={folded}>
          {folded.map(item => (
            <Item key={item.key} item={item} {...about} />
          ))}
        </Folded>
        {shown.map(item => (
          <Item key={item.key} item={item} {...about} />
        ))}
        {outbox.pending.map(one => (
          <Pending key={one.id} pending={one} onRetry={() => outbox.retry(one)} onDiscard={() => outbox.discard(one)} />
        ))}
        {isTyping ? (
          <div className="dk-typing">
            {t('words.typing', { name: chat.person })}
            <span aria-hidden="true">
              <i />
              <i />
              <i />
            </span>
          </div>
        ) : null}
      </Box>
      <VisuallyHidden role="status">
        {newest === undefined ? '' : t('words.new', { name: chat.person, text: newest.text })}
      </VisuallyHidden>
    </>
  )
}
