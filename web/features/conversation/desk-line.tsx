import {
  AlarmClock,
  ArrowRightLeft,
  DoorOpen,
  Flag,
  Headset,
  Hourglass,
  type LucideIcon,
  RotateCcw,
  StickyNote,
  Tag,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { minuteOf } from '#web/format/time.ts'

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
    name: name === '' ? byname : name,
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
