import {
  AlarmClock,
  ArrowRightLeft,
  DoorOpen,
  Eye,
  Flag,
  Headset,
  Hourglass,
  type LucideIcon,
  RotateCcw,
  Star,
  StarOff,
  StickyNote,
  Tag,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RATING_SCORES } from '#schemas/rating.ts'
import { minuteOf } from '#web/format/time.ts'
import type { Turn } from './conversation-query.ts'

type Rating = NonNullable<Turn['ratings']>[number]
type RatingText = Pick<Rating, 'kind' | 'about'> &
  Partial<Pick<Rating, 'scale' | 'score'>> & {
    readonly why?: string | undefined
    /** The comment on a score that was given before. */
    readonly isComment?: boolean
  }

/** A rating in words: `rated the agent: 4 of 5`. */
export const useRatingText = () => {
  const { t } = useTranslation('tool')
  return ({ kind, about, scale, score = 0, why = '', isComment = false }: RatingText): string => {
    if (isComment) return t(`conversation.rating.commented.${about}`)
    if (kind === 'unrated')
      return t(`conversation.rating.unrated.${why}`, { defaultValue: t('conversation.rating.no') })
    if (kind === 'asked') return t(`conversation.rating.asked.${about}`)
    const shown =
      scale === 'thumbs'
        ? t(`conversation.rating.thumbs.${score}`)
        : t('conversation.rating.of', { score, max: RATING_SCORES[scale ?? '5'].at(-1) })
    return t(`conversation.rating.rated.${about}`, { score: shown })
  }
}

/** Line about a rating between the messages of a conversation. */
export const RatingLine = ({ rating, time }: { readonly rating: RatingText; readonly time?: string }) => {
  const text = useRatingText()(rating)
  const Icon = rating.kind === 'unrated' ? StarOff : Star
  return (
    <p className="cv-line">
      <Icon size={12} aria-hidden />
      {text}
      {time === undefined ? null : ` · ${minuteOf(time)}`}
    </p>
  )
}

const ICON = {
  requested: Hourglass,
  queued: Hourglass,
  assigned: Headset,
  connected: Headset,
  released: RotateCcw,
  snoozed: AlarmClock,
  woken: AlarmClock,
  noted: StickyNote,
  tagged: Tag,
  prioritized: Flag,
  moved: ArrowRightLeft,
  revealed: Eye,
  left: DoorOpen,
} as const satisfies Readonly<Record<string, LucideIcon>>

interface DeskLineProps {
  readonly kind: keyof typeof ICON
  readonly time: string
  /** Of the user who has or had the chat. */
  readonly name?: string | undefined
  /** Of the user who did it. */
  readonly byname?: string | undefined
  readonly queue?: string | undefined
  readonly how?: string | undefined
  readonly why?: string | undefined
  readonly reason?: string | undefined
  /** Name of the closing reason, where the queue has it. */
  readonly subject?: string | undefined
  readonly priority?: number | undefined
  readonly tags?: readonly string[] | undefined
}

/** Variant of an event's text. */
const variantOf = ({ kind, how = '', why = '', reason = '', subject, tags = [] }: DeskLineProps): string => {
  if (kind === 'assigned') return how
  if (kind === 'released') return why
  if (kind === 'left') return subject === undefined ? reason : 'reason'
  return kind === 'tagged' && tags.length > 0 ? 'tags' : ''
}

/** An event of the desk, as a line between messages. */
export const DeskLine = (given: DeskLineProps) => {
  const { t } = useTranslation('desk')
  const { kind, time, name = '', byname = '', queue = '', subject = '', priority = 0, tags = [] } = given
  const Icon = ICON[kind]
  const variant = variantOf(given)
  const words = {
    queue,
    name: name || byname || t('event.somebody'),
    reason: subject,
    priority: t(`priority.${priority}`),
    tags: tags.join(', '),
  }
  return (
    <p className="cv-line">
      <Icon size={12} aria-hidden="true" />
      {t(variant === '' ? `event.${kind}` : `event.${kind}_${variant}`, {
        ...words,
        defaultValue: t(`event.${kind}`, words),
      })}
      {' · '}
      {minuteOf(time)}
    </p>
  )
}
