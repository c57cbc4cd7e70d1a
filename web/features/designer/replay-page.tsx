import { chakra, HStack } from '@chakra-ui/react'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Eye, EyeOff } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { Segments } from '#web/components/segments.tsx'
import { useLabel } from '#web/entity/label.ts'
import {
  AskedUntil,
  AskToSee,
  conversationQuery,
  type Replay,
  replayQuery,
  StatusChip,
  TakeOver,
  Transcript,
  visitorCode,
} from '#web/features/conversation/index.ts'
import { SaveConversationAsTest } from '#web/features/conversationtest/index.ts'
import { durationOf, momentOf, secondOf } from '#web/format/time.ts'
import { PageLoadError } from '#web/page/page-load-error.tsx'
import { usePageTitle } from '#web/shell/use-instance-tab.ts'
import { ZoomTools } from './chrome/floating-tools.tsx'
import { ReplayBanner, ReplayBar, ReplayDock } from './replay/replay-bar.tsx'
import { type HeldValue, linkStepsOf, momentsOf, type ReplayMoment, visitsAt } from './replay/replay-moments.ts'
import { ReplayValues, TestFromHere } from './replay/replay-values.tsx'
import { useReplayPlayer, type Walk } from './replay/use-replay-player.ts'
import { type FlowNames, useFlowNames } from './session/flow-names.ts'
import { usePhone } from './session/use-phone.ts'
import './canvas/chrome.css'
import './history/history.css'
import './history/dock.css'
import './history/phone.css'
import './simulation/simulation.css'
import './simulation/state.css'
import './replay/replay.css'
import type { Viewport } from '@xyflow/react'
import {
  CanvasContext,
  type CanvasState,
  createCanvasState,
  TranslateContext,
  useCanvas,
} from './canvas/canvas-context.ts'
import { CanvasProvider, FlowCanvas } from './canvas/flow-canvas.tsx'
import { createPositions } from './canvas/positions.ts'
import { VisitLayer } from './canvas/visit-layer.tsx'
import { useCamera } from './canvas/zoom.ts'
import { flowAtQuery, type RevisionFlow } from './history/scene.ts'
import { shownTitle, traversedLinks } from './model/block-appearance.ts'
import type { Translate } from './model/label.ts'
import { createStore } from './model/store.ts'
import { translatorOf, useReferences } from './session/use-references.ts'

interface WalkCanvasProps {
  readonly flow: RevisionFlow
  readonly dialog: string
  readonly names: FlowNames
  readonly walk: Walk
  /** The dialog's last viewport. */
  readonly camera: { at?: Viewport }
  /** Tools over the canvas. */
  readonly children: (canvas: CanvasState) => React.ReactNode
}

const VISIT_WORDS = { timeOf: (ms: number) => secondOf(new Date(ms).toISOString()), durationOf }

const Walked = ({ flow, dialog, names, walk, children }: WalkCanvasProps) => {
  const canvas = useCanvas()
  const { t } = useTranslation('replay')
  const root = useRef<HTMLDivElement>(null)
  const bringIntoSight = useCamera(root)
  const { moments, index, at } = walk
  const visits = useMemo(() => visitsAt(moments, index, dialog, VISIT_WORDS), [moments, index, dialog])
  const block = at.step?.dialog === dialog ? at.step.block : undefined
  useEffect(() => {
    const steps = (from: number, to: number) => linkStepsOf(moments.slice(from, to), dialog)
    canvas.linkMarks.set(traversedLinks(flow.model, steps(0, index), steps(index, moments.length)))
    canvas.bright.set(new Set(visits.keys()))
  }, [canvas, flow, moments, index, dialog, visits])
  useEffect(() => {
    const node = block === undefined ? undefined : flow.model.nodes.get(block)
    if (node !== undefined) bringIntoSight([node], 'some')
  }, [block, flow, bringIntoSight])
  const waits = at.step !== undefined && at.step.out === null && at.turn.status === 'waiting'
  const name = names.flow?.name ?? ''
  return (
    <div ref={root} className="pt-view pr-view" data-region="canvas">
      <FlowCanvas state={canvas} label={t('canvas', { name })} readOnly past tool="pan">
        <VisitLayer visits={visits} at={block} {...(waits ? { word: t('waits') } : {})} />
      </FlowCanvas>
      {children(canvas)}
    </div>
  )
}

/** A dialog at the revision that ran, with what the conversation did in it so far and what it does later. */
const ReplayCanvas = (props: WalkCanvasProps) => {
  const { t } = useTranslation(['designer', 'block'])
  const { flow, names, camera } = props
  const [canvas] = useState(() => {
    const store = createStore(flow.model)
    return createCanvasState(store, createPositions(store), { camera })
  })
  useEffect(() => () => canvas.positions.stop(), [canvas])
  const { nameOf } = useReferences(canvas.flow, names)
  const words = useMemo(() => translatorOf((key, values) => t(key, values ?? {}), nameOf), [t, nameOf])
  return (
    <TranslateContext value={words}>
      <CanvasContext value={canvas}>
        <CanvasProvider>
          <Walked {...props} />
        </CanvasProvider>
      </CanvasContext>
    </TranslateContext>
  )
}

/** The dialogs that a conversation came by, at the revisions that ran. */
interface ReplayFlows {
  readonly flowOf: (dialog: string) => RevisionFlow | undefined
  readonly errorOf: (dialog: string) => unknown
  readonly revisionOf: (dialog: string) => number
  readonly titleOf: (dialog: string, block: string) => string
}

/** Dialogs without a revision: their flow is not shown. */
const UNKNOWN = 0

const useReplayFlows = (flows: Replay['flows'], moments: readonly ReplayMoment[], t: Translate): ReplayFlows => {
  const walked = useMemo(() => {
    const dialogs = new Set(moments.flatMap(({ dialog }) => dialog ?? []))
    return flows.filter(({ dialog }) => dialogs.has(dialog))
  }, [flows, moments])
  return useQueries({
    queries: walked.map(({ dialog, revision }) => ({
      ...flowAtQuery({ kind: 'dialog', id: dialog }, revision),
      gcTime: Number.POSITIVE_INFINITY,
      retry: false,
    })),
    combine: found => {
      const byDialog = new Map(walked.map(({ dialog }, place) => [dialog, found[place]]))
      const flowOf = (dialog: string) => byDialog.get(dialog)?.data
      return {
        flowOf,
        errorOf: (dialog: string) => byDialog.get(dialog)?.error ?? undefined,
        revisionOf: (dialog: string) => walked.find(flow => flow.dialog === dialog)?.revision ?? UNKNOWN,
        titleOf: (dialog: string, block: string) => {
          const node = flowOf(dialog)?.model.nodes.get(block)
          return node === undefined ? block : shownTitle(node, t).text
        },
      }
    },
  })
}

type Conversation = NonNullable<ReturnType<typeof useConversation>['data']>

const useConversation = (id: string) => useQuery(conversationQuery(id))

const Person = ({ conversation, words }: { readonly conversation: Conversation; readonly words: boolean }) => {
  const { t } = useTranslation(['replay', 'tool', 'desk'])
  const label = useLabel()
  const { id, user, channeltype, started, status, standing, mayreveal, revealed } = conversation
  return (
    <div className="pr-person-head">
      <HStack justify="space-between" gap="2">
        <b>{user?.name ?? t('tool:conversation.visitor', { sign: visitorCode(conversation) })}</b>
        <StatusChip status={status} standing={standing} />
      </HStack>
      <p className="ps-muted">
        {label.option('channel', 'type', channeltype)} · {momentOf(started)}
      </p>
      {words ? (
        <HStack mt="2" flexWrap="wrap">
          <SaveConversationAsTest id={id} bot={conversation.bot} words={revealed === null} />
          <AskedUntil revealed={revealed} />
        </HStack>
      ) : (
        <HStack gap="2" mt="2" fontSize="xs" color="fg.muted" flexWrap="wrap">
          <EyeOff size={14} aria-hidden style={{ flex: 'none' }} />
          <chakra.span flex="1 1 140px">{t('tool:conversation.nowords')}</chakra.span>
          {mayreveal ? <AskToSee conversation={id} title={t('desk:ask.words')} /> : null}
        </HStack>
      )}
    </div>
  )
}

/** Scrolls the list alone: `scrollIntoView` would also scroll the page of a phone, away from the canvas. */
const scrollWithin = (list: Element, part: Element): void => {
  const [room, box] = [list.getBoundingClientRect(), part.getBoundingClientRect()]
  if (box.top < room.top) list.scrollTop += box.top - room.top
  else if (box.bottom > room.bottom) list.scrollTop += Math.min(box.bottom - room.bottom, box.top - room.top)
}

/** The transcript, with the turn that one is at in sight. */
const Said = ({ walk, replay, titleOf }: PartProps) => {
  const { at } = walk
  const root = useRef<HTMLDivElement>(null)
  const names = useMemo(() => ({ titleOf }), [titleOf])
  const held = useRef(walk)
  held.current = walk
  const onStep = useCallback((turn: number, place: number) => held.current.goTo(turn, place), [])
  useEffect(() => {
    const turn = root.current?.querySelector(`[data-turn="${at.turn.turn}"]`)
    if (turn != null && root.current !== null) scrollWithin(root.current, turn)
  }, [at])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div ref={root} className="pr-transcript" tabIndex={0}>
      <Transcript replay={replay} names={names} onStep={onStep} at={{ turn: at.turn.turn, place: at.place }} />
    </div>
  )
}

interface PartProps {
  readonly walk: Walk
  readonly replay: Replay
  readonly titleOf: (dialog: string, block: string) => string
}

const Legend = () => {
  const { t } = useTranslation('replay')
  return (
    <p className="pl-float pr-legend">
      <span>
        <i />
        {t('legend.walked')}
      </span>
      <span>
        <i data-later="" />
        {t('legend.later')}
      </span>
    </p>
  )
}

interface FrameProps extends Readonly<Record<'person' | 'said' | 'values' | 'band' | 'canvas' | 'dock', ReactNode>> {
  readonly phone: boolean
}

/** Panels beside, over and under the canvas; stacked on a phone. */
const Frame = ({ phone, person, said, values, band, canvas, dock }: FrameProps) => {
  const { t } = useTranslation('replay')
  const [tab, setTab] = useState<'said' | 'values'>('said')
  if (phone)
    return (
      <div className="pt-phone">
        {band}
        {canvas}
        {dock}
        <Segments<'said' | 'values'>
          label={t('shown')}
          value={tab}
          options={[
            { value: 'said', label: t('said') },
            { value: 'values', label: t('values') },
          ]}
          onChange={setTab}
        />
        {tab === 'said' ? (
          <>
            {person}
            {said}
          </>
        ) : (
          values
        )}
      </div>
    )
  return (
    <div className="pt-history">
      <div className="pt-left pr-left" data-region="left">
        {person}
        {said}
      </div>
      <div className="pt-middle">
        {band}
        {canvas}
        {dock}
      </div>
      <div className="pt-right pr-right" data-region="inspector">
        {values}
      </div>
    </div>
  )
}

/** Kind of the question's answer, if more specific than its type. */
const useKindOf = (flowOf: ReplayFlows['flowOf']) => {
  const { t } = useTranslation('block')
  return useCallback(
    ({ by }: HeldValue): string | undefined => {
      const data = by && flowOf(by.dialog)?.model.nodes.get(by.block)?.properties.data
      const kind = typeof data === 'object' && data !== null && 'validationType' in data ? data.validationType : 'none'
      return kind === 'none' ? undefined : t(`option.validationType.${String(kind)}`)
    },
    [flowOf, t],
  )
}

interface JourneyProps {
  readonly conversation: Conversation
  readonly replay: Replay
  readonly onLeave: () => void
}

const Journey = ({ conversation, replay, onLeave }: JourneyProps) => {
  const { t } = useTranslation(['replay', 'designer', 'block'])
  const phone = usePhone()
  const moments = useMemo(() => momentsOf(replay.turns), [replay])
  const walk = useReplayPlayer(moments, onLeave)
  const words = useCallback((key: string, values?: object) => t(key, { ...values }), [t])
  const flows = useReplayFlows(replay.flows, moments, words)
  const cameras = useRef(new Map<string, object>())
  const { flowOf, titleOf } = flows
  const kindOf = useKindOf(flowOf)
  const dialog = walk?.at.dialog
  const bar = <ReplayBar conversation={conversation} dialog={dialog} onLeave={onLeave} />
  if (walk === undefined || dialog === undefined)
    return (
      <>
        {bar}
        <EmptyState icon={Eye} title={t('replay:nothing')} text={t('replay:nothingtext')} />
      </>
    )
  const flow = flowOf(dialog)
  const camera = cameras.current.get(dialog) ?? {}
  cameras.current.set(dialog, camera)
  const error = flows.errorOf(dialog)
  const { step, time } = walk.at
  return (
    <>
      {bar}
      <Frame
        phone={phone}
        person={<Person conversation={conversation} words={replay.words} />}
        said={<Said walk={walk} replay={replay} titleOf={titleOf} />}
        values={
          <>
            <ReplayValues walk={walk} words={replay.words} kindOf={kindOf} titleOf={titleOf} />
            <TestFromHere walk={walk} replay={replay} />
            {walk.index === moments.length - 1 ? (
              <footer className="pr-foot">
                <TakeOver conversation={conversation} />
              </footer>
            ) : null}
          </>
        }
        band={
          <ReplayBanner
            bot={replay.bot}
            dialog={dialog}
            flow={flow}
            revision={flows.revisionOf(dialog)}
            time={new Date(time).toISOString()}
          />
        }
        canvas={
          flow === undefined ? (
            <div className="pt-view">{error === undefined ? <DesignerSkeleton /> : <ErrorState error={error} />}</div>
          ) : (
            <Shown key={dialog} dialog={dialog} walk={walk} flow={flow} camera={camera} phone={phone} />
          )
        }
        dock={
          <ReplayDock
            walk={walk}
            replay={replay}
            title={step === undefined ? '' : titleOf(step.dialog, step.block)}
            phone={phone}
          />
        }
      />
    </>
  )
}

type ShownProps = Omit<Parameters<typeof ReplayCanvas>[0], 'names' | 'children'> & { readonly phone: boolean }

const Shown = ({ dialog, phone, ...given }: ShownProps) => {
  const names = useFlowNames({ kind: 'dialog', id: dialog })
  return (
    <ReplayCanvas dialog={dialog} names={names} {...given}>
      {canvas => (
        <>
          <ZoomTools canvas={canvas} />
          {phone ? null : <Legend />}
        </>
      )}
    </ReplayCanvas>
  )
}

/** /designer/conversation/{id}: a conversation walked block by block over the revisions that ran. */
export const ReplayPage = () => {
  const { t } = useTranslation('replay')
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const conversation = useConversation(id)
  const replay = useQuery(replayQuery(id, conversation.data))
  usePageTitle(t('tab'))
  const bot = conversation.data?.bot
  const leave = useCallback(
    () => void navigate(bot === undefined ? '/bot' : `/bot/conversation/${bot}?open=${id}`),
    [navigate, bot, id],
  )
  const error = conversation.error ?? replay.error
  if (error) return <PageLoadError error={error} onRetry={() => void replay.refetch()} />
  if (conversation.data === undefined || replay.data === undefined) return <DesignerSkeleton />
  return (
    <chakra.div display="flex" flexDirection="column" flex="1" minH="0">
      <Journey conversation={conversation.data} replay={replay.data} onLeave={leave} />
    </chakra.div>
  )
}
