import { Button } from '@chakra-ui/react'
import { Eye, EyeOff, History, Pause, Play, RotateCcw, SkipBack, SkipForward } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ErrorState } from '#web/components/error-state.tsx'
import { DesignerSkeleton } from '#web/components/page-skeleton.tsx'
import { PHONE, useMedia } from '#web/shell/use-media.ts'
import { blockSizeOf, type CanvasState, createCanvasState, useWords } from './canvas/canvas-context.ts'
import { ZoomTools } from './chrome/floating-tools.tsx'
import { Notices } from './chrome/notices.tsx'
import { ChangePanel } from './history/change-panel.tsx'
import { type Flag, momentFlags, usePublishings } from './history/flag.ts'
import { type BlockScene, changeEntries, flowAtQuery, reuseUnchanged, type Scene } from './history/scene.ts'
import { useMode } from './mode/mode-context.ts'
import { createStore, useStoreValue } from './model/store.ts'
import { useDesigner } from './session/designer.ts'
import { useNames } from './session/flow-names.ts'
import type { FlowAddress } from './session/room/flow-address.ts'
import './history/history.css'
import './history/mark.css'
import './session/edit-history/edit-session.css'
import './history/dock.css'
import './history/change.css'
import './history/phone.css'
import { useQuery } from '@tanstack/react-query'
import i18next, { type TFunction } from 'i18next'
import { createPortal } from 'react-dom'
import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import type { WordPart } from '#domain/flow/diff/word-diff.ts'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { useSession } from '#web/api/session.ts'
import { Hint } from '#web/components/hint.tsx'
import { Modal } from '#web/components/modal.tsx'
import { type Counts, countsOf, indexAt, liveRevision, MARK_KINDS } from '#web/entity/flow/read-revisions.ts'
import { FlowCanvas } from './canvas/flow-canvas.tsx'
import { openingViewport } from './canvas/opening-viewport.ts'
import { createPositions } from './canvas/positions.ts'
import { useCamera } from './canvas/zoom.ts'
import { minuteOf, momentOf, momentSummary, type Range, weekdayOf } from './history/edit-days.ts'
import { ChangeCounts, Legend } from './history/legend.tsx'
import { SessionList } from './history/session-list.tsx'
import { Track } from './history/track.tsx'
import { useRestore } from './history/use-restore.ts'
import { useScene } from './history/use-scene.ts'
import { type Travel, TravelContext, useMoments, usePlay, useTravel, useTravelling } from './history/use-travel.ts'
import { useTravelKeys } from './history/use-travel-keys.ts'
import { InlineTextDiff } from './history/value-diff.tsx'
import { DockButton } from './mode/dock-button.tsx'
import type { Decoration } from './model/block-appearance.ts'
import { useRollback } from './publish/rollback.ts'
import { BAR_SLOT } from './session/bar-slot.ts'

/** Effect of a restore on the current flow. */
const useOutcome = (open: boolean) => {
  const { address, at, head } = useTravelling()
  const then = useQuery({ ...flowAtQuery(address, at.revision), enabled: open })
  const now = useQuery({ ...flowAtQuery(address, head.revision), enabled: open })
  if (then.data === undefined || now.data === undefined) return undefined
  const { nodes, links } = diffFlows(now.data.file, then.data.file)
  const moved = links.added.length + links.removed.length + links.changed.length
  const script = (now.data.file.js ?? '') !== (then.data.file.js ?? '')
  const counts = countsOf(nodes)
  return { counts, links: moved, nothing: moved + counts.added + counts.changed + counts.removed === 0 && !script }
}

const outcomeWords = (
  { counts, links }: { readonly counts: Counts; readonly links: number },
  t: TFunction<'history'>,
) =>
  new Intl.ListFormat(i18next.language).format([
    ...MARK_KINDS.filter(kind => counts[kind] > 0).map(kind => t(`flow.would.${kind}`, { count: counts[kind] })),
    ...(links > 0 ? [t('flow.would.links', { count: links })] : []),
  ])

const OutcomeText = ({ outcome }: { readonly outcome: ReturnType<typeof useOutcome> }) => {
  const { t } = useTranslation('history')
  return (
    <div className="pt-outcome" aria-live="polite">
      {outcome === undefined ? (
        <p>{t('flow.counting')}</p>
      ) : outcome.nothing ? (
        <p>{t('flow.already')}</p>
      ) : (
        <>
          <ChangeCounts counts={outcome.counts} all />
          <p>{t('flow.outcome', { what: outcomeWords(outcome, t) })}</p>
        </>
      )}
      <p className="pt-muted">{t('flow.restoreSafe')}</p>
    </div>
  )
}

/** Brings the whole flow back: first the counts, then the act, which can be undone. */
const RestoreFlow = ({ small = false }: { readonly small?: boolean }) => {
  const { t } = useTranslation('history')
  const { at, head } = useTravelling()
  const { mayEdit, busy, restore } = useRestore()
  const [open, setOpen] = useState(false)
  const outcome = useOutcome(open)
  if (!mayEdit) return null
  const when = momentOf(at.time)
  const act = async () => {
    setOpen(false)
    await restore(at.revision, undefined, t('flow.flowRestored', { when }))
  }
  return (
    <>
      <Button
        variant="solid"
        colorPalette="accent"
        size={small ? 'sm' : 'md'}
        disabled={busy || at === head}
        onClick={() => setOpen(true)}
      >
        <RotateCcw size={15} aria-hidden />
        {t(small ? 'flow.restoreShort' : 'flow.restoreFlow')}
      </Button>
      <Modal
        open={open}
        onClose={() => setOpen(false)}
        title={t('flow.restoreTitle', { when })}
        icon={<RotateCcw size={18} aria-hidden />}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>{t('flow.cancel')}</Button>
            <Button
              variant="solid"
              colorPalette="accent"
              data-autofocus
              disabled={outcome === undefined || outcome.nothing}
              onClick={() => void act()}
            >
              {t('flow.restoreFlow')}
            </Button>
          </>
        }
      >
        <OutcomeText outcome={outcome} />
      </Modal>
    </>
  )
}

const LEAD = 14

/** A block shows two lines: cuts text before the first changed word to keep the change visible. */
const fromFirstChange = (parts: readonly WordPart[]): readonly WordPart[] => {
  const [first, ...rest] = parts
  if (first?.kind !== 'same' || first.text.length <= 2 * LEAD || rest.length === 0) return parts
  return [{ kind: 'same', text: `…${first.text.slice(-LEAD)}` }, ...rest]
}

const decorationOf = ({ kind, from, title, preview }: BlockScene): Decoration => ({
  kind,
  ...(from === undefined ? {} : { from }),
  ...(title === undefined ? {} : { title: <InlineTextDiff parts={title} /> }),
  ...(preview === undefined ? {} : { text: <InlineTextDiff parts={fromFirstChange(preview)} /> }),
})

const EMPTY: FlowModel = { schema: 1, nodes: new Map(), links: new Map() }

/** A separate canvas for the past: it shares only the camera with the live one. */
const useRevisionCanvas = (live: CanvasState): CanvasState & { show(scene: Scene): void } => {
  const [canvas] = useState(() => {
    const flow = createStore(EMPTY)
    live.camera.at ??= openingViewport(live.flow.get(), { width: innerWidth, height: innerHeight }, blockSizeOf(live))
    const state = createCanvasState(flow, createPositions(flow), { camera: live.camera, compact: live.compact })
    const show = (scene: Scene) => {
      state.decorations.set(new Map([...scene.blocks].map(([id, block]) => [id, decorationOf(block)])))
      state.linkDecorations.set(scene.links)
      flow.set(before => reuseUnchanged(before, scene.model))
    }
    return { ...state, show }
  })
  useEffect(() => () => canvas.positions.stop(), [canvas])
  return canvas
}

interface PastCanvasProps {
  readonly canvas: CanvasState
  readonly name: string
}

/** The flow as it stood: to look at, not to change. */
const RevisionCanvas = ({ canvas, name }: PastCanvasProps) => {
  const { t } = useTranslation('history')
  return (
    <>
      <FlowCanvas state={canvas} label={t('flow.canvas', { name })} readOnly past tool="pan" />
      <Notices />
    </>
  )
}

const RANGES = ['day', 'three', 'all'] as const

interface DockProps {
  readonly flags: readonly Flag[]
  readonly playing: boolean
  readonly onPlay: () => void
  readonly phone: boolean
}

/** The line of time under the canvas. */
const Dock = ({ flags, playing, onPlay, phone }: DockProps) => {
  const { t } = useTranslation('history')
  const { at, session, index, moments, fresh, stepSession } = useTravelling()
  const [range, setRange] = useState<Range>('three')
  const whole = at === session.last
  return (
    <section className="pt-dock" data-region="dock" aria-label={t('flow.dock')}>
      <div className="pt-dock-head">
        <DockButton label={t('flow.sessionBefore')} keys="⇧←" disabled={index === 0} onClick={() => stepSession(-1)}>
          <SkipBack size={15} aria-hidden />
        </DockButton>
        <DockButton label={t(playing ? 'flow.pause' : 'flow.play')} keys={t('flow.space')} onClick={onPlay}>
          {playing ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </DockButton>
        <DockButton
          label={t('flow.sessionAfter')}
          keys="⇧→"
          disabled={index === moments.length - 1}
          onClick={() => stepSession(1)}
        >
          <SkipForward size={15} aria-hidden />
        </DockButton>
        <p className="pt-sentence">
          <b>{phone ? `${weekdayOf(at.time, 'short')} ${minuteOf(at.time)}` : minuteOf(at.time)}</b>
          <span>{momentSummary(whole ? { ...at, authors: session.authors, summary: session.summary } : at, t)}</span>
        </p>
        <span className="pt-fresh" role="status">
          {fresh > 0 ? t('flow.fresh', { count: fresh }) : ''}
        </span>
        {phone ? null : (
          <>
            <small className="pt-quiet-note">{t('flow.quiet')}</small>
            <fieldset className="pl-seg" data-small aria-label={t('flow.range')}>
              {RANGES.map(one => (
                <button key={one} type="button" aria-pressed={range === one} onClick={() => setRange(one)}>
                  {t(`flow.ranges.${one}`)}
                </button>
              ))}
            </fieldset>
          </>
        )}
      </div>
      <Track range={range} flags={flags} small={phone} />
    </section>
  )
}

interface InkBandProps {
  /** When the flow went live. */
  readonly publishings: readonly Flag[]
  readonly phone: boolean
}

/** Makes the revision on show live again where it was live before another one; a notice takes it back. */
const MakeLive = ({ publishings }: Pick<InkBandProps, 'publishings'>) => {
  const { t } = useTranslation('history')
  const { can } = useSession()
  const { address } = useDesigner()
  const { flow } = useNames()
  const { index, moments } = useTravelling()
  const rollBack = useRollback()
  const [busy, setBusy] = useState(false)
  const live = flow === undefined ? 0 : liveRevision(flow)
  const revision = publishings.find(
    ({ kind, revision: went }) => kind === 'published' && went !== undefined && indexAt(moments, went) === index,
  )?.revision
  if (revision === undefined || live === 0 || revision === live || !can(`publish${address.kind}`)) return null
  const run = async () => {
    if (busy) return
    setBusy(true)
    await rollBack(revision, live)
    setBusy(false)
  }
  return (
    <button type="button" className="pt-band-act" aria-busy={busy} onClick={() => void run()}>
      {t('flow.makeLive')}
    </button>
  )
}

/** Says over the canvas, in ink, that this is not the present. */
const InkBand = ({ phone, publishings }: InkBandProps) => {
  const { t } = useTranslation('history')
  const { at, head, other, view, from, to } = useTravelling()
  const earlier = from === at.revision ? at : other
  const later = to === at.revision ? at : other
  const values = {
    moment: momentOf(view === 'between' ? earlier.time : at.time),
    until: momentOf(view === 'between' ? later.time : head.time),
  }
  return (
    <div className="pt-band" role="status">
      <History size={17} strokeWidth={1.75} aria-hidden />
      <span className="pt-band-text">
        <span>
          <Trans t={t} i18nKey={`flow.band.${view}`} values={values} components={{ b: <b /> }} />
        </span>
        <small>{t('flow.place', { revision: at.revision, total: head.revision })}</small>
      </span>
      {phone ? null : <MakeLive publishings={publishings} />}
      {phone ? null : (
        <span className="pt-band-note">
          <EyeOff size={15} strokeWidth={1.75} aria-hidden />
          {t('flow.alone')}
        </span>
      )}
    </div>
  )
}

interface LeaveProps {
  readonly onLeave: () => void
  readonly small?: boolean
}

const BackToNow = ({ onLeave, small = false }: LeaveProps) => {
  const { t } = useTranslation('history')
  const { fresh } = useTravelling()
  return (
    <Hint text={t('flow.backHint')} keys="Esc">
      <Button size={small ? 'sm' : 'md'} onClick={onLeave}>
        {t('flow.back')}
        {fresh > 0 ? <span className="pt-new">{t('flow.new', { count: fresh })}</span> : null}
      </Button>
    </Hint>
  )
}

/** Ways out of the past, in the designer's bar. */
const BarActions = ({ onLeave }: LeaveProps) => {
  const { t } = useTranslation('history')
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => setSlot(document.getElementById(BAR_SLOT)), [])
  if (slot === null) return null
  return createPortal(
    <>
      <span className="pt-readonly">
        <Eye size={16} strokeWidth={1.75} aria-hidden />
        {t('flow.readOnly')}
      </span>
      <BackToNow onLeave={onLeave} />
      <RestoreFlow />
    </>,
    slot,
  )
}

interface JourneyProps {
  readonly travel: Travel
  readonly onLeave: () => void
}

const Journey = ({ travel, onLeave }: JourneyProps) => {
  const { t } = useTranslation('history')
  const words = useWords()
  const phone = useMedia(PHONE)
  const names = useNames()
  const { canvas: live } = useDesigner()
  const root = useRef<HTMLDivElement>(null)
  const bringIntoSight = useCamera(root)
  const canvas = useRevisionCanvas(live)
  const [person, setPerson] = useState<string>()
  const [tab, setTab] = useState<'edits' | 'changed'>('edits')
  const { shown, error, late, retry } = useScene(travel, words)
  const play = usePlay(travel, late)
  const publishings = usePublishings(travel.address, travel.moments)
  const flags = useMemo(() => [...publishings, ...momentFlags(travel.moments)], [publishings, travel.moments])
  const block = useStoreValue(canvas.selection, ({ blocks }) => [...blocks][0])

  useEffect(() => {
    if (shown !== undefined) canvas.show(shown.scene)
  }, [canvas, shown])
  const visited = useRef('')
  const place = `${travel.session.first.revision} ${travel.view}`
  useEffect(() => {
    if (shown === undefined || late) return
    const unless = visited.current === place ? 'some' : 'most'
    visited.current = place
    const changed = changeEntries(shown.scene, words)
    bringIntoSight(
      changed.map(({ node }) => node),
      unless,
    )
  }, [shown, late, place, words, bringIntoSight])
  const select = useCallback(
    (id: string) => {
      const node = canvas.flow.get().nodes.get(id)
      canvas.selection.set({ blocks: new Set([id]), links: new Set() })
      if (node !== undefined) bringIntoSight([node], 'never')
    },
    [canvas, bringIntoSight],
  )
  const stopped =
    <A extends readonly unknown[]>(run: (...given: A) => void) =>
    (...given: A) => {
      play.stop()
      run(...given)
    }
  useTravelKeys({
    step: stopped(travel.step),
    stepSession: stopped(travel.stepSession),
    end: stopped(last => travel.go((last ? travel.head : (travel.moments[0] ?? travel.head)).revision)),
    play: play.toggle,
    leave: onLeave,
  })

  const list = <SessionList person={person} onPerson={setPerson} flags={publishings} />
  const panel = <ChangePanel shown={shown} late={late} block={block} onBlock={select} />
  const dock = <Dock flags={flags} playing={play.playing} onPlay={play.toggle} phone={phone} />
  const view = (
    <div ref={root} className="pt-view" data-region="canvas" data-late={late || undefined}>
      <RevisionCanvas canvas={canvas} name={names.flow?.name ?? ''} />
      {phone ? null : <Legend />}
      {phone ? null : <ZoomTools canvas={canvas} />}
      {error === null ? null : (
        <div className="pt-failed">
          <ErrorState error={error} onRetry={retry} />
        </div>
      )}
    </div>
  )
  return (
    <TravelContext value={travel}>
      {phone ? (
        <div className="pt-phone">
          <InkBand phone publishings={publishings} />
          <div className="pt-phone-actions">
            <BackToNow onLeave={onLeave} small />
            <RestoreFlow small />
          </div>
          {view}
          {dock}
          <fieldset className="pl-seg pt-views" aria-label={t('flow.view')}>
            <button type="button" aria-pressed={tab === 'edits'} onClick={() => setTab('edits')}>
              {t('flow.edits')}
            </button>
            <button type="button" aria-pressed={tab === 'changed'} onClick={() => setTab('changed')}>
              {t('flow.changed')}
            </button>
          </fieldset>
          <div className="pt-phone-body">{tab === 'edits' ? list : panel}</div>
        </div>
      ) : (
        <div className="pt-history">
          <BarActions onLeave={onLeave} />
          <div className="pt-left" data-region="left">
            {list}
          </div>
          <div className="pt-middle">
            <InkBand phone={false} publishings={publishings} />
            {view}
            {dock}
          </div>
          <div className="pt-right" data-region="inspector">
            {panel}
          </div>
        </div>
      )}
    </TravelContext>
  )
}

/** Time travel: the flow at any of its moments, what changed, and the way to bring it back. */
export const HistoryMode = (address: FlowAddress) => {
  const { t } = useTranslation('history')
  const { send } = useMode()
  const { kind, id } = address
  const place = useMemo(() => ({ kind, id }), [kind, id])
  const query = useMoments(place)
  const travel = useTravel(place, query.data?.moments ?? [], query.data?.complete ?? false)
  const leave = useCallback(() => send({ type: 'EDIT' }), [send])
  if (travel !== undefined) return <Journey travel={travel} onLeave={leave} />
  if (query.isPending) return <DesignerSkeleton />
  const back = <Button onClick={leave}>{t('flow.back')}</Button>
  return (
    <div className="pt-nothing">
      {query.error === null ? (
        <EmptyState icon={History} title={t('flow.empty')} text={t('flow.emptyText')}>
          {back}
        </EmptyState>
      ) : (
        <>
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          {back}
        </>
      )}
    </div>
  )
}
