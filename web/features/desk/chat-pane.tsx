import { Box, Button, chakra, Flex, HStack, Text } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  AlarmClock,
  ArrowLeft,
  ArrowRightLeft,
  Check,
  CornerUpLeft,
  Ellipsis,
  Eye,
  Flag,
  Headset,
  ListTree,
  MessagesSquare,
  Tags,
  Undo2,
  Waypoints,
} from 'lucide-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { ActionMenu, type MenuAction } from '#web/components/action-menu.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { replayAddress } from '#web/entity/address.ts'
import { useLabel } from '#web/entity/label.ts'
import { closesIn, VisitorAvatar, WriteFirst } from '#web/features/conversation/index.ts'
import { notice } from '#web/notice/notice.ts'
import { MIDDLE, PHONE, useMedia } from '#web/shell/use-media.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { ClosePanel, DeclinePanel, ReturnPanel, SnoozePanel, TagPanel, TransferPanel } from './chat-acts.tsx'
import { ChatFacts, HiddenChat } from './chat-facts.tsx'
import { initialsName, shownPerson } from './chat-list.tsx'
import { ChatWords } from './chat-words.tsx'
import { Composer } from './composer.tsx'
import type { DeskPreferences } from './desk-options.tsx'
import { type DeskChat, type DeskChatDetail, deskAct, deskChatQuery, POLL_MS } from './desk-query.ts'
import type { DeskLive } from './desk-socket.ts'
import { TemplateOffer } from './template-panel.tsx'
import { type Closing, useClosings } from './use-closing.ts'
import { type ComposerHandle, useDraft } from './use-composer.ts'
import { useOutbox } from './use-outbox.ts'

const PANELS = {
  transfer: TransferPanel,
  decline: DeclinePanel,
  return: ReturnPanel,
  close: ClosePanel,
  snooze: SnoozePanel,
  tags: TagPanel,
} as const
type PanelName = keyof typeof PANELS

const PRIORITIES = [3, 2, 1, 0] as const

interface HeadProps {
  readonly chat: DeskChatDetail
  readonly onBack: (() => void) | undefined
  readonly children: ReactNode
}

const Head = ({ chat, onBack, children }: HeadProps) => {
  const { t } = useTranslation('desk')
  const label = useLabel()
  const standing = chat.mine
    ? t('head.mine')
    : chat.holder === null
      ? t(`head.${chat.status}`)
      : t(chat.away ? 'head.withaway' : 'head.with', { name: chat.holder.name })
  return (
    <Flex
      className="dk-head"
      gap="2"
      px={{ base: '2', md: '5' }}
      py="2.5"
      align="center"
      borderBottomWidth="1px"
      bg="bg.surface"
      flex="none"
    >
      {onBack === undefined ? null : (
        <IconButton icon={ArrowLeft} iconSize={18} minW="11" minH="11" label={t('back')} onClick={onBack} />
      )}
      <Box hideBelow="md">
        <VisitorAvatar name={initialsName(chat.person)} size={38} />
      </Box>
      <Box flex="1" minW="0">
        <chakra.h2 textStyle="title" truncate title={shownPerson(chat)}>
          {shownPerson(chat)}
        </chakra.h2>
        <Text textStyle="secondary" color="fg.muted" truncate>
          {[label.option('channel', 'type', chat.channeltype), chat.queuename, standing].filter(Boolean).join(' · ')}
        </Text>
      </Box>
      {children}
    </Flex>
  )
}

/** Over the composer, for a chat that a colleague passed on and that its holder has not answered. */
const PassedBar = ({ by, onDecline }: { readonly by: string; readonly onDecline: () => void }) => {
  const { t } = useTranslation('desk')
  return (
    <HStack
      px={{ base: '3', md: '5' }}
      py="2"
      gap="2.5"
      borderTopWidth={{ base: '0', md: '1px' }}
      bg="bg.surface"
      textStyle="dense"
      color="fg.muted"
      flex="none"
    >
      <ArrowRightLeft size={15} aria-hidden="true" />
      <Text flex="1" minW="0">
        {t('passed.by', { name: by })}
      </Text>
      <Button data-act="decline" minH={{ base: '11', md: '8' }} onClick={onDecline}>
        <Undo2 size={15} aria-hidden="true" />
        {t('act.decline')}
      </Button>
    </HStack>
  )
}

interface LookingProps {
  readonly chat: DeskChatDetail
  readonly mayTake: boolean
  readonly isTaking: boolean
  readonly onTake: () => void
}

/** In place of the composer, for a chat that the caller does not hold. */
const LookingBar = ({ chat, mayTake, isTaking, onTake }: LookingProps) => {
  const { t } = useTranslation('desk')
  return (
    <HStack
      px={{ base: '3', md: '5' }}
      py="2.5"
      gap="2.5"
      borderTopWidth="1px"
      bg="bg.surface"
      textStyle="dense"
      color="fg.muted"
      flex="none"
    >
      <Eye size={15} aria-hidden="true" />
      <Text flex="1">{chat.status === 'closed' ? t('looking.closed') : t('looking.only')}</Text>
      {chat.status === 'closed' && !chat.forgotten ? (
        <WriteFirst id={chat.conversation} bot={chat.bot} channeltype={chat.channeltype} name={chat.person} />
      ) : null}
      {mayTake ? (
        <Button variant="solid" minH={{ base: '11', md: '8' }} loading={isTaking} onClick={onTake}>
          <Headset size={15} aria-hidden="true" />
          {t('take')}
        </Button>
      ) : null}
    </HStack>
  )
}

/** In place of the composer, while closing the chat can be undone. */
const ClosingBar = ({ closing }: { readonly closing: Closing }) => {
  const { t } = useTranslation('desk')
  return (
    <HStack px={{ base: '3', md: '5' }} py="2.5" gap="2.5" borderTopWidth="1px" bg="bg.surface" flex="none">
      <Text flex="1" textStyle="dense" color="fg.muted">
        {t('undo.text')}
      </Text>
      <Button variant="ghost" minH={{ base: '11', md: '8' }} onClick={closing.now}>
        {t('undo.now')}
      </Button>
      <Button autoFocus minH={{ base: '11', md: '8' }} onClick={closing.undo}>
        <Undo2 size={15} aria-hidden="true" />
        {t('undo.do')}
      </Button>
    </HStack>
  )
}

/** Rare actions of a chat, and the way to its conversation. */
const useMore = (chat: DeskChatDetail, openPanel: (name: PanelName) => void): readonly MenuAction[] => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const run = async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (failure) {
      notice.toast(failureOf(failure, t('failed')), { tone: 'danger' })
    }
    await client.invalidateQueries({ queryKey: ['desk'] })
  }
  const { conversation: id, status, mine } = chat
  const mayAssign = can('assignconversation') && status !== 'closed'
  const own: MenuAction[] = mine
    ? [
        status === 'snoozed'
          ? { id: 'wake', label: t('act.wake'), icon: AlarmClock, run: () => void run(() => deskAct.wake(id)) }
          : { id: 'snooze', label: t('act.snooze'), icon: AlarmClock, keys: 'S', run: () => openPanel('snooze') },
        { id: 'tags', label: t('act.tags'), icon: Tags, run: () => openPanel('tags') },
      ]
    : []
  const given: MenuAction[] = mayAssign
    ? [
        ...(chat.holder === null
          ? []
          : [
              {
                id: 'release',
                label: t('act.release'),
                icon: Undo2,
                run: () => void run(() => deskAct.assign(id, null)),
              },
            ]),
        ...PRIORITIES.map((priority, place) => ({
          id: `priority${priority}`,
          label: t(`priority.${priority}`),
          icon: Flag,
          checked: chat.priority === priority,
          separated: place === 0 && (own.length > 0 || chat.holder !== null),
          run: () => void run(() => deskAct.prioritize(id, priority)),
        })),
      ]
    : []
  return [
    ...own,
    ...given,
    {
      id: 'conversation',
      label: t('act.conversation'),
      icon: MessagesSquare,
      separated: own.length + given.length > 0,
      run: () => void navigate(`/bot/conversation/${chat.bot}?open=${id}`),
    },
    { id: 'replay', label: t('facts.replay'), icon: Waypoints, run: () => void navigate(replayAddress(id)) },
  ]
}

interface PaneProps {
  readonly id: string
  readonly live: DeskLive
  readonly preferences: DeskPreferences
  readonly isTaking: boolean
  /** The chat whose answer gets the focus as soon as the caller holds it. */
  readonly toAnswer: RefObject<string | undefined>
  readonly onTake: (chat: DeskChat, isKey?: boolean) => void
  readonly onBack: (() => void) | undefined
}

/** Buttons of the holder, in the header, and over the composer on a phone. */
const HolderActs = ({ isPhone, onOpen }: { readonly isPhone: boolean; readonly onOpen: (name: PanelName) => void }) => {
  const { t } = useTranslation('desk')
  const size = isPhone ? ({ flex: 1, minH: '11' } as const) : {}
  return (
    <>
      <Button {...size} data-act="transfer" onClick={() => onOpen('transfer')}>
        <ArrowRightLeft size={15} aria-hidden="true" />
        {t('act.transfer')}
      </Button>
      <Button {...size} data-act="return" onClick={() => onOpen('return')}>
        <CornerUpLeft size={15} aria-hidden="true" />
        <span className="dk-long">{t('act.returntobot')}</span>
        <span className="dk-short">{t('act.tobot')}</span>
      </Button>
      <Button {...size} data-act="close" onClick={() => onOpen('close')}>
        <Check size={15} aria-hidden="true" />
        {t('act.close')}
      </Button>
    </>
  )
}

interface ChatRights {
  readonly isHolder: boolean
  readonly mayTake: boolean
  readonly isNoteOnly: boolean
}

/** Rights of the caller to a chat; `isClosing`: it is closed unless that is undone. */
const useChatRights = ({ status, mine, maytake, holder }: DeskChatDetail, isClosing: boolean): ChatRights => {
  const { can } = useSession()
  const isOpen = status !== 'closed' && !isClosing
  const isHolder = mine && isOpen
  return {
    isHolder,
    mayTake: (status === 'waiting' && maytake) || (holder !== null && !mine && isOpen && can('assignconversation')),
    isNoteOnly: !isHolder && isOpen && can('superviseconversation'),
  }
}

interface KeyTargets {
  readonly composer: RefObject<ComposerHandle | null>
  readonly openPanel: (name: PanelName) => void
  readonly onTake: () => void
}

/** Keys of the open chat. */
const useChatKeys = (isOn: boolean, chat: DeskChatDetail, rights: ChatRights, targets: KeyTargets): void => {
  const { composer, openPanel, onTake } = targets
  const isHeld = isOn && rights.isHolder
  useShortcut('r', () => composer.current?.focus('answer'), isHeld)
  useShortcut('n', () => composer.current?.focus('note'), isHeld || (isOn && rights.isNoteOnly))
  useShortcut('/', () => composer.current?.openCanned(), isHeld)
  useShortcut('t', () => openPanel('transfer'), isHeld)
  useShortcut('b', () => openPanel('return'), isHeld)
  useShortcut('e', () => openPanel('close'), isHeld)
  useShortcut('s', () => openPanel('snooze'), isHeld && chat.status === 'held')
  useShortcut('a', onTake, isOn && rights.mayTake)
}

interface ToolsProps {
  readonly chat: DeskChatDetail
  readonly rights: ChatRights
  readonly openPanel: (name: PanelName) => void
  /** Opens the facts where they are not beside the chat. */
  readonly onFacts: (() => void) | undefined
}

const TOUCH = { minW: { base: '11', md: '8' }, minH: { base: '11', md: '8' } } as const

/** Right of the header. */
const HeadTools = ({ chat, rights, openPanel, onFacts }: ToolsProps) => {
  const { t } = useTranslation('desk')
  const isPhone = useMedia(PHONE)
  const more = useMore(chat, openPanel)
  return (
    <>
      {rights.isHolder && !isPhone ? <HolderActs isPhone={false} onOpen={openPanel} /> : null}
      {onFacts === undefined ? null : (
        <IconButton icon={ListTree} label={t('facts.title')} {...TOUCH} onClick={onFacts} />
      )}
      <ActionMenu label={t('more')} actions={more}>
        <IconButton icon={Ellipsis} label={t('more')} data-act="more" {...TOUCH} />
      </ActionMenu>
    </>
  )
}

/** The open panel and its anchor: the button of its act, else the menu with it. */
const usePanel = () => {
  const box = useRef<HTMLDivElement>(null)
  const [panel, setPanel] = useState<{ readonly name: PanelName; readonly anchor: HTMLElement | null }>()
  const find = (act: string) => box.current?.querySelector<HTMLElement>(`[data-act=${act}]`) ?? null
  return {
    box,
    panel,
    open: (name: PanelName) => setPanel({ name, anchor: find(name) ?? find('more') }),
    close: () => setPanel(undefined),
  }
}

interface OpenPanelProps {
  readonly name: PanelName
  readonly anchor: HTMLElement | null
  readonly chat: DeskChatDetail
  readonly onClose: () => void
}

/** A panel, with the chat kept fresh: the socket tells nothing of its queues, colleagues and places of return. */
const OpenPanel = ({ name, ...given }: OpenPanelProps) => {
  useQuery({ ...deskChatQuery(given.chat.conversation), refetchOnMount: 'always', refetchInterval: POLL_MS })
  const Panel = PANELS[name]
  return <Panel {...given} />
}

type ShownProps = Omit<PaneProps, 'id'> & { readonly chat: DeskChatDetail }

const Shown = ({ chat, live, preferences, isTaking, toAnswer, onTake, onBack }: ShownProps) => {
  const { t } = useTranslation('desk')
  const { user } = useSession()
  const isMiddle = useMedia(MIDDLE)
  const isPhone = useMedia(PHONE)
  const composer = useRef<ComposerHandle>(null)
  const { box, panel, open, close } = usePanel()
  const [isFactsOpen, setFactsOpen] = useState(false)
  const [isChanged, setChanged] = useState(false)
  const { conversation: id } = chat
  const draft = useDraft(id, chat.forgotten)
  const outbox = useOutbox(chat, ({ text, isNote }) => {
    setChanged(true)
    draft.change(isNote ? { note: text } : { answer: text })
  })
  const send: typeof outbox.send = message => {
    setChanged(false)
    outbox.send(message)
  }
  const closing = useClosings().get(id)
  const rights = useChatRights(chat, closing !== undefined)
  useChatKeys(preferences.keys, chat, rights, { composer, openPanel: open, onTake: () => onTake(chat, true) })
  const isToAnswer = rights.isHolder && toAnswer.current === id
  useEffect(() => {
    if (isToAnswer) toAnswer.current = undefined
  }, [isToAnswer, toAnswer])
  const typing = live.typing.get(id) ?? []
  return (
    <Flex ref={box} flex="1" minW="0" minH="0">
      <Flex className="dk-pane" direction="column" flex="1" minW="0" minH="0">
        <Head chat={chat} onBack={onBack}>
          <HeadTools
            chat={chat}
            rights={rights}
            openPanel={open}
            onFacts={isMiddle ? () => setFactsOpen(true) : undefined}
          />
        </Head>
        <ChatWords chat={chat} outbox={outbox} isTyping={typing.some(({ from }) => from === 'user')} />
        {rights.isHolder && isPhone ? (
          <HStack px="3" pt="2" gap="2" bg="bg.surface" borderTopWidth="1px" flex="none">
            <HolderActs isPhone onOpen={open} />
          </HStack>
        ) : null}
        {closing === undefined ? null : <ClosingBar closing={closing} />}
        {rights.isHolder || closing !== undefined ? null : (
          <LookingBar chat={chat} mayTake={rights.mayTake} isTaking={isTaking} onTake={() => onTake(chat)} />
        )}
        {rights.isHolder && chat.decline !== null ? (
          <PassedBar by={chat.decline.by} onDecline={() => open('decline')} />
        ) : null}
        {rights.isHolder ? <TemplateOffer chat={chat} /> : null}
        {rights.isHolder || rights.isNoteOnly ? (
          <Composer
            key={String(rights.isNoteOnly)}
            ref={composer}
            isFocused={isToAnswer && !isPhone}
            chat={chat}
            enterSends={preferences.enterSends}
            isNoteOnly={rights.isNoteOnly}
            outbox={{ send }}
            draft={draft}
            viewers={(live.viewing.get(id) ?? []).filter(one => one.user !== user.id)}
            typist={typing.find(({ from }) => from === 'agent')?.name}
            isChanged={isChanged}
            onTyping={on => live.sendTyping(id, on)}
          />
        ) : null}
      </Flex>
      {isMiddle ? null : (
        <Box w="285px" flex="none" overflowY="auto" borderInlineStartWidth="1px" bg="bg.surface">
          <ChatFacts chat={chat} />
        </Box>
      )}
      <Modal open={isMiddle && isFactsOpen} onClose={() => setFactsOpen(false)} title={t('facts.title')}>
        <Box mx="-4">
          <ChatFacts chat={chat} />
        </Box>
      </Modal>
      {panel === undefined ? null : <OpenPanel {...panel} chat={chat} onClose={close} />}
    </Flex>
  )
}

export const ChatSkeleton = () => (
  <Box flex="1" p="4">
    <RowsSkeleton rows={6} />
  </Box>
)

/** One chat of the desk: its words, its acts and the field for the answer. */
export const ChatPane = ({ id, ...given }: PaneProps) => {
  const { t } = useTranslation('desk')
  const chat = useQuery({
    ...deskChatQuery(id),
    // The socket tells nothing of chats that are seen because their reader asked.
    refetchInterval: ({ state: { data, error } }) => {
      if (!given.live.isConnected) return POLL_MS
      if (isProblem(error, 404) || isProblem(error, 403)) return false
      return data === undefined || data.revealed === null ? false : data.mine ? (closesIn(data) ?? false) : POLL_MS
    },
  })
  return (
    <Flex as="section" direction="column" flex="1" minW="0" minH="0" h="100%" aria-label={t('chat')}>
      {isProblem(chat.error, 403) && chat.error.code === 'desk.ask' ? (
        <HiddenChat id={id} problem={chat.error} onBack={given.onBack} />
      ) : isProblem(chat.error, 404) ? (
        <EmptyState icon={MessagesSquare} title={t('gone.title')} text={t('gone.text')} hasHelp={false}>
          {given.onBack === undefined ? null : <Button onClick={given.onBack}>{t('back')}</Button>}
        </EmptyState>
      ) : chat.data !== undefined ? (
        <Shown {...given} chat={chat.data} />
      ) : chat.error ? (
        <Box p="4">
          <ErrorState error={chat.error} onRetry={() => void chat.refetch()} />
        </Box>
      ) : (
        <ChatSkeleton />
      )}
    </Flex>
  )
}
