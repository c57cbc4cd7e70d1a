import {
  CalendarClock,
  CircleCheck,
  CirclePause,
  CircleX,
  Clock,
  type LucideIcon,
  PencilLine,
  Send,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { RowOf } from '#schemas/row.ts'
import { Chip } from '#web/components/chip.tsx'
import { useLabel } from '#web/entity/label.ts'
import { DELIVERY, type DeliveryStatus } from './delivery.ts'

type Tone = 'neutral' | 'positive' | 'warning' | 'danger' | 'info'

const RUN: Readonly<Record<string, { readonly tone: Tone; readonly icon: LucideIcon }>> = {
  planned: { tone: 'info', icon: Clock },
  running: { tone: 'info', icon: Send },
  waiting: { tone: 'warning', icon: Clock },
  pausing: { tone: 'warning', icon: CirclePause },
  paused: { tone: 'warning', icon: CirclePause },
  cancelling: { tone: 'neutral', icon: CircleX },
  cancelled: { tone: 'neutral', icon: CircleX },
  expired: { tone: 'neutral', icon: CircleX },
  completed: { tone: 'positive', icon: CircleCheck },
}

/** State of a campaign: its run status, else scheduled or draft. */
export const RunChip = ({ row }: { readonly row: RowOf<'campaign'> }) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const status = row.run_status ?? undefined
  const look = status === undefined ? undefined : RUN[status]
  if (status !== undefined && look !== undefined) {
    const { tone, icon: Icon } = look
    return (
      <Chip tone={tone} icon={Icon}>
        {label.option('campaign', 'run_status', status)}
      </Chip>
    )
  }
  const isScheduled = row.enabled && Boolean(row.cron_expression)
  const Icon = isScheduled ? CalendarClock : PencilLine
  return (
    <Chip tone={isScheduled ? 'info' : 'neutral'} icon={Icon}>
      {t(isScheduled ? 'run.scheduled' : row.enabled ? 'run.ready' : 'run.draft')}
    </Chip>
  )
}

export const DeliveryChip = ({ status }: { readonly status: DeliveryStatus }) => {
  const { t } = useTranslation('campaign')
  const { tone, icon: Icon } = DELIVERY[status]
  return (
    <Chip tone={tone} icon={Icon}>
      {t(`delivery.${status}`)}
    </Chip>
  )
}
