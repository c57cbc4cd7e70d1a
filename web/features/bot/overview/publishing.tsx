import { Box, Button, HStack, Stack, Text } from '@chakra-ui/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  CircleCheck,
  CircleDashed,
  OctagonAlert,
  SquareFunction,
  Triangle,
  TriangleAlert,
  Workflow,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { useSession } from '#web/api/session.ts'
import { Card } from '#web/components/card.tsx'
import { Chip } from '#web/components/chip.tsx'
import { Hint } from '#web/components/hint.tsx'
import { nameOf, PersonAvatar } from '#web/components/person-avatar.tsx'
import { flowAddress, formAddress } from '#web/entity/address.ts'
import { detailQuery } from '#web/entity/entity-query.ts'
import { createWebChat, enabledChannelsQuery, startBot, useFirstDialog } from '#web/features/publish/index.ts'
import { agoOf, momentOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { RouterLink } from '#web/page/router-link.ts'
import { focusField, useFieldFocus } from '#web/page/use-field-focus.ts'
import { type FlowErrors, type Overview, type WaitingFlow, waitingFlows } from './overview-query.ts'

/** Rows before "show all". */
const SHOWN = 6

const STATES = {
  unpublished: { tone: 'neutral', icon: CircleDashed },
  modified: { tone: 'warning', icon: Triangle },
  published: { tone: 'positive', icon: CircleCheck },
} as const

const FlowRow = ({ flow, bot }: { readonly flow: WaitingFlow; readonly bot: string }) => {
  const { t } = useTranslation('overview')
  const { kind, id, name, dialogtask, main, state, editor, edited_at, errors } = flow
  const Kind = kind === 'dialog' ? Workflow : SquareFunction
  const { tone, icon: Glyph } = STATES[state]
  return (
    <HStack as="li" gap="3" px="4" py="2" minH="52px" borderTopWidth="1px" flexWrap="wrap" rowGap="1">
      <Box color="fg.muted" flex="none">
        <Kind size={16} aria-hidden="true" />
      </Box>
      <Box flex="1 1 160px" minW="0">
        <RouterLink
          to={flowAddress(kind, id, { bot })}
          textStyle="card"
          display="block"
          truncate
          borderRadius="xs"
          focusVisibleRing="outside"
          _hover={{ textDecoration: 'underline' }}
        >
          {name}
        </RouterLink>
        <Text textStyle="secondary" color="fg.muted" truncate>
          {[dialogtask.name, ...(main ? [t('main')] : [])].join(' · ')}
        </Text>
      </Box>
      <HStack gap="1.5" flexWrap="wrap">
        {errors > 0 ? (
          <Chip tone="danger">
            <OctagonAlert size={11} aria-hidden="true" />
            {t('errors', { count: errors })}
          </Chip>
        ) : null}
        <Chip tone={tone}>
          <Glyph size={11} aria-hidden="true" />
          {t(`state.${state}`)}
        </Chip>
      </HStack>
      {edited_at === null ? null : (
        <Hint text={`${nameOf(editor)} · ${momentOf(edited_at)}`}>
          <HStack gap="2" w="120px" flex="none" textStyle="secondary" color="fg.muted" whiteSpace="nowrap">
            <PersonAvatar person={editor} size={20} />
            {agoOf(edited_at)}
          </HStack>
        </Hint>
      )}
    </HStack>
  )
}

interface ObstacleProps {
  readonly text: string
  readonly children: ReactNode
}

const Obstacle = ({ text, children }: ObstacleProps) => (
  <HStack as="li" gap="3" px="4" py="2" minH="48px" borderTopWidth="1px" bg="warning.subtle" flexWrap="wrap">
    <Box color="warning.fg" flex="none">
      <TriangleAlert size={16} aria-hidden="true" />
    </Box>
    <Text flex="1 1 160px" textStyle="dense">
      {text}
    </Text>
    {children}
  </HStack>
)

const Note = ({ children }: { readonly children: ReactNode }) => (
  <Text textStyle="secondary" color="fg.muted" pb="1">
    {children}
  </Text>
)

/** Acts that take an obstacle away at once. */
const useActs = (bot: string) => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  return useMutation({
    mutationFn: (act: 'chat' | 'start'): Promise<unknown> =>
      act === 'start' ? startBot(bot) : createWebChat(bot, t('reach.chatname')),
    onError: error => notice.toast(failureOf(error, t('reach.failed')), { tone: 'danger' }),
    onSettled: () => client.invalidateQueries(),
  })
}

interface ObstaclesProps {
  readonly bot: string
  readonly lacksDefault: boolean
  readonly lacksChannel: boolean
  readonly isSilent: boolean
}

/** Missing parts without which people cannot talk to the bot, each with an act. */
const Obstacles = ({ bot, lacksDefault, lacksChannel, isSilent }: ObstaclesProps) => {
  const { t } = useTranslation('overview')
  const { t: words } = useTranslation('shell')
  const { can } = useSession()
  const acts = useActs(bot)
  // The form renders after the overview.
  useFieldFocus()
  return (
    <>
      {lacksDefault ? (
        <Obstacle text={t('nodefault')}>
          {can('updatebot') ? (
            <Button onClick={() => void focusField('defaultdialogtask')}>{t('choose')}</Button>
          ) : null}
        </Obstacle>
      ) : null}
      {lacksChannel ? (
        <Obstacle text={t('nochannel')}>
          {can('createchannel') ? (
            <Button loading={acts.isPending} onClick={() => acts.mutate('chat')}>
              {words('reach.makechat')}
            </Button>
          ) : null}
          <Button asChild>
            <Link to={`/bot/channel/${bot}`}>{t('openchannels')}</Link>
          </Button>
        </Obstacle>
      ) : null}
      {isSilent ? (
        <Obstacle text={t('isstopped')}>
          {can('startbot') ? (
            <Button loading={acts.isPending} onClick={() => acts.mutate('start')}>
              {words('reach.startbot')}
            </Button>
          ) : null}
        </Obstacle>
      ) : null}
    </>
  )
}

/** Makes the first dialog of a bot that has none, and opens it. */
const DrawFirst = ({ bot }: { readonly bot: string }) => {
  const { t } = useTranslation('shell')
  const first = useFirstDialog()
  const row = useQuery(detailQuery('bot', bot)).data
  if (first === undefined || row === undefined) return null
  return (
    <Button variant="solid" mx="4" mb="4" loading={first.isDrawing} onClick={() => first.draw(row)}>
      {t('first.draw')}
    </Button>
  )
}

interface Props {
  readonly bot: string
  readonly hasDefaultTask: boolean
  readonly isStarted: boolean
  readonly overview: Overview
  /** Undefined until the flows are checked. */
  readonly errors: FlowErrors | undefined
}

/** Unpublished flows and missing setup. */
export const Publishing = ({ bot, hasDefaultTask, isStarted, overview, errors }: Props) => {
  const { t } = useTranslation('overview')
  const { can } = useSession()
  const [isAll, setAll] = useState(false)
  const channels = useQuery({ ...enabledChannelsQuery(bot), enabled: can('readchannel') }).data
  const { tasks, dialogs, handlers, pending } = overview
  if (tasks === undefined || (dialogs === undefined && handlers === undefined)) return null
  const flows = waitingFlows(overview, errors?.items ?? [])
  const waiting = flows.length + pending.total - pending.items.length
  const lacksDefault = !hasDefaultTask && tasks.total > 0
  const lacksChannel = channels?.length === 0 && tasks.total > 0
  const isSilent = !isStarted && tasks.total > 0
  const isClear = waiting === 0 && tasks.nomain.length === 0 && !lacksDefault && !lacksChannel && !isSilent
  const isEmpty = (dialogs?.total ?? 0) + (handlers?.total ?? 0) === 0
  const unchecked = errors?.unfinished?.length ?? 0
  return (
    <Card title={t('publishing')} beside={waiting > 0 ? <Note>{t('notlive', { count: waiting })}</Note> : null}>
      <Box as="ul" listStyleType="none">
        <Obstacles bot={bot} lacksDefault={lacksDefault} lacksChannel={lacksChannel} isSilent={isSilent} />
        {tasks.nomain.map(task => (
          <Obstacle key={task.id} text={t('nomain', { name: task.name })}>
            <Button asChild>
              <Link to={formAddress(`/dialogtask/${task.id}`, { bot })}>{t('opentask', { name: task.name })}</Link>
            </Button>
          </Obstacle>
        ))}
        {(isAll ? flows : flows.slice(0, SHOWN)).map(flow => (
          <FlowRow key={flow.id} flow={flow} bot={bot} />
        ))}
      </Box>
      {isClear ? (
        <HStack px="4" pb="4" gap="2" color="fg.muted" textStyle="dense">
          <CircleCheck size={16} aria-hidden="true" />
          {isEmpty ? t('nothingdrawn') : errors === undefined ? t('checking') : t('everythinglive')}
        </HStack>
      ) : null}
      {isEmpty && !hasDefaultTask ? <DrawFirst bot={bot} /> : null}
      <Stack px="4" gap="1">
        {flows.length > SHOWN && !isAll ? (
          <Button variant="plain" alignSelf="flex-start" px="0" mb="2" onClick={() => setAll(true)}>
            {t('showall', { count: flows.length })}
          </Button>
        ) : null}
        {unchecked > 0 ? <Note>{t('unchecked', { count: unchecked })}</Note> : null}
      </Stack>
    </Card>
  )
}
