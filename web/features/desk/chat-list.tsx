import { Box, Button, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import i18next from 'i18next'
import { AlarmClock, CheckCheck, Clock, Headset, Hourglass, type LucideIcon, User, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { useLabel } from '#web/entity/label.ts'
import { waitOf } from '#web/features/agentchannel/index.ts'
import { ConversationLink } from '#web/features/conversation/index.ts'
import { agoOf, minuteOf } from '#web/format/time.ts'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import type { DeskChat } from './desk-query.ts'
import type { DeskLive } from './desk-socket.ts'
import { countdownOf, type GroupName, groupsOf, type Urgency, urgencyOf } from './urgency.ts'
import { useUnsent } from './use-outbox.ts'

const GROUP_ICON: Readonly<Record<GroupName, LucideIcon>> = {
  waiting: Hourglass,
  mine: User,
  others: Users,
  snoozed: AlarmClock,
  closed: CheckCheck,
}

const URGENCY_COLOR: Readonly<Record<Urgency, string>> = { calm: 'fg.muted', late: 'warning.fg', overdue: 'danger.fg' }

/** Avatar of a user, known by name only. */
export const holderOf = ({ user, name }: { readonly user: string; readonly name: string }) => ({
  id: user,
  username: name,
})

/** Name of a chat's person; of one who was forgotten, that their data are erased. */
export const shownPerson = ({ person, forgotten }: Pick<DeskChat, 'person' | 'forgotten'>): string =>
  forgotten ? i18next.t('desk:erased') : person

/** Part of a person's shown name that is a name: no masked number, no sign of a visitor, no dash. */
export const initialsName = (person: string): string | null => {
  const words = person.split(' ').filter(word => !/[\d•—]/u.test(word))
  const name = words.join(' ')
  return name === '' || name === i18next.t('desk:visitor', { sign: '' }).trim() ? null : name
}

interface RowState {
  readonly current: boolean
  readonly typing: ReturnType<DeskLive['typing']['get']>
  readonly viewers: readonly string[]
}

interface RowProps extends RowState {
  readonly chat: DeskChat
  readonly now: number
  readonly to: string
  /** `first`: of those who wait. Its button is visible; that of others shows on hover and focus, and on a phone. */
  readonly take: 'first' | 'visible' | 'hover'
  readonly isTaking: boolean
  readonly onTake: (chat: DeskChat) => void
}

/** Top right of a row: waiting time, or the time of the last word. */
const RowTime = ({
  chat,
  now,
  urgency,
}: {
  readonly chat: DeskChat
  readonly now: number
  readonly urgency: Urgency
}) =>
  chat.status === 'waiting' ? (
    <Text
      as="span"
      textStyle="secondary"
      flex="none"
      fontVariantNumeric="tabular-nums"
      color={URGENCY_COLOR[urgency]}
      fontWeight={urgency === 'calm' ? 'normal' : 'semibold'}
    >
      {waitOf(chat.since, now)}
    </Text>
  ) : (
    <chakra.time dateTime={chat.last?.time ?? chat.since} textStyle="secondary" color="fg.muted" flex="none">
      {agoOf(chat.last?.time ?? chat.since, now)}
    </chakra.time>
  )

const Words = ({ chat, typing, viewers }: Pick<RowProps, 'chat' | 'typing' | 'viewers'>) => {
  const { t } = useTranslation('desk')
  const unsent = useUnsent(chat.conversation)
  const [typist] = typing ?? []
  if (unsent !== undefined)
    return (
      <Text textStyle="dense" color="danger.fg" truncate title={unsent}>
        {t('words.notsent', { why: unsent })}
      </Text>
    )
  if (typist !== undefined)
    return (
      <Text textStyle="dense" color="accent.fg" truncate>
        {typist.from === 'user' ? t('row.typing') : t('presence.answering', { name: typist.name ?? '' })}
      </Text>
    )
  const { last } = chat
  const shown =
    last === null
      ? viewers.length > 0
        ? t('presence.viewing', { count: viewers.length, names: viewers.join(', ') })
        : t(chat.holder === null || chat.mine ? 'row.nothing' : 'row.with', { name: chat.holder?.name ?? '' })
      : last.from === 'agent'
        ? t('row.said', { name: chat.mine ? t('row.you') : (chat.holder?.name ?? ''), text: last.text })
        : last.text
  const isOwed = last?.from === 'user' || chat.status === 'waiting'
  return (
    <Text textStyle="dense" color={isOwed ? 'fg' : 'fg.muted'} truncate title={shown}>
      {shown}
    </Text>
  )
}

/** Bottom right of a row: the next word and its sender. */
const Due = ({ chat, now, urgency }: { readonly chat: DeskChat; readonly now: number; readonly urgency: Urgency }) => {
  const { t } = useTranslation('desk')
  if (chat.status === 'snoozed')
    return (
      <HStack gap="1" flex="none">
        <Clock size={12} aria-hidden="true" />
        {chat.snoozeduntil === null ? t('row.untilword') : t('row.until', { time: minuteOf(chat.snoozeduntil) })}
      </HStack>
    )
  if (chat.accept !== null && chat.mine)
    return (
      <HStack gap="1" flex="none" fontVariantNumeric="tabular-nums" fontWeight="semibold" color="warning.fg">
        <Clock size={12} aria-hidden="true" />
        {t('row.openin', { time: countdownOf(chat.accept, now) })}
      </HStack>
    )
  if (chat.status === 'held' && !chat.mine && chat.holder !== null)
    return (
      <HStack gap="1.5" flex="none">
        <chakra.span srOnly>{t('row.with', { name: chat.holder.name })}</chakra.span>
        {chat.away ? <chakra.span color="warning.fg">{t('row.away')}</chakra.span> : null}
        <PersonAvatar person={holderOf(chat.holder)} size={18} />
      </HStack>
    )
  if (chat.status === 'held' && chat.unanswered === null)
    return (
      <Text as="span" flex="none">
        {t('row.owes')}
      </Text>
    )
  if (chat.status === 'held' && chat.goal !== null)
    return (
      <HStack
        gap="1"
        flex="none"
        fontVariantNumeric="tabular-nums"
        color={urgency === 'overdue' ? 'danger.fg' : 'warning.fg'}
      >
        <Clock size={12} aria-hidden="true" />
        {urgency === 'calm' ? t('row.answerin', { time: countdownOf(chat.goal, now) }) : t('row.late')}
      </HStack>
    )
  return (
    <Text as="span" truncate>
      {chat.botname}
    </Text>
  )
}

const Row = ({ chat, now, current, to, take, isTaking, onTake, typing, viewers }: RowProps) => {
  const { t } = useTranslation('desk')
  const label = useLabel()
  const urgency = urgencyOf(chat, now)
  const isOwed = chat.status === 'waiting' || (chat.status !== 'closed' && chat.unanswered !== null)
  const mayTake = chat.status === 'waiting' && chat.maytake
  const isTakeShown = mayTake && take !== 'hover'
  const channel = label.option('channel', 'type', chat.channeltype)
  return (
    <Box as="li" position="relative" className="dk-row" data-chat={chat.conversation}>
      <ConversationLink to={to} isOpen={current} name={initialsName(chat.person)}>
        <HStack justify="space-between" gap="2">
          <HStack gap="1.5" minW="0">
            <Text textStyle="card" truncate title={shownPerson(chat)}>
              {shownPerson(chat)}
            </Text>
            {isOwed ? (
              <chakra.span boxSize="7px" borderRadius="full" bg="accent.solid" flex="none">
                <chakra.span srOnly>{t('row.unanswered')}</chakra.span>
              </chakra.span>
            ) : null}
            {chat.priority > 0 ? (
              <Chip tone={chat.priority === 3 ? 'danger' : 'warning'} h="18px">
                {t(`priority.${chat.priority}`)}
              </Chip>
            ) : null}
          </HStack>
          <RowTime chat={chat} now={now} urgency={urgency} />
        </HStack>
        <Words chat={chat} typing={typing} viewers={viewers} />
        <HStack
          gap="2.5"
          mt="1.5"
          textStyle="secondary"
          color="fg.muted"
          minH={mayTake ? { base: '11', md: '7' } : '0'}
          pe={isTakeShown ? '112px' : '0'}
        >
          {chat.queuename === '' ? null : (
            <Chip h="5" maxW="110px">
              <Text as="span" truncate title={chat.queuename}>
                {chat.queuename}
              </Text>
            </Chip>
          )}
          <Text as="span" truncate flex="1" minW="0" title={channel}>
            {chat.returned === null ? channel : t(`returned.${chat.returned}`)}
          </Text>
          {isTakeShown ? null : <Due chat={chat} now={now} urgency={urgency} />}
        </HStack>
      </ConversationLink>
      {mayTake ? (
        <Button
          className="dk-take"
          data-shown={isTakeShown || undefined}
          position="absolute"
          insetEnd="3.5"
          bottom="2.5"
          size={{ base: 'md', md: 'xs' }}
          minH={{ base: '11', md: '7' }}
          variant={take === 'first' ? 'solid' : 'outline'}
          aria-label={t('takeof', { name: chat.person })}
          loading={isTaking}
          onClick={() => onTake(chat)}
        >
          <Headset size={14} aria-hidden="true" />
          {t('take')}
        </Button>
      ) : null}
    </Box>
  )
}

interface ListProps {
  readonly chats: readonly DeskChat[]
  readonly open: string | undefined
  readonly now: number
  readonly live: Pick<DeskLive, 'typing' | 'viewing'>
  readonly me: string
  /** The chat that is being taken. */
  readonly taking: string | undefined
  readonly addressOf: (conversation: string) => string
  readonly onTake: (chat: DeskChat) => void
}

const GroupHead = ({ icon: Icon, children }: { readonly icon: LucideIcon; readonly children: ReactNode }) => (
  <HStack
    as="h2"
    gap="2"
    px={{ base: '1', md: '3.5' }}
    py="1.5"
    textStyle="label"
    color="fg.muted"
    bg={{ md: 'bg.subtle' }}
    borderBottomWidth={{ md: '1px' }}
  >
    <Icon size={13} strokeWidth={1.75} aria-hidden="true" />
    {children}
  </HStack>
)

/** Chats of the desk by group: waiting ones, one's own, those of colleagues. */
export const ChatList = ({ chats, open, now, live, me, taking, addressOf, onTake }: ListProps) => {
  const { t } = useTranslation('desk')
  const isPhone = useMedia(PHONE)
  return groupsOf(chats).map(({ name, chats: own }) => (
    <Flex as="section" direction="column" key={name} aria-label={t(`group.${name}`)} mb={{ base: '3', md: '0' }}>
      <GroupHead icon={GROUP_ICON[name]}>
        {t(`group.${name}`)}{' '}
        <chakra.span fontWeight="normal" fontVariantNumeric="tabular-nums">
          {own.length}
        </chakra.span>
      </GroupHead>
      <Box as="ul" listStyleType="none" className="dk-rows">
        {own.map((chat, place) => (
          <Row
            key={chat.conversation}
            chat={chat}
            now={now}
            current={chat.conversation === open}
            to={addressOf(chat.conversation)}
            take={place === 0 ? 'first' : isPhone ? 'visible' : 'hover'}
            isTaking={taking === chat.conversation}
            onTake={onTake}
            typing={live.typing.get(chat.conversation)}
            viewers={(live.viewing.get(chat.conversation) ?? []).flatMap(one => (one.user === me ? [] : [one.name]))}
          />
        ))}
      </Box>
    </Flex>
  ))
}
