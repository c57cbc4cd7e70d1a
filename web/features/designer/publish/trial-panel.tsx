import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import {
  Check,
  CircleAlert,
  CircleDashed,
  ExternalLink,
  EyeOff,
  LoaderCircle,
  RotateCcw,
  TriangleAlert,
  Undo2,
  X,
} from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import type { ChatMessage } from '#web/chat/chat-protocol.ts'
import { plainText } from '#web/chat/markdown.ts'
import { Chat } from '#web/chat-window/chat-pane.tsx'
import { chatAddress } from '#web/chat-window/chat-window.ts'
import { Chip } from '#web/components/chip.tsx'
import { IconButton } from '#web/components/hint.tsx'
import { formAddress } from '#web/entity/address.ts'
import { liveRevision } from '#web/entity/flow/read-revisions.ts'
import { SaveConversationAsTest } from '#web/features/conversationtest/index.ts'
import { durationOf, minuteOf } from '#web/format/time.ts'
import { type Visit, VisitLayer } from '../canvas/visit-layer.tsx'
import { useCamera } from '../canvas/zoom.ts'
import { useMode } from '../mode/mode-context.ts'
import { traversedLinks, visitCount } from '../model/block-appearance.ts'
import { useStoreValue } from '../model/store.ts'
import { type Trial, type TrialStep, useDesigner } from '../session/designer.ts'
import { useNames } from '../session/flow-names.ts'
import { useRollback } from './rollback.ts'
import { answered, isOnAir } from './trial.ts'
import { useUnpublished } from './use-unpublished.ts'

/** The turn of a message is stored before it is shown, but the list of conversations may learn of it later. */
const SETTLED_MS = 600

type Path = AnswerOf<'GET /conversation/{id}/path'>

const pathQuery = (conversation: string) => ({
  queryKey: ['conversation', 'path', conversation],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    http.get('/conversation/{id}/path', { params: { id: conversation }, signal }),
  enabled: conversation !== '',
  retry: false,
})

const STEP_ICONS = {
  waits: CircleDashed,
  busy: LoaderCircle,
  done: Check,
  was: Check,
  failed: CircleAlert,
} as const

const StepMark = ({ state }: Pick<TrialStep, 'state'>) => {
  const Icon = STEP_ICONS[state]
  const tone = state === 'failed' ? 'danger' : state === 'done' || state === 'was' ? 'positive' : undefined
  return (
    <Box
      flex="none"
      p="1"
      borderRadius="full"
      color={tone === undefined ? 'fg.muted' : `${tone}.fg`}
      bg={tone === undefined ? 'bg.subtle' : `${tone}.subtle`}
      {...(state === 'busy' ? { animation: 'spin', _motionReduce: { animation: 'none' } } : {})}
    >
      <Icon size={14} strokeWidth={2.5} aria-hidden />
    </Box>
  )
}

/** The page where a part is made by hand. */
const placeOf = ({ is }: TrialStep, bot: string, task: string): string => {
  if (is === 'channel') return `/bot/channel/${bot}`
  return is === 'entry' ? formAddress(`/dialogtask/${task}`, { bot }) : formAddress(`/bot/${bot}`)
}

const StepRow = ({ step, trial }: { readonly step: TrialStep; readonly trial: Trial }) => {
  const { t } = useTranslation(['designer', 'shell'])
  const { flow, task, bot } = useNames()
  const { is, state, ms, text } = step
  const hint =
    text !== undefined
      ? state === 'failed'
        ? `${text} ${t('trial.safe')}`
        : `“${text}”`
      : is === 'published' && trial.changed > 0
        ? t('trial.changed', { count: trial.changed })
        : undefined
  const beside = state === 'was' ? t('trial.was') : ms === undefined ? '' : durationOf(ms)
  return (
    <HStack
      as="li"
      gap="3"
      px="3.5"
      py="2.5"
      borderTopWidth="1px"
      align="start"
      data-step={is}
      data-state={state}
      {...(state === 'failed' ? { bg: 'danger.subtle' } : {})}
    >
      <StepMark state={state} />
      <Box flex="1" minW="0">
        <Text textStyle="dense" fontWeight="semibold">
          {t(`trial.step.${is}`, { bot: trial.bot, dialog: flow?.name ?? '' })}
        </Text>
        {hint === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted" lineClamp={3}>
            {hint}
          </Text>
        )}
        {state === 'failed' && bot !== undefined && task !== undefined ? (
          <Button asChild size="xs" mt="1.5">
            <Link to={placeOf(step, bot.id, task.id)}>{t('shell:reach.see')}</Link>
          </Button>
        ) : null}
      </Box>
      {state === 'done' && is === 'channel' ? (
        <Chip tone="info">{t('trial.new')}</Chip>
      ) : (
        <Text textStyle="secondary" color="fg.muted" flex="none">
          {beside}
        </Text>
      )}
    </HStack>
  )
}

interface KeptProps {
  readonly trial: Trial
  readonly isIcon?: boolean
}

/** Keeps what was said in the trial as a test. */
const KeepTrial = ({ trial: { conversation }, isIcon = false }: KeptProps) => {
  const { can } = useSession()
  const { bot, flow } = useNames()
  if (bot === undefined || conversation === undefined) return null
  const kept = { id: conversation, bot: bot.id, proposed: flow?.name ?? '', words: can('readconversation') }
  return isIcon ? (
    <SaveConversationAsTest {...kept} isIcon size="xs" {...TOUCH} />
  ) : (
    <SaveConversationAsTest {...kept} size="sm" variant="outline" />
  )
}

const TOUCH = { minW: { base: '11', md: '7' }, minH: { base: '11', md: '7' } }

/** Brings back what was live before it was published, and what was published after that. */
const BackToRevision = ({ revisions: { before, after } }: { readonly revisions: NonNullable<Trial['revisions']> }) => {
  const { t } = useTranslation('designer')
  const { can } = useSession()
  const { address, trial: held } = useDesigner()
  const { flow } = useNames()
  const rollBack = useRollback()
  const [isBusy, setBusy] = useState(false)
  const live = flow === undefined ? 0 : liveRevision(flow)
  if (!can(`publish${address.kind}`) || (live !== before && live !== after)) return null
  const isBack = live === before
  const run = async () => {
    setBusy(true)
    const isDone = await (isBack ? rollBack(after, before) : rollBack(before, after))
    setBusy(false)
    if (!isDone) return
    // A new conversation runs the revision that is live by now.
    const now = held.get()
    if (now === undefined) return
    const { conversation: _ended, ...rest } = now
    held.set({ ...rest, round: now.round + 1 })
  }
  return (
    <HStack px="3.5" minH="11" gap="2" mt="auto" borderTopWidth="1px" flex="none" textStyle="secondary">
      <Undo2 size={14} aria-hidden />
      <Text flex="1" color="fg.muted">
        {isBack ? t('rollback.done', { revision: before }) : t('rollback.question')}
      </Text>
      <Button variant="plain" size="xs" color="accent.fg" px="0" loading={isBusy} onClick={() => void run()}>
        {isBack ? t('rollback.undo') : t('rollback.back', { revision: before })}
      </Button>
    </HStack>
  )
}

/** The result of publishing and trying, in place of the palette until it is closed. */
export const TrialSteps = ({ trial }: { readonly trial: Trial }) => {
  const { t } = useTranslation('designer')
  const { can } = useSession()
  const { trial: held, findings } = useDesigner()
  const { send } = useMode()
  const { bot } = useNames()
  const warnings = useStoreValue(findings).filter(({ severity }) => severity === 'warning').length
  const isLive = isOnAir(trial)
  const isFailed = trial.steps.some(({ state }) => state === 'failed')
  const took = trial.steps.reduce((sum, { ms = 0 }) => sum + ms, 0)
  return (
    <Stack
      as="section"
      data-region="left"
      aria-label={t('trial.result')}
      flex="1"
      minW="0"
      gap="0"
      bg="bg.surface"
      borderRightWidth="1px"
      overflowY="auto"
    >
      <HStack px="3.5" py="3" gap="2" align="start">
        <Box flex="1" minW="0" role="status">
          <Text as="h2" textStyle="card">
            {t(isLive ? 'trial.live' : isFailed ? 'trial.failed' : 'trial.busy')}
          </Text>
          <Text textStyle="secondary" color="fg.muted">
            {minuteOf(new Date(trial.time).toISOString())}
            {took === 0 ? '' : ` · ${durationOf(took)}`}
          </Text>
        </Box>
        <IconButton
          icon={X}
          size="xs"
          label={t('trial.close')}
          onClick={() => held.set({ ...trial, hasSteps: false })}
        />
      </HStack>
      <Box as="ol" listStyleType="none" borderBottomWidth="1px">
        {trial.steps.map(step => (
          <StepRow key={step.is} step={step} trial={trial} />
        ))}
      </Box>
      {warnings === 0 ? null : (
        <HStack
          mx="3.5"
          mt="3"
          px="3"
          py="2"
          gap="2"
          borderWidth="1px"
          borderColor="warning.muted"
          borderRadius="lg"
          bg="warning.subtle"
          color="warning.fg"
        >
          <TriangleAlert size={15} aria-hidden />
          <Text flex="1" textStyle="secondary">
            {t('lint.warnings', { count: warnings })}
          </Text>
          <Button size="xs" variant="outline" onClick={() => send({ type: 'LINT' })}>
            {t('trial.see')}
          </Button>
        </HStack>
      )}
      {bot === undefined || !isLive ? null : (
        <Stack px="3.5" py="3" gap="2">
          <Text textStyle="secondary" fontWeight="semibold" color="fg.muted">
            {t('trial.next')}
          </Text>
          <Button asChild size="sm" variant="outline">
            <Link to={`${formAddress(`/bot/${bot.id}`)}#site`}>{t('trial.site')}</Link>
          </Button>
          {can('createchannel') ? (
            <Button asChild size="sm" variant="outline">
              <Link to={`/bot/channel/${bot.id}`}>{t('trial.channels')}</Link>
            </Button>
          ) : null}
          <KeepTrial trial={trial} />
        </Stack>
      )}
      {trial.revisions === undefined ? null : <BackToRevision revisions={trial.revisions} />}
    </Stack>
  )
}

/** Says that the chat runs an older state than the one that is drawn. */
const Behind = () => {
  const { t } = useTranslation('designer')
  const { address } = useDesigner()
  const { going } = useUnpublished(address, useNames().flow)
  if (going.length === 0) return null
  return (
    <Text role="status" textStyle="secondary" color="warning.fg" bg="warning.subtle" px="3.5" py="1.5">
      {t('trial.behind', { count: going.length })}
    </Text>
  )
}

/** Says that the trial does not count, and leads to its conversation. */
const ChatFoot = ({ conversation }: { readonly conversation: string }) => {
  const { t } = useTranslation('designer')
  const { can } = useSession()
  const { bot } = useNames()
  return (
    <HStack px="4" minH={{ base: '11', md: '9' }} borderTopWidth="1px" gap="1.5" flex="none" textStyle="secondary">
      <EyeOff size={13} aria-hidden />
      <Text flex="1" color="fg.muted">
        {t('trial.uncounted')}
      </Text>
      {conversation !== '' && can('readconversation') ? (
        <Button asChild variant="plain" size="xs" color="accent.fg" px="0">
          <Link to={`/bot/conversation/${bot?.id ?? ''}?open=${conversation}`}>{t('trial.conversation')}</Link>
        </Button>
      ) : null}
    </HStack>
  )
}

/** Below this width it lies over the canvas. */
const BESIDE = '@media (min-width: 1280px)'

/** The published web chat beside the canvas, as a new visitor. */
export const TrialChat = ({ trial, channel }: { readonly trial: Trial; readonly channel: string }) => {
  const { t } = useTranslation(['designer', 'shell'])
  const { trial: held } = useDesigner()
  const { conversation = '' } = trial
  const { refetch } = useQuery(pathQuery(conversation))
  const opened = useRef(performance.now())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const onNews = (id: string, message?: ChatMessage) => {
    const now = held.get()
    if (now === undefined) return
    const words = message?.from === 'bot' ? plainText(message.text ?? message.title ?? '') : undefined
    const next = words === undefined ? now : answered(now, words, performance.now() - opened.current)
    if (id !== conversation || next !== now) held.set({ ...next, conversation: id })
    if (id === conversation) void refetch()
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void refetch(), SETTLED_MS)
  }
  const isLive = isOnAir(trial)
  return (
    <chakra.aside
      data-region="trial"
      aria-label={t('shell:reach.chatwith', { bot: trial.bot })}
      display="flex"
      flexDirection="column"
      bg="bg.surface"
      position="fixed"
      zIndex="overlay"
      right={{ base: '0', md: '5' }}
      bottom={{ base: '0', md: '5' }}
      w={{ base: '100vw', md: '380px' }}
      h={{ base: '100dvh', md: 'min(640px, calc(100dvh - 96px))' }}
      borderWidth={{ base: '0', md: '1px' }}
      borderRadius={{ base: '0', md: 'lg' }}
      boxShadow="overlay"
      overflow="hidden"
      css={{
        [BESIDE]: {
          position: 'relative',
          inset: 'auto',
          zIndex: 'auto',
          flex: 'none',
          width: '372px',
          height: 'auto',
          minHeight: 0,
          borderRadius: 0,
          borderWidth: '0 0 0 1px',
          boxShadow: 'none',
        },
      }}
    >
      <HStack ps="4" pe="2" minH="11" gap="1" borderBottomWidth="1px" flex="none">
        <Text as="h2" textStyle="card">
          {t('trial.title')}
        </Text>
        <Box flex="1" ps="1.5">
          {isLive ? (
            <Chip tone="positive">
              <Check size={11} aria-hidden />
              {t('trial.onair')}
            </Chip>
          ) : null}
        </Box>
        <KeepTrial trial={trial} isIcon />
        <IconButton
          icon={RotateCcw}
          size="xs"
          {...TOUCH}
          label={t('trial.restart')}
          onClick={() => {
            const { conversation: _ended, ...rest } = trial
            held.set({ ...rest, round: trial.round + 1 })
          }}
        />
        <IconButton
          icon={ExternalLink}
          size="xs"
          {...TOUCH}
          label={t('shell:reach.open')}
          onClick={() => void window.open(chatAddress(channel), '_blank', 'noreferrer')}
        />
        <IconButton icon={X} size="xs" {...TOUCH} label={t('shell:close')} onClick={() => held.set(undefined)} />
      </HStack>
      <Behind />
      <Box flex="1" minH="0" display="flex" flexDirection="column" overflow="hidden">
        <Chat key={`${channel} ${trial.round}`} channel={channel} onNews={onNews} />
      </Box>
      <ChatFoot conversation={conversation} />
    </chakra.aside>
  )
}

const NO_PATH: Path['steps'] = []

/** Marks the way of the conversation on the canvas, and keeps the block that waits in sight. */
export const TrialMarks = () => {
  const { t } = useTranslation('designer')
  const { address, canvas, trial: held } = useDesigner()
  const trial = useStoreValue(held)
  const { data } = useQuery(pathQuery(trial?.conversation ?? ''))
  const flow = useStoreValue(canvas.flow)
  const walked = trial?.conversation === undefined ? NO_PATH : (data?.steps ?? NO_PATH)
  const steps = useMemo(() => walked.filter(({ dialog }) => dialog === address.id), [walked, address.id])
  const visits = useMemo(
    () =>
      new Map(
        [...Map.groupBy(steps, ({ block }) => block)].map(([block, ran]): [string, Visit] => [
          block,
          { label: `${visitCount(ran)}×` },
        ]),
      ),
    [steps],
  )
  useEffect(() => {
    canvas.linkMarks.set(traversedLinks(flow, steps))
    return () => canvas.linkMarks.set(new Map())
  }, [canvas, flow, steps])
  const at = trial !== undefined && data?.at?.dialog === address.id ? data.at.block : undefined
  return visits.size === 0 ? null : <VisitLayer visits={visits} at={at} word={t('trial.waits')} />
}

/** Height of the bar that says so, with margins. CSS pixels. */
const FOLLOW_BAR_HEIGHT = 64

/** Says that the canvas follows the chat, with a button that ends this. */
export const TrialFollow = ({ trial }: { readonly trial: Trial }) => {
  const { t } = useTranslation('designer')
  const { address, canvas, trial: held } = useDesigner()
  const { data } = useQuery(pathQuery(trial.conversation ?? ''))
  const bar = useRef<HTMLDivElement>(null)
  const view = useMemo(
    () => ({
      get current() {
        return bar.current?.closest<HTMLElement>('[data-region=canvas]') ?? null
      },
    }),
    [],
  )
  const bringIntoSight = useCamera(view, FOLLOW_BAR_HEIGHT)
  const hasMoved = useRef(false)
  // Without a waiting block, the last visited one.
  const place = data?.at ?? data?.steps.at(-1)
  const at = place?.dialog === address.id ? place.block : undefined
  useEffect(() => {
    const node = at === undefined ? undefined : canvas.flow.get().nodes.get(at)
    if (node === undefined || !trial.isFollowed) return
    // The chat has narrowed the canvas: the first block is brought near, later ones only when they are out of sight.
    bringIntoSight([node], hasMoved.current ? 'some' : 'never')
    hasMoved.current = true
  }, [at, canvas, bringIntoSight, trial.isFollowed])
  return (
    <HStack ref={bar} className="pl-float" top="3" left="50%" translate="-50% 0" textStyle="dense" whiteSpace="nowrap">
      <Box
        boxSize="2"
        ms="2"
        me="1"
        borderRadius="full"
        bg={trial.isFollowed ? 'positive.solid' : 'border.emphasized'}
      />
      {t(trial.isFollowed ? 'trial.followed' : 'trial.unfollowed')}
      <Button variant="ghost" size="xs" onClick={() => held.set({ ...trial, isFollowed: !trial.isFollowed })}>
        {t(trial.isFollowed ? 'trial.letgo' : 'trial.follow')}
      </Button>
    </HStack>
  )
}
