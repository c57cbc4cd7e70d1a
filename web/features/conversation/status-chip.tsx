import { Bot, Check, DoorOpen, Headset, Hourglass, Moon } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import type { Conversation } from './conversation-query.ts'

const LOOK = {
  active: { icon: Bot, tone: 'neutral' },
  waiting: { icon: Bot, tone: 'neutral' },
  idle: { icon: Moon, tone: 'neutral' },
  queued: { icon: Hourglass, tone: 'warning' },
  agent: { icon: Headset, tone: 'accent' },
  ended: { icon: Check, tone: 'neutral' },
  gaveup: { icon: DoorOpen, tone: 'danger' },
} as const

interface ChipProps extends Pick<Conversation, 'status' | 'standing'> {
  /** It waits for an agent. */
  readonly isQueued?: boolean
}

/** Status of a conversation; `gaveup` only when its person left a question unanswered. */
export const StatusChip = ({ status, standing, isQueued = false }: ChipProps) => {
  const { t } = useTranslation('tool')
  const shown = isQueued && status !== 'ended' ? 'queued' : standing === 'gaveup' ? standing : status
  const { icon: Icon, tone } = LOOK[shown]
  return (
    <Chip tone={tone} h="5">
      <Icon size={12} aria-hidden="true" />
      {t(`conversation.status.${shown}`)}
    </Chip>
  )
}
