import './transcript.css'
import {
  Brain,
  Check,
  CheckCheck,
  CircleAlert,
  CircleHelp,
  Clock,
  Headset,
  Megaphone,
  RotateCcw,
  TriangleAlert,
  Waypoints,
} from 'lucide-react'
import { memo, type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { JsonObject } from '#schemas/event.ts'
import { MessageText } from '#web/components/message-text.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { durationOf, minuteOf, momentOf, secondOf } from '#web/format/time.ts'
import type { Replay, Turn } from './conversation-query.ts'
import { DeskLine, RatingLine } from './desk-line.tsx'
import { type AgentMessage, type Between, cardsOf, itemsOf, partsOf, type TranscriptItem } from './transcript-items.ts'

type Delivered = NonNullable<Turn['said'][number]['delivery']>

const ICON: Readonly<Record<string, typeof Check>> = {
  sending: Clock,
  waiting: Clock,
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  read: CheckCheck,
  played: CheckCheck,
  failed: CircleAlert,
  unknown: CircleHelp,
}
/** Reasons that have words of their own; others are the provider's codes. */
const REASONS = new Set(['window', 'disabled', 'channel', 'forgotten', 'tries'])

/** Delivery status of a message at the provider. */
export const Delivery = ({ status, code }: Pick<Delivered, 'status' | 'code'>) => {
  const { t } = useTranslation('tool')
  const Icon = ICON[status] ?? Clock
  const reason = REASONS.has(code) ? t(`conversation.delivery.reason.${code}`) : code
  return (
    <span className="cv-delivery" data-status={status}>
      <Icon size={12} aria-hidden />
      {t(`conversation.delivery.${status}`)}
      {status === 'failed' && code !== '' ? `: ${reason}` : null}
    </span>
  )
}

interface TranscriptNames {
  titleOf(dialog: string, block: string): string
}

interface TurnProps {
  readonly turn: Turn
  /** Whether what was said may be read. */
  readonly words: boolean
  readonly names: TranscriptNames
  /** Whether a line of the desk says that the chat with an agent ended. */
  readonly isEndOfChat: boolean
  /** Selected step of this turn; undefined: none. */
  readonly at?: number | undefined
  readonly later?: boolean
  readonly onStep?: ((turn: number, place: number) => void) | undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Something that may not be read: a dashed box with what it was, as long for every value. */
export const RedactedValue = ({ kind }: { readonly kind: string }) => <span className="cv-hidden">{kind}</span>

interface BubbleProps {
  readonly from: 'bot' | 'user'
  readonly current?: boolean
  readonly onPress?: (() => void) | undefined
  readonly children: ReactNode
}

/** A message of a conversation. */
export const Bubble = ({ from, current = false, onPress, children }: BubbleProps) =>
  onPress === undefined ? (
    <div className="cv-bubble" data-from={from}>
      {children}
    </div>
  ) : (
    <button
      type="button"
      className="cv-bubble"
      data-from={from}
      aria-current={current ? 'step' : undefined}
      onClick={onPress}
    >
      {children}
    </button>
  )

/** Message of the bot: its texts and buttons, card by card; the name of its type where it has no text. */
const BotWords = ({ message, words }: { readonly message: Turn['said'][number]; readonly words: boolean }) => {
  const { t } = useTranslation('tool')
  const cards = cardsOf(message as JsonObject)
  if (!words || message.type === undefined) return <RedactedValue kind={t('conversation.message')} />
  if (cards.every(({ lines }) => lines.length === 0))
    return (
      <>
        {t(`conversation.kind.${message.type}`, { defaultValue: t('conversation.message') })}
        <Buttons titles={cards.flatMap(({ buttons }) => buttons)} />
      </>
    )
  return cards.map(({ lines, buttons }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a card has no identity beside its place
    <span key={place} className="cv-card">
      <MessageText text={lines.join('\n')} />
      <Buttons titles={buttons} />
    </span>
  ))
}

const Buttons = ({ titles }: { readonly titles: readonly string[] }) =>
  titles.length === 0 ? null : (
    <span className="cv-actions">
      {titles.map(title => (
        <span key={title}>{title}</span>
      ))}
    </span>
  )

const LINE = { tried: RotateCcw, called: Waypoints, problem: TriangleAlert, agent: Headset } as const
const WARNS = new Set(['tried', 'problem'])

const Line = ({
  item,
  names,
}: {
  readonly item: Exclude<TranscriptItem, { kind: 'said' }>
  readonly names: TranscriptNames
}) => {
  const { t } = useTranslation('tool')
  const { kind, step } = item
  const Icon = LINE[kind]
  return (
    <p
      className="cv-line"
      data-side={kind === 'tried' ? 'user' : undefined}
      data-tone={WARNS.has(kind) ? 'warning' : undefined}
    >
      <Icon size={12} aria-hidden />
      {t(`conversation.did.${kind}`, {
        block: names.titleOf(step.dialog, step.block),
        tries: kind === 'tried' ? item.tries : 0,
        time: durationOf(step.ms),
        code: typeof step.problem === 'string' ? step.problem : '',
      })}
    </p>
  )
}

type Answered = NonNullable<Turn['input']['answers']>

/** The message of a campaign that the person answers. */
const CampaignMessage = ({ answers, words }: { readonly answers: Answered; readonly words: boolean }) => {
  const { t } = useTranslation('tool')
  const time = text(answers.time)
  return (
    <>
      <p className="cv-line">
        <Megaphone size={12} aria-hidden />
        {t('conversation.campaign', { template: text(answers.template) ?? '' })}
        {time === undefined ? null : ` · ${momentOf(time)}`}
      </p>
      <Bubble from="bot">
        <BotWords message={{ ...answers, block: null }} words={words} />
      </Bubble>
    </>
  )
}

type InputProps = Pick<TurnProps, 'turn' | 'words' | 'isEndOfChat'> & { readonly onPress?: () => void }

const Input = ({ turn, words, isEndOfChat, onPress }: InputProps) => {
  const { t } = useTranslation('tool')
  const { kind, said } = turn.input
  if (isEndOfChat) return null
  if (kind !== 'message') return <p className="cv-line">{t(`conversation.input.${kind}`)}</p>
  const shown = said?.masked === true ? undefined : text(said?.text)
  const { answers } = turn.input
  return (
    <>
      {answers === undefined ? null : <CampaignMessage answers={answers} words={words} />}
      <Bubble from="user" onPress={onPress}>
        {words && shown !== undefined ? (
          shown
        ) : (
          <RedactedValue kind={t(words && said?.masked === true ? 'conversation.hidden' : 'conversation.answer')} />
        )}
      </Bubble>
    </>
  )
}

/** As what the person's words were understood, and how surely. */
const Understood = ({ understood }: Pick<Turn, 'understood'>) => {
  const { intent = null, confidence = null } = understood ?? {}
  if (intent === null) return null
  return (
    <p className="cv-line" data-side="user">
      <Brain size={12} aria-hidden />
      {intent}
      {confidence === null ? null : ` ${Math.round(confidence * 100)} %`}
    </p>
  )
}

/** A turn as the person saw it, with lines about what the machine did between. */
const TranscriptTurn = memo(({ turn, words, names, isEndOfChat, at, later = false, onStep }: TurnProps) => {
  const { t } = useTranslation('tool')
  const items = useMemo(() => itemsOf(turn), [turn])
  const press = (place: number) => (onStep === undefined ? undefined : () => onStep(turn.turn, place))
  const shown = items.findLast(item => item.kind === 'said' && at !== undefined && item.place <= at)
  const first = press(0)
  return (
    <li className="cv-turn" data-turn={turn.turn} data-later={later || undefined} data-at={at}>
      <p className="cv-time">{secondOf(turn.input.time)}</p>
      <Input turn={turn} words={words} isEndOfChat={isEndOfChat} {...(first === undefined ? {} : { onPress: first })} />
      <Understood understood={turn.understood} />
      {turn.ratings?.map((rating, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what happened never changes its place
        <RatingLine key={index} rating={{ ...rating, isComment: rating.comment !== undefined }} />
      ))}
      {items.map((item, index) =>
        item.kind === 'said' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened never changes its place
          <Bubble key={index} from="bot" current={item === shown} onPress={press(item.place)}>
            <BotWords message={item.message} words={words} />
            {item.message.delivery === undefined ? null : <Delivery {...item.message.delivery} />}
          </Bubble>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: what happened never changes its place
          <Line key={index} item={item} names={names} />
        ),
      )}
      {turn.failed === null ? null : (
        <p className="cv-line" data-tone="warning">
          <TriangleAlert size={12} aria-hidden />
          {t('conversation.failed')}
        </p>
      )}
      {turn.ended === null ? null : <p className="cv-line">{t(`conversation.reason.${String(turn.ended)}`)}</p>}
    </li>
  )
})

const AgentBubble = ({ message, words }: { readonly message: AgentMessage; readonly words: boolean }) => {
  const { t } = useTranslation('tool')
  const { name = '', time, from, text: said, delivery } = message
  const who = name === '' ? t(`conversation.from.${from}`) : name
  const bubble = (
    <Bubble from="bot">
      {words && said === null ? (
        <RedactedValue kind={t('conversation.message')} />
      ) : (
        <BotWords message={{ ...message, text: said, block: null }} words={words} />
      )}
      {delivery === undefined ? null : <Delivery {...delivery} />}
    </Bubble>
  )
  if (from === 'bot') return bubble
  return (
    <div className="cv-agent">
      <PersonAvatar person={{ id: who, username: who }} />
      <div>
        {bubble}
        <p className="cv-meta">
          {who} · {minuteOf(time)}
        </p>
      </div>
    </div>
  )
}

interface BetweenTurnsProps {
  readonly items: readonly Between[]
  readonly words: boolean
  readonly later: boolean
}

/** Messages of agents and events of the desk between two turns. */
const BetweenTurns = memo(({ items, words, later }: BetweenTurnsProps) => (
  <li className="cv-turn" data-later={later || undefined}>
    {items.map(item =>
      item.kind === 'said' ? (
        <AgentBubble key={item.message.position} message={item.message} words={words} />
      ) : (
        <DeskLine
          key={item.event.position}
          {...item.event}
          queue={item.event.queuename}
          subject={item.event.reasonname}
        />
      ),
    )}
  </li>
))

interface TranscriptProps extends Pick<TurnProps, 'names' | 'onStep'> {
  readonly replay: Replay
  /** Later parts than this are pale. */
  readonly at?: { readonly turn: number; readonly place: number } | undefined
}

/** A conversation as it was said. */
export const Transcript = ({ replay, at, ...given }: TranscriptProps) => {
  const { t } = useTranslation(['tool', 'desk'])
  const parts = useMemo(() => partsOf(replay), [replay])
  const { words } = replay
  return (
    <ol aria-label={t('conversation.turns')}>
      {parts.map(part =>
        part.kind === 'turn' ? (
          <TranscriptTurn
            key={part.turn.turn}
            turn={part.turn}
            words={words}
            isEndOfChat={part.isEndOfChat}
            {...given}
            at={part.turn.turn === at?.turn ? at.place : undefined}
            later={at !== undefined && part.turn.turn > at.turn}
          />
        ) : (
          <BetweenTurns
            key={`after ${part.after}`}
            items={part.items}
            words={words}
            later={at !== undefined && (part.after > at.turn || (part.after === at.turn && !part.isLast))}
          />
        ),
      )}
    </ol>
  )
}
