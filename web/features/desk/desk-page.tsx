import { SearchField } from '#web/components/search-field.tsx'
import './desk.css'
import { Box, Button, chakra, Flex, HStack, Stack, Text, VisuallyHidden } from '@chakra-ui/react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartColumn, Inbox, Search } from 'lucide-react'
import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { DESK_VIEWS } from '#schemas/api/desk.ts'
import { channel as channelEntity } from '#schemas/entities/channel.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { useLabel } from '#web/entity/label.ts'
import { FilterChip } from '#web/entity/list/filter-chip.tsx'
import { Pagination } from '#web/entity/list/pagination.tsx'
import { botsQuery } from '#web/entity/read-all.ts'
import { BotsWithoutDesk, EnableDesk, useNow } from '#web/features/agentchannel/index.ts'
import { numberText } from '#web/format/number.ts'
import { help } from '#web/help/help-state.ts'
import { notice } from '#web/notice/notice.ts'
import { ErrorMessage } from '#web/page/error-page.tsx'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { useAddress, useIsLeaving } from '#web/page/use-address.ts'
import { type DeskSummary, deskSummaryQuery, isAtWork } from '#web/shell/desk-summary.ts'
import { LIST } from '#web/shell/storage-keys.ts'
import { usePageTitle, useTabBadge } from '#web/shell/use-instance-tab.ts'
import { NARROW, useMedia } from '#web/shell/use-media.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { Capacity, LostBand, NothingNewBand, StateSwitch, useOverCapacity } from './agent-state.tsx'
import { ChatList } from './chat-list.tsx'
import { ChatPane, ChatSkeleton } from './chat-pane.tsx'
import { DeskOptions, SoundBand, useDeskPreferences } from './desk-options.tsx'
import { type DeskChat, type DeskFilter, deskAct, deskChatQuery, deskListQuery, POLL_MS } from './desk-query.ts'
import { type DeskLive, useDeskSocket } from './desk-socket.ts'
import { useClosings } from './use-closing.ts'
import { useDeskAlerts } from './use-desk-alerts.ts'

const VIEWS = ['waiting', 'mine', 'all'] as const
/** Kept for the next visit. */
const REMEMBERED = ['view', 'bot', 'channeltype', 'queue'] as const
const SIZE = 50
/** The socket announces changes of chats, but not that a colleague is away, ms. */
const PRESENCE_MS = 60_000

/** The list's filter and the open chat, in the address. */
const useDeskFilter = () => {
  const { user } = useSession()
  const { params, put, addressOf } = useAddress()
  const isLeaving = useIsLeaving()
  const key = `${LIST}${user.id}.desk`
  const given = (name: string): string => params.get(name) ?? ''
  const view = DESK_VIEWS.find(one => one === params.get('view')) ?? 'all'
  const page = Math.max(1, Number(params.get('page')) || 1)
  const kept = REMEMBERED.map(name => given(name)).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, before the first choice
  useEffect(() => {
    if (isLeaving() || REMEMBERED.some(name => params.has(name))) return
    const values = (localStorage.getItem(key) ?? '').split('\n')
    put(Object.fromEntries(REMEMBERED.map((name, at) => [name, values[at]])))
  }, [])
  useEffect(() => {
    if (kept.trim() === '') localStorage.removeItem(key)
    else localStorage.setItem(key, kept)
  }, [key, kept])
  const query: DeskFilter = { view, page, size: SIZE }
  for (const name of ['bot', 'channeltype', 'queue', 'search'] as const)
    if (given(name) !== '') Object.assign(query, { [name]: given(name) })
  return { query, view, page, size: SIZE, open: params.get('open') ?? undefined, put, addressOf }
}

type DeskAddress = ReturnType<typeof useDeskFilter>

/** Tabs of the list, with how many chats each has. */
const Tabs = ({ address, counts }: { readonly address: DeskAddress; readonly counts: DeskSummary['counts'] }) => {
  const { t } = useTranslation('desk')
  return (
    <HStack role="group" aria-label={t('views')} gap="2px" p="2px" borderRadius="8px" bg="bg.sunken">
      {VIEWS.map(view => (
        <chakra.button
          key={view}
          type="button"
          aria-pressed={address.view === view}
          onClick={() => address.put({ view, page: '' })}
          flex="1"
          h={{ base: '11', md: '7' }}
          borderRadius="6px"
          fontSize="xs"
          fontWeight="semibold"
          whiteSpace="nowrap"
          cursor="pointer"
          focusVisibleRing="outside"
          fontVariantNumeric="tabular-nums"
          {...(address.view === view
            ? { bg: 'bg.surface', boxShadow: 'block' }
            : { color: 'fg.muted', _hover: { color: 'fg' } })}
        >
          {t(`view.${view}`)} {numberText(counts[view])}
        </chakra.button>
      ))}
    </HStack>
  )
}

const MetricsLink = () => {
  const { t } = useTranslation('desk')
  return (
    <Hint text={t('metrics.title')}>
      <Button
        asChild
        variant="outline"
        px="0"
        minH={{ base: '11', md: '30px' }}
        minW={{ base: '11', md: '8' }}
        ms="auto"
      >
        <Link to="/desk/metrics" aria-label={t('metrics.title')}>
          <ChartColumn size={16} strokeWidth={1.75} aria-hidden="true" />
        </Link>
      </Button>
    </Hint>
  )
}

/** Views of chats that nobody works on. */
const AWAY = ['snoozed', 'closed'] as const
const isAway = (view: string | undefined): boolean => AWAY.some(name => name === view)

/** Filters of the list: bot, channel, queue, and the chats that are put away or closed. */
const Filters = ({ address, summary }: { readonly address: DeskAddress; readonly summary: DeskSummary }) => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const label = useLabel()
  const { query, put, view } = address
  const [isSearching, setSearching] = useState(query.search !== undefined)
  const bots = useQuery({ ...botsQuery, enabled: can('readbot') })
  if (isSearching)
    return (
      <SearchField
        label={t('search')}
        value={query.search ?? ''}
        input={{
          autoFocus: true,
          onKeyDown: event => {
            if (event.key !== 'Escape') return
            put({ search: '', page: '' })
            setSearching(false)
          },
          onBlur: () => setSearching(query.search !== undefined),
        }}
        onChange={text => put({ search: text, page: '' })}
      />
    )
  const chosen = (name: 'bot' | 'channeltype' | 'queue') => (value: string | undefined) =>
    put({ [name]: value, page: '' })
  return (
    <HStack gap="1.5" flexWrap="wrap">
      <IconButton
        icon={Search}
        variant="outline"
        label={t('search')}
        minH={{ base: '11', md: '30px' }}
        minW={{ base: '11', md: '8' }}
        onClick={() => setSearching(true)}
      />
      {(bots.data?.items.length ?? 0) > 1 ? (
        <FilterChip
          title={t('filter.bot')}
          value={query.bot}
          options={bots.data?.items.map(({ id, name }) => ({ value: id, label: String(name) })) ?? []}
          onChange={chosen('bot')}
        />
      ) : null}
      <FilterChip
        title={t('filter.channel')}
        value={query.channeltype}
        options={channelEntity.fields.type.options.map(type => ({
          value: type,
          label: label.option('channel', 'type', type),
        }))}
        onChange={chosen('channeltype')}
      />
      {summary.queues.length > 1 || query.queue !== undefined ? (
        <FilterChip
          title={t('filter.queue')}
          value={query.queue}
          options={summary.queues.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={chosen('queue')}
        />
      ) : null}
      <FilterChip
        title={t('filter.away')}
        value={isAway(view) ? view : undefined}
        options={AWAY.map(name => ({
          value: name,
          label: name === 'snoozed' ? `${t(`view.${name}`)} ${numberText(summary.counts.snoozed)}` : t(`view.${name}`),
        }))}
        onChange={value => put({ view: value ?? '', page: '' })}
      />
      <MetricsLink />
    </HStack>
  )
}

interface ListedProps {
  readonly address: DeskAddress
  readonly live: DeskLive
  readonly taking: string | undefined
  readonly onTake: (chat: DeskChat) => void
}

/** Whether filters leave chats out, and not the view alone. */
const isFiltered = ({ bot, channeltype, queue, search }: DeskAddress['query']): boolean =>
  [bot, channeltype, queue, search].some(value => value !== undefined)

const Listed = ({ address, live, taking, onTake }: ListedProps) => {
  const { t } = useTranslation('desk')
  const { t: ts } = useTranslation('shell')
  const { user } = useSession()
  const now = useNow()
  const closings = useClosings()
  const { query, page, size, open, put, addressOf } = address
  const list = useQuery({ ...deskListQuery(query), refetchInterval: live.isConnected ? PRESENCE_MS : POLL_MS })
  if (list.data === undefined)
    return (
      <Box p="3">
        {list.error ? <ErrorState error={list.error} onRetry={() => void list.refetch()} /> : <RowsSkeleton rows={6} />}
      </Box>
    )
  const { total } = list.data
  const items = list.data.items.filter(({ conversation }) => !closings.has(conversation))
  return (
    <>
      {total === 0 && isFiltered(query) ? (
        <EmptyState icon={Search} title={ts('list.nothing')} text={ts('list.nothingtext')} hasHelp={false}>
          <Button onClick={() => put({ bot: '', channeltype: '', queue: '', search: '', page: '' })}>
            {ts('list.clear')}
          </Button>
        </EmptyState>
      ) : total === 0 ? (
        <>
          <EmptyState
            icon={Inbox}
            title={t(`empty.${query.view}`)}
            text={t(isAway(query.view) ? `empty.awaytext.${query.view}` : 'empty.text')}
          />
          {isAway(query.view) ? null : <BotsWithoutDesk />}
        </>
      ) : (
        <ChatList
          chats={items}
          open={open}
          now={now}
          live={live}
          me={user.id}
          taking={taking}
          addressOf={conversation => addressOf({ open: conversation })}
          onTake={onTake}
        />
      )}
      {total > size ? (
        <Box px="3" pb="3">
          <Pagination
            state={{ page, size }}
            total={total}
            onChange={({ page: next = 1 }) => put({ page: String(next) })}
          />
        </Box>
      ) : null}
      <VisuallyHidden role="status">
        {t('announce', { count: items.filter(({ status }) => status === 'waiting').length })}
      </VisuallyHidden>
    </>
  )
}

/** Links of the list's rows, from the first to the last. */
const rowsIn = (list: HTMLElement | null): readonly HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-chat] > a') ?? []),
]

/** Takes one chat at a time and opens it; a refusal names who was faster. */
const useTake = (put: DeskAddress['put']) => {
  const { t } = useTranslation('desk')
  const { user } = useSession()
  const client = useQueryClient()
  const taken = useRef(new Set<string>())
  const toAnswer = useRef<string>(undefined)
  const [taking, setTaking] = useState<string>()
  const take = async ({ conversation, holder }: DeskChat, isKey = false) => {
    if (taking !== undefined) return
    setTaking(conversation)
    toAnswer.current = isKey ? undefined : conversation
    taken.current.add(conversation)
    try {
      await (holder === null ? deskAct.take(conversation) : deskAct.assign(conversation, user.id))
      put({ open: conversation })
    } catch (failure) {
      taken.current.delete(conversation)
      notice.toast(failureOf(failure, t('failed')), { tone: 'warning' })
    }
    await client.invalidateQueries({ queryKey: ['desk'] })
    setTaking(undefined)
  }
  return {
    taken: taken.current,
    taking,
    /** The chat whose button was pressed: its answer is what the agent writes next. */
    toAnswer,
    take: (chat: DeskChat, isKey?: boolean) => void take(chat, isKey),
  }
}

/** Keys of the list: next and previous row, the chats one holds, back, and the list of keys. */
const useListKeys = (
  list: React.RefObject<HTMLElement | null>,
  {
    isOn,
    mine,
    address,
  }: {
    readonly isOn: boolean
    readonly mine: readonly DeskChat[]
    readonly address: DeskAddress
  },
) => {
  const move = (step: 1 | -1) => {
    const rows = rowsIn(list.current)
    const focused = rows.indexOf(document.activeElement as HTMLElement)
    const at = focused >= 0 ? focused : rows.findIndex(row => row.ariaCurrent === 'true')
    rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus()
  }
  useShortcut('j', () => move(1), isOn)
  useShortcut('k', () => move(-1), isOn)
  useShortcut('?', help.openKeys, isOn)
  const closings = [...useClosings().values()]
  useShortcut('z', () => closings.at(-1)?.undo(), isOn && closings.length > 0)
  useShortcut(
    'alt+1…9',
    ({ code }) => {
      const chat = mine[Number(code.slice(-1)) - 1]
      if (chat !== undefined) address.put({ open: chat.conversation })
    },
    isOn,
  )
  useShortcut(
    'Escape',
    () =>
      rowsIn(list.current)
        .find(row => row.ariaCurrent === 'true')
        ?.focus(),
    isOn,
  )
}

const Desk = ({ summary }: { readonly summary: DeskSummary }) => {
  const { t } = useTranslation('desk')
  const isNarrow = useMedia(NARROW)
  const address = useDeskFilter()
  const navigate = useNavigate()
  const { preferences, change } = useDeskPreferences()
  const list = useRef<HTMLDivElement>(null)
  const { open, put } = address
  const isGone = isProblem(useQuery({ ...deskChatQuery(open ?? ''), enabled: open !== undefined }).error, 404)
  const live = useDeskSocket(isGone ? undefined : open)
  useQuery({ ...deskSummaryQuery, refetchInterval: live.isConnected ? false : POLL_MS })
  const { taken, taking, toAnswer, take } = useTake(put)
  const mine = useDeskAlerts({
    ...{ summary, open, isNotified: preferences.notify, taken },
    // A notification may be pressed when another page is open.
    onOpen: conversation => void navigate(`/desk${address.addressOf({ open: conversation })}`),
  })
  const owed = mine.filter(({ unanswered }) => unanswered !== null).length
  usePageTitle(owed === 0 ? t('title') : `(${owed}) ${t('title')}`)
  useTabBadge(owed > 0)
  useListKeys(list, { isOn: preferences.keys, mine, address })
  useOverCapacity(summary.me)
  const pane =
    open === undefined ? undefined : (
      // Its texts load with the first chat: the list keeps its place and the focus.
      <Suspense fallback={<ChatSkeleton />}>
        <ChatPane
          key={open}
          id={open}
          live={live}
          preferences={preferences}
          isTaking={taking === open}
          toAnswer={toAnswer}
          onTake={take}
          onBack={isNarrow ? () => put({ open: '' }) : undefined}
        />
      </Suspense>
    )
  if (isNarrow && pane !== undefined)
    return (
      <>
        <VisuallyHidden as="h1">{t('title')}</VisuallyHidden>
        {pane}
      </>
    )
  const { me } = summary
  return (
    <Flex flex="1" minH="0" minW="0">
      <Flex
        direction="column"
        w={{ base: '100%', lg: '356px' }}
        flex="none"
        minH="0"
        bg={{ lg: 'bg.surface' }}
        borderInlineEndWidth={{ lg: '1px' }}
      >
        <Stack gap="2.5" px="3.5" py="3" borderBottomWidth={{ md: '1px' }} flex="none">
          <HStack gap="2">
            <chakra.h1 textStyle="page" flex="1" truncate>
              {t('title')}
            </chakra.h1>
            <DeskOptions self={summary.self} preferences={preferences} onChange={change} />
            {me.isagent ? <StateSwitch me={me} reasons={summary.pausereasons} /> : null}
          </HStack>
          {me.isagent ? <Capacity me={me} /> : null}
          <Tabs address={address} counts={summary.counts} />
          <Filters address={address} summary={summary} />
        </Stack>
        {me.isagent && (me.state === 'offline' || me.state === 'finishing') ? (
          <NothingNewBand state={me.state} />
        ) : null}
        {me.isagent && isAtWork(me.state) ? <LostBand isConnected={live.isConnected} /> : null}
        <SoundBand isWanted={me.isagent && isAtWork(me.state) && summary.self.sound_chat !== 'off'} />
        <Box ref={list} flex="1" minH="0" overflowY="auto" px={{ base: '3', md: '0' }} pt={{ base: '1', md: '0' }}>
          <Listed address={address} live={live} taking={taking} onTake={take} />
        </Box>
      </Flex>
      {isNarrow
        ? null
        : (pane ?? (
            <Text color="fg.muted" textStyle="dense" m="auto" px="6" textAlign="center">
              {summary.counts.all === 0 ? null : t('choose')}
            </Text>
          ))}
    </Flex>
  )
}

/** /desk: waiting people, and the chats of the team. */
export const DeskPage = () => {
  const { t } = useTranslation('desk')
  const { can } = useSession()
  const summary = useQuery({ ...deskSummaryQuery, enabled: can('showdesk') })
  usePageTitle(t('title'))
  if (!can('showdesk')) return <ErrorMessage code="403" />
  if (summary.data === undefined)
    return summary.error ? (
      <PageLoadError error={summary.error} onRetry={() => void summary.refetch()} />
    ) : (
      <PageSkeleton />
    )
  if (!summary.data.enabled)
    return (
      <Flex flex="1" justify="center">
        <VisuallyHidden as="h1">{t('title')}</VisuallyHidden>
        <EnableDesk />
      </Flex>
    )
  return <Desk summary={summary.data} />
}
