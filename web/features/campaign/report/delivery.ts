import {
  Check,
  CheckCheck,
  CircleHelp,
  Hourglass,
  type LucideIcon,
  MessagesSquare,
  Server,
  SkipForward,
  Smartphone,
  X,
} from 'lucide-react'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { numberText } from '#web/format/number.ts'

export type DeliveryStatus = AnswerOf<'GET /campaign/{id}/recipients'>['items'][number]['status']

interface Look {
  readonly icon: LucideIcon
  /** Of the bar and the square before its name; a pattern where the colour alone is near another one. */
  readonly fill: Readonly<Record<string, string>>
  readonly tone: 'positive' | 'info' | 'neutral' | 'danger'
}

const hatch = (angle: number, one: string, other: string) =>
  `repeating-linear-gradient(${angle}deg, {colors.${one}} 0 3px, {colors.${other}} 3px 5px)`

const hollow = (style: string) => ({
  borderWidth: '1.5px',
  borderStyle: style,
  borderColor: 'border.control',
  bg: 'bg.surface',
})

/** Statuses of a message, best first, with the look used everywhere. */
export const DELIVERY: Readonly<Record<DeliveryStatus, Look>> = {
  engaged: { icon: MessagesSquare, tone: 'positive', fill: { bg: 'positive.solid' } },
  read_by_user: { icon: CheckCheck, tone: 'info', fill: { bg: 'info.solid' } },
  sent_successfully: { icon: Check, tone: 'info', fill: { bg: 'info.emphasized' } },
  queuedAtWhatsapp: { icon: Smartphone, tone: 'neutral', fill: { bg: 'border.control' } },
  queuedAtGupshup: {
    icon: Server,
    tone: 'neutral',
    fill: { backgroundImage: hatch(135, 'border.control', 'bg.emphasized') },
  },
  queuedAtPlatform: { icon: Hourglass, tone: 'neutral', fill: { bg: 'bg.emphasized' } },
  failed: { icon: X, tone: 'danger', fill: { backgroundImage: hatch(45, 'danger.solid', 'danger.border') } },
  unknown: { icon: CircleHelp, tone: 'neutral', fill: hollow('solid') },
  skipped: { icon: SkipForward, tone: 'neutral', fill: hollow('dashed') },
}

export const DELIVERY_ORDER = Object.keys(DELIVERY) as readonly DeliveryStatus[]

export const isDelivery = (text: string | null): text is DeliveryStatus =>
  text !== null && Object.hasOwn(DELIVERY, text)

const ONE_DECIMAL: Intl.NumberFormatOptions = { maximumFractionDigits: 1 }

/** `9,9%`; a share too small to be shown is `<0,1%`. */
export const shareText = (part: number, whole: number): string => {
  if (whole === 0 || part === 0) return '0%'
  const share = (part / whole) * 100
  return share < 0.1 ? `<${numberText(0.1)}%` : `${numberText(share, ONE_DECIMAL)}%`
}

export const countText = (count: number): string => numberText(count)
