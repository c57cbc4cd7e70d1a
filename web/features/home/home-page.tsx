import { Box, Button, chakra, Flex, HStack, SimpleGrid, Skeleton, Stack, Text } from '@chakra-ui/react'
import { queryOptions, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Bot,
  CircleCheck,
  CloudUpload,
  FlaskConical,
  History,
  type LucideIcon,
  Plus,
  Trash2,
  Workflow,
  X,
} from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { failureOf } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { nameOf } from '#web/components/person-avatar.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import type { Row } from '#web/entity/entity-query.ts'
import { LiveCard } from '#web/features/insight/index.ts'
import { useFirstDialog } from '#web/features/publish/index.ts'
import { longDayOf } from '#web/format/time.ts'
import { notice } from '#web/notice/notice.ts'
import { Page } from '#web/page/page.tsx'
import { SAMPLE_AWAY, STEPS } from '#web/shell/storage-keys.ts'
import { MIDDLE, useMedia } from '#web/shell/use-media.ts'
import { FirstBotDialog } from './first-bot-dialog.tsx'
import { AttentionCard, BotsCard, EditingCard, FlowCard, homeQuery, needsOf } from './home-aside.tsx'
import { RecentChanges, useLastVisit, useNews } from './recent-changes.tsx'

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
    // Changes made in the designer are shown on return.
    staleTime: 0,
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

/** Three columns, fewer where the help panel leaves less room. */
const THREE = 'repeat(auto-fill, minmax(max(min(100%, 200px), (100% - 2rem) / 3), 1fr))'

const isPutAway = (user: string) => localStorage.getItem(STEPS + user) !== null

/** The way from nothing to a published dialog, until it is done or put away. */
const FirstSteps = () => {
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
      <chakra.ol display="grid" gridTemplateColumns={THREE} gap="3" listStyleType="none">
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

/** While the sample is being made or removed. */
const LOOK_MS = 1_000

const REMOVAL = ['sample', 'removal']

const isBusy = (state: string | undefined): boolean => state === 'making' || state === 'removing'

const sampleQuery = queryOptions({
  queryKey: ['sample'],
  queryFn: () => http.get('/sample'),
  refetchInterval: ({ state }) => (isBusy(state.data?.state) ? LOOK_MS : false),
})

/** Removes the sample, also when its dialog or the page is closed meanwhile. */
const useRemoval = () => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  return useMutation({
    mutationKey: REMOVAL,
    mutationFn: () => http.delete('/sample', {}),
    onMutate: async () => {
      await client.cancelQueries({ queryKey: sampleQuery.queryKey })
      client.setQueryData(sampleQuery.queryKey, { state: 'removing', share: 0, removable: false })
    },
    onSuccess: ({ kept }) => {
      if (kept.length === 0) notice.toast(t('sample.removed'), { tone: 'positive' })
      else notice.toast(t('sample.kept', { names: kept.join(', ') }), { tone: 'warning', lasts: undefined })
    },
    onError: failure => notice.toast(failureOf(failure, t('error.noanswer')), { tone: 'danger' }),
    onSettled: () => client.invalidateQueries(),
  })
}

interface RemoveDialogProps {
  onClose(): void
  onRemove(): void
}

const RemoveDialog = ({ onClose, onRemove }: RemoveDialogProps) => {
  const { t } = useTranslation('shell')
  return (
    <Modal
      alert
      tone="danger"
      icon={<Trash2 size={18} aria-hidden="true" />}
      title={t('sample.removetitle')}
      onClose={onClose}
      actions={
        <Button variant="solid" colorPalette="danger" onClick={onRemove}>
          {t('sample.remove')}
        </Button>
      }
    >
      <Text textStyle="body" color="fg.muted">
        {t('sample.removetext')}
      </Text>
    </Modal>
  )
}

/** The sample workspace: its making and its removal, or what an administrator may do with it between them. */
const SampleCard = ({ when }: { readonly when: 'busy' | 'made' }) => {
  const { t } = useTranslation('shell')
  const { user } = useSession()
  const { data: sample } = useQuery(sampleQuery)
  const removal = useRemoval()
  const [isAsked, setAsked] = useState(false)
  const [isAway, setAway] = useState(() => localStorage.getItem(SAMPLE_AWAY + user.id) !== null)
  const section = useRef<HTMLDivElement>(null)
  const isRemoving = useIsMutating({ mutationKey: REMOVAL }) > 0 && sample?.state === 'removing'
  // The button that started it is at the bottom of a phone's page, and disappears.
  useEffect(() => {
    if (isRemoving) section.current?.focus()
  }, [isRemoving])
  if (sample === undefined || isBusy(sample.state) !== (when === 'busy')) return null
  if (when === 'made' && (isAway || !sample.removable)) return null
  const work = when === 'made' ? undefined : sample.state === 'making' ? 'making' : 'removing'
  const remove = () => {
    setAsked(false)
    removal.mutate()
  }
  const putAway = () => {
    localStorage.setItem(SAMPLE_AWAY + user.id, '1')
    setAway(true)
  }
  return (
    <Box
      ref={section}
      as="section"
      tabIndex={-1}
      aria-label={t('sample.title')}
      borderWidth="1px"
      borderRadius="lg"
      bg="bg.surface"
      p="4"
    >
      <HStack gap="3" align="flex-start">
        <Box color="fg.muted" pt="0.5">
          <FlaskConical size={18} aria-hidden="true" />
        </Box>
        <Box flex="1" minW="0">
          <Text as="h2" textStyle="card">
            {t(work === undefined ? 'sample.title' : `sample.${work}`)}
          </Text>
          <Text textStyle="secondary" color="fg.muted" mt="1">
            {t(work === undefined ? 'sample.text' : `sample.${work}text`)}
          </Text>
          {work === undefined ? null : <ProgressBar label={t(`sample.${work}`)} percent={100 * sample.share} mt="3" />}
          {sample.removable ? (
            <Button mt="3" size="sm" variant="outline" onClick={() => setAsked(true)}>
              <Trash2 size={14} aria-hidden="true" />
              {t('sample.remove')}
            </Button>
          ) : null}
        </Box>
        {work !== undefined ? null : <IconButton icon={X} size="xs" label={t('sample.away')} onClick={putAway} />}
      </HStack>
      {isAsked ? <RemoveDialog onClose={() => setAsked(false)} onRemove={remove} /> : null}
    </Box>
  )
}

/** The first step of someone who has nothing yet. */
const Welcome = () => {
  const { t } = useTranslation('shell')
  const { can } = useSession()
  const navigate = useNavigate()
  const make = useFirstDialog()?.make
  const [isAsked, ask] = useState(false)
  return (
    <Box borderWidth="1px" borderRadius="lg" bg="bg.surface">
      {isAsked && make ? <FirstBotDialog make={make} onClose={() => ask(false)} /> : null}
      <EmptyState icon={Bot} title={t('home.empty')} text={t('home.emptytext')}>
        {can('createbot') ? (
          <Button variant="solid" onClick={() => (make ? ask(true) : void navigate('/bot/new'))}>
            <Plus size={16} aria-hidden="true" />
            {t('home.first')}
          </Button>
        ) : null}
      </EmptyState>
    </Box>
  )
}

/** No longer than the screen: there is nothing that one could scroll to, by keyboard least of all. */
const Waiting = () => (
  <Flex gap="5" direction={{ base: 'column', xl: 'row' }} maxH="calc(100dvh - 240px)" overflow="hidden">
    <Box flex="1">
      <SimpleGrid columns={{ base: 1, md: 3 }} gap="4" mb="4">
        <Skeleton h="220px" borderRadius="lg" />
        <Skeleton h="220px" borderRadius="lg" hideBelow="md" />
        <Skeleton h="220px" borderRadius="lg" hideBelow="md" />
      </SimpleGrid>
      <Skeleton h="360px" borderRadius="lg" />
    </Box>
    <Skeleton w={{ base: '100%', xl: '364px' }} h="300px" borderRadius="lg" />
  </Flex>
)

/** /: recent work, activity and open tasks. */
export const HomePage = () => {
  const { t } = useTranslation(['shell', 'entity', 'history'])
  const { user, can } = useSession()
  const query = useQuery(homeQuery)
  // Below the changes, what needs the person would be out of sight.
  const isStacked = useMedia(MIDDLE)
  const last = useLastVisit(user.id)
  const home = query.data
  const flows = home?.flows ?? []
  const changes = home?.changes ?? []
  const empty = home !== undefined && flows.length === 0 && (changes.length === 0 || home.bots?.total === 0)
  const news = useNews(changes, user.id, last)
  const day = longDayOf(new Date().toISOString())
  const isUrgent = isStacked && home !== undefined && needsOf(home) > 0
  return (
    <Page
      title={empty ? t('home.welcome', { name: nameOf(user).split(' ')[0] }) : t('home.title')}
      trail={false}
      purpose={news === undefined ? day : `${day} · ${news}`}
      actions={
        news === undefined || !can('readaudit') ? null : (
          <Button asChild>
            <Link to={`/audit?from=${new Date(last).toISOString()}`}>
              <History size={15} aria-hidden="true" />
              {t('history:since.audit')}
            </Link>
          </Button>
        )
      }
    >
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : home === undefined ? (
        <Waiting />
      ) : (
        <Flex gap="5" direction={{ base: 'column', xl: 'row' }} align="flex-start">
          <Stack flex="1" minW="0" w="100%" gap="4">
            <SampleCard when="busy" />
            {empty ? <Welcome /> : <FirstSteps />}
            {isUrgent ? <AttentionCard home={home} /> : null}
            {home.live ? <LiveCard live={home.live} /> : null}
            {flows.length > 0 ? (
              <SimpleGrid gridTemplateColumns={THREE} gap="4">
                {flows.map(flow => (
                  <FlowCard key={flow.id} flow={flow} editing={home.editing?.find(one => one.id === flow.id)} />
                ))}
              </SimpleGrid>
            ) : null}
            {changes.length > 0 ? <RecentChanges changes={changes} last={last} /> : null}
          </Stack>
          <Stack w={{ base: '100%', xl: '364px' }} flex="none" gap="4">
            <SampleCard when="made" />
            {isUrgent ? null : <AttentionCard home={home} />}
            {home.bots ? <BotsCard bots={home.bots} /> : null}
            {home.editing && home.editing.length > 0 ? <EditingCard editing={home.editing} /> : null}
            {home.bots === undefined && flows.length === 0 ? (
              <Text textStyle="dense" color="fg.muted">
                {t('home.nothingallowed')}
              </Text>
            ) : null}
          </Stack>
        </Flex>
      )}
    </Page>
  )
}
