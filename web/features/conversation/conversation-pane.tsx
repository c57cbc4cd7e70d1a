import { Box, Button, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Eye, EyeOff, ListTree, UserX, Waypoints } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { ConfirmDialog, Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { replayAddress } from '#web/entity/address.ts'
import { useLabel } from '#web/entity/label.ts'
import { SaveConversationAsTest } from '#web/features/conversationtest/index.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { MIDDLE, useMedia } from '#web/shell/use-media.ts'
import { AskToSee } from './ask-to-see.tsx'
import { ConversationFacts } from './conversation-facts.tsx'
import {
  type Conversation,
  conversationQuery,
  conversationsQuery,
  type Replay,
  readersQuery,
  replayQuery,
  useBlockNames,
} from './conversation-query.ts'
import { QueueBand, type QueuedConversation } from './queue-strip.tsx'
import { StatusChip, VisitorAvatar, visitorCode } from './status-chip.tsx'
import { TakeOver } from './take-over.tsx'
import { Transcript } from './transcript.tsx'

/** People shown; the audit has the rest. */
const MAX_SHOWN = 10

/** Log of reads and exports of the person's messages, newest first. */
const Readers = ({ id }: { readonly id: string }) => {
  const { t } = useTranslation('tool')
  const readers = useQuery(readersQuery(id))
  const items = readers.data?.items ?? []
  if (readers.data === undefined) return null
  return (
    <section className="cv-facts">
      <h3>{t('conversation.readers.title')}</h3>
      {items.length === 0 ? <p>{t('conversation.readers.none')}</p> : null}
      <dl>
        {items.slice(0, MAX_SHOWN).map(({ user, action, conversation, time, origin }) => (
          <div key={`${time} ${user?.id} ${conversation}`}>
            <dt>{nameOf(user)}</dt>
            <dd title={[momentOf(time), origin?.address].filter(Boolean).join(' · ')}>
              {t(`conversation.readers.${action}`)} · {agoOf(time)}
              {conversation === id ? null : ` · ${t('conversation.readers.other')}`}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** Forgets the person of a conversation: their messages become unreadable. */
const ForgetPerson = ({ id, name }: { readonly id: string; readonly name: string }) => {
  const { t } = useTranslation('operation')
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const forget = async () => {
    await http.post('/conversation/{id}/forget', { params: { id }, body: { confirm: 'CONFIRM' } })
    await client.invalidateQueries({ queryKey: ['conversation'] })
  }
  return (
    <>
      <Button size="xs" variant="outline" mt="3" onClick={() => setAsking(true)}>
        <UserX size={14} aria-hidden="true" />
        {t('forget.do')}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={t('forget.title', { name })}
          action={t('forget.do')}
          icon={<UserX size={18} aria-hidden="true" />}
          onConfirm={forget}
          onClose={() => setAsking(false)}
        >
          {t('forget.text')}
        </ConfirmDialog>
      ) : null}
    </>
  )
}

interface PaneProps {
  readonly id: string
  /** While it waits for an agent or talks to one. */
  readonly talk: QueuedConversation | undefined
  /** Address of the list with the conversations of one person alone. */
  readonly ofPerson: (person: string) => string
  /** Back to the list, where it is not in sight. */
  readonly onBack: (() => void) | undefined
}

interface HeadProps {
  readonly conversation: Conversation
  readonly onBack: PaneProps['onBack']
  readonly isQueued: boolean
  readonly children: ReactNode
}

const Head = ({ conversation, onBack, isQueued, children }: HeadProps) => {
  const { t } = useTranslation('tool')
  const label = useLabel()
  const { user, started, channeltype, release, status, standing } = conversation
  const name = user?.name ?? null
  return (
    <Flex
      gap="3"
      rowGap="2"
      px={{ base: '3', md: '4' }}
      py="2.5"
      align="center"
      flexWrap="wrap"
      borderBottomWidth="1px"
      bg="bg.surface"
      flex="none"
    >
      {onBack === undefined ? null : (
        <IconButton icon={ArrowLeft} iconSize={18} label={t('conversation.all')} onClick={onBack} />
      )}
      <VisitorAvatar name={name} size={38} />
      <Box flex="1" minW="150px">
        <HStack gap="2" flexWrap="wrap">
          <chakra.h2 textStyle="title">
            {name ?? t('conversation.visitor', { sign: visitorCode(conversation) })}
          </chakra.h2>
          <StatusChip status={status} standing={standing} isQueued={isQueued} />
        </HStack>
        <Text textStyle="secondary" color="fg.muted">
          {t('conversation.head', {
            channel: label.option('channel', 'type', channeltype),
            time: momentOf(started),
            release,
          })}
        </Text>
      </Box>
      {children}
    </Flex>
  )
}

interface WordsProps {
  readonly conversation: Conversation
  readonly replay: Replay
  readonly names: ReturnType<typeof useBlockNames>
}

/** The words, with the newest in sight as long as one is at the end. */
const Words = ({ conversation, replay, names }: WordsProps) => {
  const { t } = useTranslation('tool')
  const { t: td } = useTranslation('desk')
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new turn is brought into sight
  useEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [replay.turns.length, replay.agentsaid.length, replay.desk.length])
  return (
    <Box
      ref={box}
      flex="1"
      minH="0"
      overflowY="auto"
      py="3"
      tabIndex={0}
      outlineOffset="-2px"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - 40
      }}
    >
      {replay.words ? null : (
        <HStack
          mx="3.5"
          mb="2"
          px="3"
          py="2"
          gap="2"
          flexWrap="wrap"
          borderWidth="1px"
          borderStyle="dashed"
          borderRadius="lg"
          fontSize="xs"
        >
          <EyeOff size={14} aria-hidden="true" style={{ flex: 'none' }} />
          <chakra.span flex="1 1 160px">{t('conversation.nowords')}</chakra.span>
          {conversation.mayreveal ? <AskToSee conversation={conversation.id} title={td('ask.words')} /> : null}
        </HStack>
      )}
      <Transcript replay={replay} names={names} />
    </Box>
  )
}

const Before = ({ conversation, to }: { readonly conversation: Conversation; readonly to: string }) => {
  const { t } = useTranslation('tool')
  const { bot, person, started } = conversation
  const before = useQuery(conversationsQuery({ bot, person, to: started, page: 1, size: 1 }))
  const count = before.data?.total ?? 0
  return count === 0 ? t('conversation.facts.none') : <Link to={to}>{t('conversation.facts.count', { count })}</Link>
}

interface ShownProps extends Omit<PaneProps, 'id'> {
  readonly conversation: Conversation
  readonly replay: Replay
}

const Shown = ({ conversation, replay, talk, ofPerson, onBack }: ShownProps) => {
  const { t } = useTranslation('tool')
  const { t: td } = useTranslation('desk')
  const { can } = useSession()
  const names = useBlockNames(replay)
  const isMiddle = useMedia(MIDDLE)
  const [isOpen, setOpen] = useState(false)
  const { id, user, person, channeltype } = conversation
  // A conversation between bots is forgotten with the one that links it.
  const mayForget = can('forgetconversation') && channeltype !== 'bot'
  const facts = (
    <ConversationFacts
      conversation={conversation}
      name={user?.name}
      replay={replay}
      names={names}
      forget={user === null || !mayForget ? null : <ForgetPerson id={id} name={user.name ?? user.id} />}
      readers={can('readaudit') && can('readuser') ? <Readers id={id} /> : null}
      before={<Before conversation={conversation} to={ofPerson(person)} />}
    />
  )
  return (
    <>
      <Head conversation={conversation} onBack={onBack} isQueued={talk !== undefined && talk.waiting !== null}>
        {isMiddle ? (
          <IconButton
            icon={ListTree}
            variant="outline"
            label={t('conversation.facts.title')}
            onClick={() => setOpen(true)}
          />
        ) : null}
        <SaveConversationAsTest id={id} bot={replay.bot} words={replay.words && conversation.revealed === null} />
        <Button asChild>
          <Link to={replayAddress(id)}>
            <Waypoints size={15} aria-hidden="true" />
            {t('conversation.seeflow')}
          </Link>
        </Button>
      </Head>
      {talk === undefined || conversation.status === 'ended' ? null : <QueueBand conversation={id} talk={talk} />}
      <Flex flex="1" minH="0">
        <Flex direction="column" flex="1" minW="0">
          <Words conversation={conversation} replay={replay} names={names} />
          <HStack px="4" py="2.5" gap="2.5" borderTopWidth="1px" bg="bg.surface" textStyle="dense" color="fg.muted">
            <Eye size={15} aria-hidden="true" />
            <Text flex="1">
              {conversation.status === 'ended' ? td('looking.closed') : t('conversation.onlylooking')}
            </Text>
            <TakeOver conversation={conversation} />
          </HStack>
        </Flex>
        {isMiddle ? null : (
          <Box w="248px" flex="none" overflowY="auto" borderInlineStartWidth="1px" bg="bg.surface">
            {facts}
          </Box>
        )}
      </Flex>
      <Modal open={isMiddle && isOpen} onClose={() => setOpen(false)} title={t('conversation.facts.title')}>
        <Box mx="-4">{facts}</Box>
      </Modal>
    </>
  )
}

/** One conversation: person, status, transcript and path. */
export const ConversationPane = ({ id, ...given }: PaneProps) => {
  const { t } = useTranslation('tool')
  const conversation = useQuery(conversationQuery(id))
  const replay = useQuery(replayQuery(id, conversation.data))
  const error = conversation.error ?? replay.error
  return (
    <Flex as="section" direction="column" flex="1" minW="0" minH="0" h="100%" aria-label={t('conversation.one')}>
      {error ? (
        <ErrorState error={error} onRetry={() => void replay.refetch()} />
      ) : conversation.data === undefined || replay.data === undefined ? (
        <Box p="4">
          <RowsSkeleton rows={6} />
        </Box>
      ) : (
        <Shown conversation={conversation.data} replay={replay.data} {...given} />
      )}
    </Flex>
  )
}
