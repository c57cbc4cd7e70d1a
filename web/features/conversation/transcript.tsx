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
import { durationOf, momentOf, secondOf } from '#web/format/time.ts'
import type { Turn } from './conversation-query.ts'
import { RatingLine } from './rating-line.tsx'
import { cardsOf, itemsOf, type TranscriptItem } from './transcript-items.ts'

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

const Input = ({ turn, words, onPress }: Pick<TurnProps, 'turn' | 'words'> & { readonly onPress?: () => void }) => {
  const { t } = useTranslation('tool')
  const { kind, said } = turn.input
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
const TranscriptTurn = memo(({ turn, words, names, at, later = false, onStep }: TurnProps) => {
  const { t } = useTranslation('tool')
  const items = useMemo(() => itemsOf(turn), [turn])
  const press = (place: number) => (onStep === undefined ? undefined : () => onStep(turn.turn, place))
  const shown = items.findLast(item => item.kind === 'said' && at !== undefined && item.place <= at)
  const first = press(0)
  return (
    <li className="cv-turn" data-turn={turn.turn} data-later={later || undefined} data-at={at}>
      <p className="cv-time">{secondOf(turn.input.time)}</p>
      <Input turn={turn} words={words} {...(first === undefined ? {} : { onPress: first })} />
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

interface TranscriptProps extends Pick<TurnProps, 'words' | 'names' | 'onStep'> {
  readonly turns: readonly Turn[]
  /** Later turns than this are pale. */
  readonly at?: { readonly turn: number; readonly place: number } | undefined
}

/** A conversation as it was said (UI.md §17). */
export const Transcript = ({ turns, at, ...given }: TranscriptProps) => {
  const { t } = useTranslation('tool')
  return (
    <ol aria-label={t('conversation.turns')}>
      {turns.map(turn => (
        <TranscriptTurn
          key={turn.turn}
          turn={turn}
          {...given}
          at={turn.turn === at?.turn ? at.place : undefined}
          later={at !== undefined && turn.turn > at.turn}
        />
      ))}
    </ol>
  )
}
