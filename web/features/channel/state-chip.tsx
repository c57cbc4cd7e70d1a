import { CircleAlert, CircleCheck, CircleDashed, CircleOff, Moon, Square, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { dayOf, minuteOf } from '#web/format/time.ts'
import { type Health, TONE } from './health-query.ts'

const ICONS = {
  off: CircleOff,
  incomplete: CircleDashed,
  stopped: Square,
  error: CircleAlert,
  failing: CircleAlert,
  warning: TriangleAlert,
  new: CircleDashed,
  quiet: Moon,
  ok: CircleCheck,
} as const satisfies Readonly<Record<Health['state'], typeof CircleOff>>

/** The time of today, else the day. */
const beginOf = (since: string): string =>
  dayOf(since) === dayOf(new Date().toISOString()) ? minuteOf(since) : dayOf(since)

/** State of a channel with its icon, and since when it fails. */
export const StateChip = ({
  health: { state, since },
  isOnTint = false,
}: {
  readonly health: Pick<Health, 'state' | 'since'>
  /** On a background of the same colour. */
  readonly isOnTint?: boolean
}) => {
  const { t } = useTranslation('entity/channel')
  const Icon = ICONS[state]
  return (
    <Chip tone={TONE[state]} {...(isOnTint ? { bg: 'bg.surface' } : {})}>
      <Icon size={12} aria-hidden="true" />
      {t(`health.state.${state}`)}
      {since === null ? null : ` ${t('health.since', { time: beginOf(since) })}`}
    </Chip>
  )
}
