import { chakra } from '@chakra-ui/react'
import { Bot, Check, DoorOpen, Headset, Hourglass, Moon, User } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Chip } from '#web/components/chip.tsx'
import { initialsOf } from '#web/components/person-avatar.tsx'
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
    <Chip tone={tone} h="5" icon={Icon}>
      {t(`conversation.status.${shown}`)}
    </Chip>
  )
}

/** A visitor: initials if the name is readable. No color: only console users have one. */
export const VisitorAvatar = ({ name, size = 34 }: { readonly name: string | null; readonly size?: number }) => (
  <chakra.span
    aria-hidden="true"
    display="inline-flex"
    alignItems="center"
    justifyContent="center"
    flex="none"
    borderRadius="full"
    borderWidth="1px"
    borderColor="border.emphasized"
    bg="bg.sunken"
    color="fg.muted"
    fontWeight="semibold"
    style={{ width: size, height: size, fontSize: size * 0.36 }}
  >
    {name === null ? <User size={size * 0.46} /> : initialsOf(name)}
  </chakra.span>
)

/** Letters by which the same person is known again, though not who it is. */
export const visitorCode = ({ person }: Pick<Conversation, 'person'>): string =>
  person.replaceAll('-', '').slice(0, 4).toUpperCase()
