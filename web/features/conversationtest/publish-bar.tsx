import { Box, Button, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, CircleCheck, Lock, Upload } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '#web/api/session.ts'
import { ActionMenu } from '#web/components/action-menu.tsx'
import { overviewQuery } from '#web/features/bot/index.ts'
import { type PublishChoice, publishChoices } from './publish-choices.ts'

const PublishEntity = lazy(async () => ({ default: (await import('#web/features/publish/index.ts')).PublishEntity }))

interface ButtonProps {
  readonly held: boolean
  readonly choices: readonly PublishChoice[]
  onChoose(choice: PublishChoice): void
}

/** Publishes pending changes; with several choices, the user selects one first. */
const PublishButton = ({ held, choices, onChoose }: ButtonProps) => {
  const { t } = useTranslation('conversationtest')
  const [first] = choices
  if (first === undefined) return null
  const text = t(held ? 'untested.anyway.publish' : 'bar.publish')
  const look = held ? ({ variant: 'ghost', colorPalette: 'accent', color: 'accent.fg' } as const) : {}
  if (choices.length === 1)
    return (
      <Button {...look} onClick={() => onChoose(first)}>
        <Upload size={15} aria-hidden="true" />
        {text}
      </Button>
    )
  return (
    <ActionMenu
      label={t('bar.what')}
      actions={choices.map(choice => ({
        id: `${choice.entity} ${choice.id}`,
        label: choice.entity === 'dialogtask' ? t('bar.task', { ...choice }) : choice.name,
        run: () => onChoose(choice),
      }))}
    >
      <Button {...look}>
        <Upload size={15} aria-hidden="true" />
        {text}
        <ChevronDown size={14} aria-hidden="true" />
      </Button>
    </ActionMenu>
  )
}

const LOOK = {
  held: { icon: Lock, border: 'danger.muted', bg: 'danger.subtle', disc: 'danger.muted', fg: 'danger.fg' },
  free: {
    icon: CircleCheck,
    border: 'positive.muted',
    bg: 'positive.subtle',
    disc: 'positive.muted',
    fg: 'positive.fg',
  },
  live: { icon: CircleCheck, border: 'border', bg: 'bg.surface', disc: 'bg.sunken', fg: 'fg' },
} as const

interface LineProps {
  readonly look: keyof typeof LOOK
  readonly title: string
  readonly text: ReactNode
  readonly children: ReactNode
}

const Line = ({ look, title, text, children }: LineProps) => {
  const { icon: Icon, border, bg, disc, fg } = LOOK[look]
  return (
    <HStack
      gap="3"
      rowGap="1"
      px="4"
      py="3"
      mb="3"
      borderWidth="1px"
      borderColor={border}
      borderRadius="lg"
      bg={bg}
      flexWrap="wrap"
    >
      <Box p="2" borderRadius="full" bg={disc} color={fg} flex="none">
        <Icon size={16} aria-hidden="true" />
      </Box>
      <Box role="status" minW="0" flex="1 1 200px">
        <Text textStyle="card" color={fg}>
          {title}
        </Text>
        <Text textStyle="dense">{text}</Text>
      </Box>
      {children}
    </HStack>
  )
}

interface BarProps {
  readonly bot: string
  /** Tests that fail and hold publishing back. */
  readonly gating: number
  /** Passed tests, and authors of the drafts. */
  readonly text: string
}

/** Whether what is drawn of a bot may go live, with the reasons of the tests, and the way to publish it. */
export const PublishBar = ({ bot, gating, text }: BarProps) => {
  const { t } = useTranslation('conversationtest')
  const { can } = useSession()
  const [chosen, setChosen] = useState<PublishChoice>()
  const overview = useQuery(overviewQuery(bot)).data
  const isHeld = gating > 0
  const permitted = overview === undefined ? [] : publishChoices(overview, can)
  const choices = isHeld ? permitted.filter(({ entity }) => can(`publishuntested${entity}`)) : permitted
  const waiting = overview?.pending.total ?? 0
  const who = isHeld && permitted.length > 0 && choices.length === 0 ? ` ${t('untested.maynot.publish')}` : ''
  if (!isHeld && overview === undefined) return null
  return (
    <>
      <Line
        look={isHeld ? 'held' : waiting > 0 ? 'free' : 'live'}
        title={isHeld ? t('held', { count: gating }) : waiting > 0 ? t('bar.free', { count: waiting }) : t('bar.live')}
        text={`${text}${who}`}
      >
        <Box ms={{ base: '8', sm: '0' }}>
          <PublishButton held={isHeld} choices={choices} onChoose={setChosen} />
        </Box>
      </Line>
      {chosen === undefined ? null : (
        <Suspense fallback={null}>
          <PublishEntity entity={chosen.entity} id={chosen.id} bot={bot} onClose={() => setChosen(undefined)} />
        </Suspense>
      )}
    </>
  )
}
