import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segments } from '#web/components/segments.tsx'
import { ChoiceControl } from '#web/form/control/choice-control.tsx'
import type { Choice } from '#web/form/control/control-props.ts'
import { durationOf } from '#web/format/time.ts'
import { trialResultsStore } from './blocks/try-out/use-try.ts'
import { type CanvasState, createCanvasState } from './canvas/canvas-context.ts'
import { FlowCanvas } from './canvas/flow-canvas.tsx'
import { type Visit, VisitLayer } from './canvas/visit-layer.tsx'
import { useCamera } from './canvas/zoom.ts'
import { ZoomTools } from './chrome/floating-tools.tsx'
import { Inspector } from './inspector/inspector.tsx'
import { traversedLinks, visitCount } from './model/block-appearance.ts'
import { useStoreValue } from './model/store.ts'
import { useDesigner } from './session/designer.ts'
import { useNames } from './session/flow-names.ts'
import { usePhone } from './session/use-phone.ts'
import { ChatPanel } from './simulation/chat-panel.tsx'
import { RunControls } from './simulation/run-controls.tsx'
import { StatePanel } from './simulation/state-panel.tsx'
import { serviceTimes, ticksOf, timeRows } from './simulation/time-rows.ts'
import type { SimulationRun, SimulationStart, SimulationView } from './simulation/use-simulation.ts'
import { TestStartNote, useBlockName, useFollowTestRun, useStartTestRun, useTestRun } from './use-test-run.tsx'
import './simulation/simulation.css'
import './simulation/chat.css'
import './simulation/state.css'
import { ChevronDown, ChevronUp } from 'lucide-react'
import './simulation/time-chart.css'

const KINDS = ['service', 'own', 'typing'] as const
/** Rows that are drawn: the newest. */
const MAX_ROWS = 100
/** From this share of the axis on, a bar has its time in front of it. */
const LATE = 0.75

interface TimeChartProps {
  readonly view: SimulationView | undefined
  readonly blockName: (block: string) => string
  readonly onBlock: (block: string) => void
}

type Rows = ReturnType<typeof timeRows>

const percent = (part: number, whole: number): string => `${whole === 0 ? 0 : (part / whole) * 100}%`

interface LinesProps extends Pick<TimeChartProps, 'blockName' | 'onBlock'> {
  readonly rows: Rows
  /** ms of the whole axis. */
  readonly end: number
}

const Lines = ({ rows, end, blockName, onBlock }: LinesProps) => {
  const { t } = useTranslation('simulation')
  return (
    <ol>
      {rows.map(({ key, block, bars, ms }) => {
        const [first] = bars
        const start = first?.start ?? 0
        const isLate = end > 0 && (start + ms) / end > LATE
        const name = block === null ? t('times.before') : blockName(block)
        return (
          <li key={key}>
            {block === null ? (
              <span className="ps-time-name">{name}</span>
            ) : (
              <button type="button" className="ps-time-name" title={name} onClick={() => onBlock(block)}>
                {name}
              </button>
            )}
            <span className="ps-time-lane">
              {bars.map(bar => (
                <i
                  key={bar.start}
                  data-kind={bar.kind}
                  title={t(`times.${bar.kind}`)}
                  style={{ left: percent(bar.start, end), width: percent(bar.ms, end) }}
                />
              ))}
              <small
                data-late={isLate || undefined}
                style={isLate ? { right: percent(end - start, end) } : { left: percent(start + ms, end) }}
              >
                {durationOf(ms)}
              </small>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

/** Durations of each block and call in order, without the person's time. */
const TimeChart = ({ view, blockName, onBlock }: TimeChartProps) => {
  const { t } = useTranslation('simulation')
  const [isOpen, setOpen] = useState(true)
  const box = useRef<HTMLDivElement>(null)
  const rows = timeRows(view?.spans ?? []).slice(-MAX_ROWS)
  const count = rows.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new row is brought into sight
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [count])
  if (view === undefined) return null
  const { bot, services, person } = view.times
  const kinds = KINDS.filter(kind => rows.some(({ bars }) => bars.some(bar => bar.kind === kind)))
  return (
    <section className="ps-times" aria-label={t('times.title')}>
      <header>
        <b>{t('times.title')}</b>
        <p role="status">
          {t('times.sum', { bot: durationOf(bot), services: durationOf(services), person: durationOf(person) })}
        </p>
        <span className="ps-time-keys">
          {kinds.map(kind => (
            <span key={kind}>
              <i data-kind={kind} />
              {t(`times.${kind}`)}
            </span>
          ))}
        </span>
        <button
          type="button"
          className="pl-tool"
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'times.hide' : 'times.show')}
          title={t(isOpen ? 'times.hide' : 'times.show')}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronUp size={16} aria-hidden />}
        </button>
      </header>
      {!isOpen ? null : rows.length === 0 ? (
        <p className="ps-muted">{t('times.none')}</p>
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
          <div ref={box} className="ps-time-rows" tabIndex={0}>
            <Lines rows={rows} end={bot} blockName={blockName} onBlock={onBlock} />
          </div>
          <p className="ps-time-axis" aria-hidden>
            {ticksOf(bot).map(tick => (
              <small key={tick} style={{ left: percent(tick, bot) }}>
                {tick === 0 ? 0 : durationOf(tick)}
              </small>
            ))}
          </p>
        </>
      )}
    </section>
  )
}

type Calls = 'ask' | 'sample' | 'real'
type Source = 'live' | 'published'
type Tab = 'chat' | 'state' | 'times'

/** A separate canvas: it shares flow and camera with the editor, and fades blocks that did not run. */
const useTestCanvas = () => {
  const { canvas: live } = useDesigner()
  return useState(() =>
    createCanvasState(live.flow, live.positions, {
      // The inspector edits the block that is selected here.
      ...{ selection: live.selection, focus: live.focus },
      ...{ camera: live.camera, compact: live.compact, boxes: live.boxes },
    }),
  )[0]
}

/** Run count of each block, walked links, and the conversation's position, of the open dialog. */
const useRunMarks = (view: SimulationView | undefined, canvas: CanvasState) => {
  const { address, canvas: live } = useDesigner()
  const flow = useStoreValue(live.flow)
  const steps = useMemo(() => (view?.steps ?? []).filter(({ dialog }) => dialog === address.id), [view, address.id])
  useEffect(() => canvas.linkMarks.set(traversedLinks(flow, steps)), [canvas, flow, steps])
  const visits = useMemo(() => {
    const counted = Map.groupBy(steps, ({ block }) => block)
    const times = serviceTimes(view?.spans ?? [])
    const labelOf = (block: string, ran: typeof steps): string => {
      const ms = times.get(block) ?? 0
      return ms < 1 ? `${visitCount(ran)}×` : `${visitCount(ran)}× ${durationOf(ms)}`
    }
    return new Map([...counted].map(([block, ran]): [string, Visit] => [block, { label: labelOf(block, ran) }]))
  }, [steps, view])
  return { visits, at: view?.at?.dialog === address.id ? view.at.block : undefined }
}

interface RunMarksProps {
  readonly visits: ReadonlyMap<string, Visit>
  readonly at: string | undefined
  readonly status: SimulationView['status'] | undefined
  readonly stop: string | undefined
}

const RunMarks = ({ visits, at, status = 'idle', stop }: RunMarksProps) => {
  const { t } = useTranslation('simulation')
  return <VisitLayer visits={visits} at={at} word={t(`status.${status}`)} stop={stop} stopWord={t('stop')} />
}

const Legend = () => {
  const { t } = useTranslation('simulation')
  return (
    <p className="pl-float ps-legend">
      {(['walked', 'now', 'unseen'] as const).map(kind => (
        <span key={kind}>
          <i data-kind={kind} />
          {t(`legend.${kind}`)}
        </span>
      ))}
    </p>
  )
}

const CHANNELS = ['webchat', 'whatsapp_meta', 'facebook', 'rest'] as const

interface TestSettings {
  readonly calls: Calls
  readonly source: Source
  readonly channel: string
}

interface SettingsProps extends TestSettings {
  put(change: Partial<TestSettings>): void
}

/** Answers of calls, version under test, and channel, each below its name. */
const Settings = ({ calls, source, channel, put }: SettingsProps) => {
  const { t } = useTranslation('simulation')
  const choice = <T extends string>(
    name: 'calls' | 'source' | 'channel',
    value: string,
    choices: readonly Choice[],
    put: (value: T) => void,
  ) => (
    <div>
      <label htmlFor={`ps-${name}`}>{t(name)}</label>
      <ChoiceControl
        id={`ps-${name}`}
        label={t(name)}
        value={value}
        chosen
        choices={choices}
        onChange={given => put(given as T)}
      />
    </div>
  )
  const modes = (['ask', 'sample', 'real'] as const).map(value => ({ value, label: t(`mode.${value}`) }))
  const sources = (['live', 'published'] as const).map(value => ({ value, label: t(`from.${value}`) }))
  const channels = CHANNELS.map(value => ({ value, label: t(`of.${value}`) }))
  return (
    <div className="ps-settings">
      {choice<Calls>('calls', calls, modes, value => put({ calls: value }))}
      {choice<Source>('source', source, sources, value => put({ source: value }))}
      {choice<string>('channel', channel, channels, value => put({ channel: value }))}
    </div>
  )
}

/** Test settings, initially those of the resumed run. */
const useTestSettings = ({ resumed }: SimulationRun) => {
  const [paused, setPaused] = useState(resumed?.paused ?? false)
  const [calls, setCalls] = useState<Calls>(resumed?.effects?.rest ?? 'ask')
  const [source, setSource] = useState<Source>(resumed?.source ?? 'live')
  const [channel, setChannel] = useState<string>(resumed?.channel ?? 'webchat')
  const put = (change: Partial<TestSettings>) => {
    if (change.calls !== undefined) setCalls(change.calls)
    if (change.source !== undefined) setSource(change.source)
    if (change.channel !== undefined) setChannel(change.channel)
  }
  return { paused, setPaused, calls, source, channel, put }
}

/** Links are drawn in the editor. */
const NO_LINK = () => {}

/** Keeps the selected block in sight beside the inspector, which narrows the canvas. */
const useSeenSelection = (selected: string | undefined, bringIntoSight: ReturnType<typeof useCamera>) => {
  const { canvas } = useDesigner()
  useEffect(() => {
    const node = selected === undefined ? undefined : canvas.flow.get().nodes.get(selected)
    const frame = requestAnimationFrame(() => node !== undefined && bringIntoSight([node], 'some'))
    return () => cancelAnimationFrame(frame)
  }, [selected, canvas, bringIntoSight])
}

/** Keeps the values of a test for completion of paths and previews in the inspector. */
const useKeptValues = (view: SimulationView | undefined) => {
  const { address } = useDesigner()
  const { kind, id } = address
  useEffect(() => {
    if (view === undefined) return
    const { dialog, conversation, user } = view.state
    const values = Object.entries({ ...user, ...conversation, ...dialog }).filter(([, value]) => value !== null)
    if (values.length > 0) trialResultsStore({ kind, id }).set(held => ({ ...held, ...Object.fromEntries(values) }))
  }, [view, kind, id])
}

/** Selects a block of the open dialog and brings it into sight. */
const useShowBlock = (bringIntoSight: ReturnType<typeof useCamera>) => {
  const { canvas } = useDesigner()
  return useCallback(
    (block: string) => {
      const node = canvas.flow.get().nodes.get(block)
      canvas.selection.set({ blocks: new Set([block]), links: new Set() })
      if (node !== undefined) bringIntoSight([node], 'never')
    },
    [canvas, bringIntoSight],
  )
}

/** The open dialog, talked to while it is drawn: chat, canvas and what the conversation holds. */
export const TestMode = () => {
  const { t } = useTranslation('simulation')
  const phone = usePhone()
  const names = useNames()
  const { address } = useDesigner()
  const root = useRef<HTMLDivElement>(null)
  const bringIntoSight = useCamera(root)
  const canvas = useTestCanvas()
  const bot = names.bot?.id
  const { run, edited } = useTestRun(bot)
  const settings = useTestSettings(run)
  const { paused, calls, source, channel } = settings
  const [tab, setTab] = useState<Tab>('chat')
  const selected = useStoreValue(canvas.selection, ({ blocks }) => [...blocks][0])
  const { view } = run

  const begin = useCallback(
    (more: Partial<SimulationStart> = {}) =>
      run.begin({ dialog: address.id, source, channel, effects: { rest: calls }, paused, ...more }),
    [run, address.id, source, channel, calls, paused],
  )
  const from = useStartTestRun(bot, begin, run.resumed !== undefined)

  // A change restarts the run.
  const put = (change: Partial<TestSettings>) => {
    settings.put(change)
    const { calls: rest = calls, ...more } = change
    begin({ ...more, effects: { rest } })
  }

  const { visits, at } = useRunMarks(view, canvas)
  useKeptValues(view)
  useSeenSelection(selected, bringIntoSight)
  useFollowTestRun({ canvas, view, visits, at, bringIntoSight })
  const blockName = useBlockName(view)
  const show = useShowBlock(bringIntoSight)

  const chat = (
    <ChatPanel
      run={run}
      paused={paused}
      real={calls === 'real'}
      place={names.flow?.name ?? ''}
      blockName={blockName}
      onBlock={show}
      edited={source === 'live' ? edited : undefined}
      onRestart={() => begin()}
    />
  )
  const state = <StatePanel run={run} blockName={blockName} onBlock={show} />
  const times = <TimeChart view={view} blockName={blockName} onBlock={show} />
  const controls = (
    <RunControls
      run={run}
      paused={paused}
      onPaused={next => {
        settings.setPaused(next)
        if (next) begin({ paused: next })
      }}
      isDrawn={!phone}
      selected={selected}
      onRerun={
        selected === undefined || !visits.has(selected)
          ? undefined
          : () => run.rerun({ dialog: address.id, block: selected, paused })
      }
      onRestart={() => begin()}
    />
  )
  if (phone) {
    return (
      <div className="ps-phone">
        {controls}
        <Segments<Tab>
          label={t('panel')}
          value={tab}
          options={[
            { value: 'chat', label: t('tab.chat') },
            { value: 'state', label: t('tab.state') },
            { value: 'times', label: t('times.title') },
          ]}
          onChange={setTab}
        />
        {tab === 'chat' ? chat : tab === 'state' ? state : times}
      </div>
    )
  }
  return (
    <div className="ps-test">
      <div className="ps-left" data-region="left">
        {state}
      </div>
      <div className="ps-middle">
        <div ref={root} className="ps-view" data-region="canvas">
          <FlowCanvas state={canvas} label={t('canvas', { name: names.flow?.name ?? '' })} readOnly tool="select">
            <RunMarks visits={visits} at={at} status={view?.status} stop={run.stop} />
          </FlowCanvas>
          {controls}
          <ZoomTools canvas={canvas} />
          <Legend />
        </div>
        {times}
      </div>
      <Inspector hidden={false} onLink={NO_LINK} />
      <div className="ps-right" data-region="trial">
        <Settings calls={calls} source={source} channel={channel} put={put} />
        <TestStartNote from={from} />
        {chat}
      </div>
    </div>
  )
}
