import { Button, chakra, HStack } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, GitCompareArrows, Headset, Minus, Play, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { flowAddress, rehearsalAddress } from '#web/entity/address.ts'
import { readRow } from '#web/entity/entity-query.ts'
import { liveRevision } from '#web/entity/flow/read-revisions.ts'
import { useLabel } from '#web/entity/label.ts'
import { SaveConversationAsTest } from '#web/features/conversationtest/index.ts'
import {
  countText,
  GroupEnds,
  RehearsalBar,
  type RehearsalGroupView,
  type RehearsalView,
  type RehearsedConversation,
  rehearsalWaysQuery,
  rehearsedQuery,
  UnknownList,
  useBeginRehearsal,
  useBlockName,
  useEndText,
  usePartial,
  useRehearsal,
  useStopRehearsal,
  useSummary,
} from '#web/features/rehearsal/index.ts'
import { dayOf, durationOf, momentOf } from '#web/format/time.ts'
import { useAddress, useGuardedNavigate } from '#web/page/use-address.ts'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { useShortcut } from '#web/shell/use-shortcut.ts'
import { ZoomTools } from './chrome/floating-tools.tsx'
import { flowAtQuery, flowDraftQuery } from './history/scene.ts'
import { ViewBar } from './mode/designer-bar.tsx'
import { RehearsalCanvas, type Way } from './rehearsal/rehearsal-canvas.tsx'
import { useFlowNames } from './session/flow-names.ts'
import { usePhone } from './session/use-phone.ts'
import './canvas/chrome.css'
import './history/history.css'
import './history/phone.css'
import './rehearsal/rehearsal.css'
import { isObject, textOf } from '#schemas/json.ts'
import { MessageText } from '#web/components/message-text.tsx'

type Turn = RehearsedConversation['today']['turns'][number]

/** The words of a message: its text, else the title of its card. */
const wordsOf = ({ content }: Turn['said'][number]): string => {
  if (!isObject(content)) return ''
  const { text, title, type } = content
  return [text, title].map(textOf).find(words => words !== '') ?? textOf(type)
}

const Said = ({ turn }: { readonly turn: Turn }) => (
  <>
    {turn.input === null ? null : (
      <p className="rt-bubble" data-from="user">
        {turn.input}
      </p>
    )}
    {turn.said.map((message, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a turn keep their order
      <div key={place} className="rt-bubble">
        <MessageText text={wordsOf(message)} />
        {message.actions.length === 0 ? null : <span className="rt-actions">{message.actions.join(' · ')}</span>}
      </div>
    ))}
  </>
)

const isSame = (one: Turn | undefined, other: Turn | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** A conversation: the words of both paths, then those of today and of after. */
const RehearsedTalk = ({ talk }: { readonly talk: RehearsedConversation }) => {
  const { t } = useTranslation('rehearsal')
  const { today, after } = talk
  const parted = today.turns.findIndex((turn, place) => !isSame(turn, after.turns[place]))
  const common = parted === -1 ? Math.min(today.turns.length, after.turns.length) : parted
  const sides = [
    { side: 'today', turns: today.turns.slice(common), Icon: Minus },
    { side: 'after', turns: after.turns.slice(common), Icon: Plus },
  ] as const
  return (
    <div className="rt-talk">
      {today.turns.slice(0, common).map((turn, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the turns of a conversation keep their order
        <Said key={place} turn={turn} />
      ))}
      {sides.map(({ side, turns, Icon }) =>
        turns.length === 0 ? null : (
          <section key={side} className="rt-side" data-side={side}>
            <h3>
              <Icon size={14} strokeWidth={2.5} aria-hidden />
              {t(side)}
            </h3>
            {turns.map((turn, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the turns of a conversation keep their order
              <Said key={place} turn={turn} />
            ))}
          </section>
        ),
      )}
    </div>
  )
}

/** The chosen group, and a conversation of it. */
interface Choice {
  readonly group: RehearsalGroupView | undefined
  readonly conversation: string | undefined
  chooseGroup(n: number): void
  chooseConversation(id: string): void
}

const useChoice = (view: RehearsalView | undefined): Choice => {
  const { params, put } = useAddress()
  const [conversation, setConversation] = useState<string>()
  const n = Number(params.get('group') ?? 1)
  const group = view?.groups.find(one => one.n === n) ?? view?.groups[0]
  return {
    group,
    conversation: group?.conversations.some(({ id }) => id === conversation) === true ? conversation : undefined,
    chooseGroup(next) {
      setConversation(undefined)
      put({ group: String(next) })
    },
    chooseConversation: setConversation,
  }
}

interface PaneProps {
  readonly view: RehearsalView
  readonly choice: Choice
}

/** Characters of an end in the name of a test. */
const MAX_END = 150

interface PeopleProps extends PaneProps {
  readonly group: RehearsalGroupView
}

/** Conversations of a group. Each can become a test, which then holds that it ends as today. */
const People = ({ view: { bot, words }, group, choice }: PeopleProps) => {
  const { t } = useTranslation('rehearsal')
  const label = useLabel()
  const end = useEndText()(group.today).slice(0, MAX_END)
  return (
    <ul className="rt-people" aria-label={t('conversations')}>
      {group.conversations.map(({ id, started, channeltype }) => (
        <li key={id}>
          <button
            type="button"
            aria-current={id === choice.conversation || undefined}
            onClick={() => choice.chooseConversation(id)}
          >
            <span>{label.option('channel', 'type', channeltype)}</span>
            <span>
              {momentOf(started)} <em>{id === choice.conversation ? t('shown') : t('see')}</em>
            </span>
          </button>
          <SaveConversationAsTest
            {...{ id, bot, words }}
            proposed={`${end} · ${momentOf(started)}`}
            isIcon
            size="xs"
            variant="ghost"
            minW={{ base: '11', md: '7' }}
            minH={{ base: '11', md: '7' }}
          />
        </li>
      ))}
    </ul>
  )
}

const Groups = ({ view, choice }: PaneProps) => {
  const { t } = useTranslation('rehearsal')
  const nameOf = useBlockName()
  return (
    <ul className="rt-groups">
      {view.groups.map(group => {
        const isOpen = group.n === choice.group?.n
        return (
          <li key={group.n}>
            <button
              type="button"
              className="rh-group"
              data-lost={group.lost || undefined}
              aria-expanded={isOpen}
              onClick={() => choice.chooseGroup(group.n)}
            >
              <b>{countText(group.count)}</b>
              <span>
                {t('by', { name: nameOf(group.parts) })}
                <GroupEnds group={group} />
              </span>
              <ChevronRight size={16} aria-hidden />
            </button>
            {isOpen && group.conversations.length > 0 ? <People view={view} group={group} choice={choice} /> : null}
          </li>
        )
      })}
    </ul>
  )
}

/** More or fewer conversations that a person takes over, of a thousand. */
const Handed = ({ view }: { readonly view: RehearsalView }) => {
  const { t } = useTranslation('rehearsal')
  const { today, after } = view.handed
  if (today === null || after === null || today === after || !view.done) return null
  const count = Math.round((Math.abs(after - today) / view.done) * 1000)
  return (
    <footer className="rt-foot">
      <Headset size={16} aria-hidden />
      {t(after > today ? 'more' : 'fewer', { count, shown: countText(count) })}
    </footer>
  )
}

const Found = ({ view, choice }: PaneProps) => {
  const { t } = useTranslation('rehearsal')
  const partial = usePartial(view)
  const summary = useSummary(view)
  const { total, from, to, elsewhere, state } = view
  return (
    <div className="pt-left rt-left" data-region="left">
      <div className="rt-head">
        <h1>{t('heading', { count: total ?? 2, shown: countText(total) })}</h1>
        <p>
          {from === null || to === null
            ? t('none')
            : t(dayOf(from) === dayOf(to) ? 'day' : 'period', { from: dayOf(from), to: dayOf(to) })}
        </p>
        <RehearsalBar view={view} />
        {view.ways === 0 ? null : <p>{t('ways', { count: view.ways ?? 2, shown: countText(view.ways) })}</p>}
        {partial === undefined ? null : <chakra.p color="warning.fg !important">{partial}</chakra.p>}
        {view.words ? null : <p>{t('nowords')}</p>}
      </div>
      {elsewhere === 0 ? (
        state === 'running' || total === 0 ? null : (
          <p className="rt-heading">{summary}</p>
        )
      ) : (
        <h2 className="rt-heading">
          {t('endtitle')} <span>{countText(elsewhere)}</span>
        </h2>
      )}
      <Groups view={view} choice={choice} />
      {view.unknown.length === 0 ? null : (
        <>
          <h2 className="rt-heading">{t('unknowntitle')}</h2>
          <UnknownList view={view} />
        </>
      )}
      <Handed view={view} />
    </div>
  )
}

/** Counts of one conversation: one, or none. */
const waysOf = (talk: RehearsedConversation): readonly Way[] => {
  const ways = new Map<string, Way>()
  for (const side of ['today', 'after'] as const)
    for (const { dialog, block, out } of talk[side].path) {
      const key = `${dialog} ${block} ${out}`
      ways.set(key, { dialog, block, out, today: 0, after: 0, ...ways.get(key), [side]: 1 })
    }
  return [...ways.values()]
}

const useFlows = (dialog: string) => {
  const address = { kind: 'dialog', id: dialog } as const
  const names = useFlowNames(address)
  const row = useQuery({
    queryKey: ['dialog', 'live', dialog],
    queryFn: () => readRow('dialog', dialog),
  })
  const live = row.data === undefined ? undefined : liveRevision(row.data)
  const before = useQuery({ ...flowAtQuery(address, live ?? 0), enabled: live !== undefined })
  const after = useQuery(flowDraftQuery(address))
  return { names, before: before.data, after: after.data, error: row.error ?? before.error ?? after.error }
}

const Talk = ({ view, choice }: PaneProps) => {
  const { t } = useTranslation('rehearsal')
  const label = useLabel()
  const { group, conversation } = choice
  const shown = useQuery({ ...rehearsedQuery(view.rehearsal, conversation ?? ''), enabled: conversation !== undefined })
  if (group === undefined || conversation === undefined) return null
  const at = group.conversations.findIndex(({ id }) => id === conversation)
  const beside = (by: number) => group.conversations[at + by]?.id
  const go = (id: string | undefined) => (id === undefined ? undefined : choice.chooseConversation(id))
  return (
    <div className="pt-right rt-right" data-region="inspector">
      <HStack className="rt-talk-head" gap="1" justify="space-between">
        <span>
          {shown.data === undefined
            ? '…'
            : `${momentOf(shown.data.started)} · ${label.option('channel', 'type', shown.data.channeltype)}`}
        </span>
        <span>
          <IconButton
            icon={ChevronLeft}
            label={t('before')}
            disabled={beside(-1) === undefined}
            onClick={() => go(beside(-1))}
          />
          <IconButton
            icon={ChevronRight}
            label={t('next')}
            disabled={beside(1) === undefined}
            onClick={() => go(beside(1))}
          />
        </span>
      </HStack>
      {shown.error === null ? null : <ErrorState error={shown.error} />}
      {shown.data === undefined ? null : <RehearsedTalk talk={shown.data} />}
    </div>
  )
}

const Legend = () => {
  const { t } = useTranslation('rehearsal')
  return (
    <p className="pl-float rt-legend">
      {(['both', 'today', 'after'] as const).map(side => (
        <span key={side}>
          <i data-side={side} />
          {t(side)}
        </span>
      ))}
    </p>
  )
}

/** The two ways of the chosen group, or of the chosen conversation of it. */
const Ways = ({ view, choice, dialog }: PaneProps & { readonly dialog: string }) => {
  const { group, conversation } = choice
  const ways = useQuery({
    ...rehearsalWaysQuery(view.rehearsal, group?.n ?? 1, view.done ?? 0),
    enabled: group !== undefined,
  })
  const talk = useQuery({ ...rehearsedQuery(view.rehearsal, conversation ?? ''), enabled: conversation !== undefined })
  const { names, before, after, error } = useFlows(dialog)
  const phone = usePhone()
  if (error !== null) return <ErrorState error={error} />
  if (before === undefined || after === undefined) return <DesignerSkeleton />
  const shown = conversation === undefined ? (ways.data?.ways ?? []) : talk.data === undefined ? [] : waysOf(talk.data)
  const { parts } = group ?? {}
  return (
    <RehearsalCanvas
      before={before}
      after={after}
      dialog={dialog}
      names={names}
      ways={shown}
      parts={parts?.dialog === dialog ? parts.block : undefined}
    >
      {canvas => (
        <>
          <ZoomTools canvas={canvas} />
          {phone ? null : <Legend />}
        </>
      )}
    </RehearsalCanvas>
  )
}

const Band = ({ view, onAgain }: { readonly view: RehearsalView; readonly onAgain: () => void }) => {
  const { t } = useTranslation('rehearsal')
  const stop = useStopRehearsal()
  const isRunning = view.state === 'running'
  return (
    <div className="pt-band" role="status">
      {isRunning ? <Play size={16} aria-hidden /> : <GitCompareArrows size={16} aria-hidden />}
      <span className="pt-band-text">{t('band')}</span>
      <small>
        {isRunning
          ? t('running', { done: countText(view.done), total: countText(view.total) })
          : t('took', { time: durationOf(view.ms) })}
      </small>
      <button type="button" className="rt-again" onClick={() => (isRunning ? stop.mutate(view.rehearsal) : onAgain())}>
        {t(isRunning ? 'stop' : 'again')}
      </button>
    </div>
  )
}

interface FrameProps extends Readonly<Record<'found' | 'band' | 'canvas' | 'talk', ReactNode>> {
  readonly phone: boolean
}

const Frame = ({ phone, found, band, canvas, talk }: FrameProps) =>
  phone ? (
    <div className="rt-phone">
      {band}
      {found}
      {canvas}
      {talk}
    </div>
  ) : (
    <div className="pt-history">
      {found}
      <div className="pt-middle">
        {band}
        {canvas}
      </div>
      {talk}
    </div>
  )

/** /designer/rehearsal/{id}: what a draft would change in recorded conversations, as two ways on the canvas. */
export const RehearsalPage = () => {
  const { t } = useTranslation('rehearsal')
  const { id = '' } = useParams()
  const { params } = useAddress()
  const navigate = useNavigate()
  const goOn = useGuardedNavigate()
  const phone = usePhone()
  const { data: view, error } = useRehearsal(id)
  const choice = useChoice(view)
  const begin = useBeginRehearsal()
  usePageTitle(t('title'))
  const bot = view?.bot ?? params.get('bot') ?? ''
  const own = params.get('dialog') ?? undefined
  const dialog = choice.group?.parts.dialog ?? own
  const leave = () => void navigate(own === undefined ? `/bot/${bot}` : flowAddress('dialog', own))
  const again = () =>
    begin.mutate(
      { bot, dialogs: own === undefined ? [] : [own], handlers: [] },
      {
        onSuccess: ({ rehearsal }) => void goOn(rehearsalAddress(rehearsal, { bot, dialog: own }), { replace: true }),
      },
    )
  useShortcut('Escape', leave)
  return (
    <chakra.div display="flex" flexDirection="column" flex="1" minH="0">
      <ViewBar dialog={dialog} title={t('title')} leave={t('leave')} onLeave={leave} />
      {error !== null && view === undefined ? (
        <EmptyState icon={GitCompareArrows} title={t('over')} text={t('overtext')}>
          <Button variant="solid" loading={begin.isPending} onClick={again}>
            {t('begin')}
          </Button>
        </EmptyState>
      ) : view === undefined ? (
        <DesignerSkeleton />
      ) : (
        <Frame
          phone={phone}
          found={<Found view={view} choice={choice} />}
          band={<Band view={view} onAgain={again} />}
          canvas={dialog === undefined ? null : <Ways key={dialog} view={view} choice={choice} dialog={dialog} />}
          talk={<Talk view={view} choice={choice} />}
        />
      )}
    </chakra.div>
  )
}
