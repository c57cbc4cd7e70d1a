import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Bot, CircleCheck, CloudUpload, type LucideIcon, Workflow, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { useFirstDialog } from '#web/features/publish/index.ts'
import { STEPS } from '#web/shell/storage-keys.ts'
import { FirstBotDialog } from './first-bot-dialog.tsx'

const NEWEST = 100

interface Step {
  readonly id: 'bot' | 'draw' | 'publish'
  readonly icon: LucideIcon
  readonly isDone: boolean
  readonly to: string
}

/** Progress of a new user: own bot, own dialog, own published dialog. */
const useSteps = (user: string, isWanted: boolean) => {
  const { data } = useQuery({
    queryKey: ['home', 'steps', user],
    enabled: isWanted,
    queryFn: async () => {
      // Newest first: includes a new user's first items.
      const query = { size: NEWEST }
      const [bots, dialogs] = await Promise.all([
        http.get('/{entity}', { params: { entity: 'bot' }, query }),
        http.get('/{entity}', { params: { entity: 'dialog' }, query }),
      ])
      const own = dialogs.items.filter(({ created_by }) => created_by === user)
      return {
        bot: bots.items.find(({ created_by }) => created_by === user),
        dialog: own[0]?.id,
        isPublished: own.some(({ published }) => published === true),
      }
    },
  })
  if (data === undefined) return undefined
  const { bot, dialog, isPublished } = data
  const list: readonly Step[] = [
    { id: 'bot', icon: Bot, isDone: bot !== undefined, to: '/bot/new' },
    {
      id: 'draw',
      icon: Workflow,
      isDone: dialog !== undefined,
      to: bot === undefined ? '/bot/search' : `/bot/dialogtask/${bot.id}`,
    },
    {
      id: 'publish',
      icon: CloudUpload,
      isDone: isPublished,
      to: dialog === undefined ? '/bot/search' : `/designer/dialog/${dialog}`,
    },
  ]
  return { bot, list }
}

interface NextStepProps {
  readonly step: Step
  readonly bot: Row | undefined
}

/** The act of the next step: a bot with its first dialog, that dialog alone, or the page of the step. */
const NextStep = ({ step, bot }: NextStepProps) => {
  const { t } = useTranslation('shell')
  const first = useFirstDialog()
  const [isAsked, ask] = useState(false)
  const make = step.id === 'bot' ? first?.make : undefined
  const draw = step.id === 'draw' && bot?.defaultdialogtask === null ? first?.draw : undefined
  const label = t(`steps.${step.id}.do`)
  if (make === undefined && (draw === undefined || bot === undefined))
    return (
      <Button asChild variant="solid" size="sm" mt="2">
        <Link to={step.to}>{label}</Link>
      </Button>
    )
  return (
    <>
      {isAsked && make ? <FirstBotDialog make={make} onClose={() => ask(false)} /> : null}
      <Button
        variant="solid"
        size="sm"
        mt="2"
        loading={first?.isDrawing === true}
        onClick={() => (draw && bot ? draw(bot) : ask(true))}
      >
        {draw ? t('first.draw') : label}
      </Button>
    </>
  )
}

const isPutAway = (user: string) => localStorage.getItem(STEPS + user) !== null

/** The way from nothing to a published dialog, until it is done or put away. */
export const FirstSteps = () => {
  const { t } = useTranslation('shell')
  const { user, can } = useSession()
  const [isAway, setAway] = useState(() => isPutAway(user.id))
  // A session that sees as another person is read-only.
  const isSelf = user.seenby === undefined
  const mayBuild = isSelf && can('createbot') && can('createdialog') && can('publishdialog')
  const steps = useSteps(user.id, mayBuild && !isAway)
  const next = steps?.list.find(({ isDone }) => !isDone)
  if (isAway || steps === undefined || next === undefined) return null
  const putAway = () => {
    localStorage.setItem(STEPS + user.id, '1')
    setAway(true)
  }
  return (
    <Box as="section" aria-label={t('steps.title')} borderWidth="1px" borderRadius="lg" bg="bg.surface" p="4">
      <HStack mb="2" gap="2">
        <Text as="h2" textStyle="card" flex="1">
          {t('steps.title')}
        </Text>
        <IconButton icon={X} size="xs" label={t('steps.away')} onClick={putAway} />
      </HStack>
      <chakra.ol
        display="grid"
        gridTemplateColumns={{ base: '1fr', md: 'repeat(3, 1fr)' }}
        gap="3"
        listStyleType="none"
      >
        {steps.list.map(({ id, icon: Icon, isDone }, index) => (
          <chakra.li
            key={id}
            display="flex"
            gap="3"
            alignItems="flex-start"
            p="3"
            borderWidth="1px"
            borderRadius="md"
            {...(id === next.id ? { borderColor: 'accent.solid' } : {})}
          >
            <chakra.span color={isDone ? 'positive.fg' : 'fg.muted'} pt="0.5">
              {isDone ? <CircleCheck size={18} aria-label={t('steps.done')} /> : <Icon size={18} aria-hidden="true" />}
            </chakra.span>
            <Box flex="1" minW="0">
              <Text textStyle="card" color={isDone ? 'fg.muted' : 'fg'}>
                {index + 1}. {t(`steps.${id}.title`)}
              </Text>
              <Text textStyle="secondary" color="fg.muted">
                {t(`steps.${id}.text`)}
              </Text>
              {id === next.id ? <NextStep step={next} bot={steps.bot} /> : null}
            </Box>
          </chakra.li>
        ))}
      </chakra.ol>
    </Box>
  )
}
