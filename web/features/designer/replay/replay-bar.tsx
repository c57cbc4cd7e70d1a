import { chakra } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Eye, History, Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { diffFlows } from '#domain/flow/diff/diff-flows.ts'
import { flowAddress } from '#web/entity/address.ts'
import { type Replay, visitorCode } from '#web/features/conversation/index.ts'
import { type TimeScale, timeScale, useWidth } from '#web/features/designer/history/time-scale.ts'
import { durationOf, longDayOf, secondOf } from '#web/format/time.ts'
import { flowDraftQuery, type RevisionFlow } from '../history/scene.ts'
import { ViewBar } from '../mode/designer-bar.tsx'
import { DockButton } from '../mode/dock-button.tsx'
import { type Lanes, lanesOf, nearestMomentIndex } from './replay-moments.ts'
import { SPEEDS, type Walk } from './use-replay-player.ts'

const LANE = 18
/** Stretches, then the lanes. Pixels. */
const TOP = 30
const MARGIN = 12
const DOT = 5
const SQUARE = 9
/** Waits longer than a minute are folded. */
const PACE = { quiet: 60_000, least: 4_000 } as const
const NAMES = ['person', 'bot', 'services', 'agent'] as const

const laneY = (row: number) => TOP + row * LANE + LANE / 2

const zigzag = (x: number, height: number) => {
  const steps = Math.floor((height - TOP + 8) / 12)
  return `M${x},${TOP - 8}${Array.from({ length: steps }, (_, at) => `l${at % 2 === 0 ? 6 : -6},12`).join('')}`
}

interface MarksProps {
  readonly lanes: Lanes
  readonly x: (time: number) => number
}

/** Discs of the person, squares of the bot and of agents, bars of calls as long as they took, a dashed bar in a queue. */
const Marks = ({ lanes, x }: MarksProps) => (
  <>
    {lanes.person.map(time => (
      <circle key={`p${time}`} className="pr-person" cx={x(time)} cy={laneY(0)} r={DOT} />
    ))}
    {lanes.bot.map(time => (
      <rect
        key={`b${time}`}
        className="pr-bot"
        x={x(time) - SQUARE / 2}
        y={laneY(1) - SQUARE / 2}
        width={SQUARE}
        height={SQUARE}
        rx={2}
      />
    ))}
    {lanes.services.map(({ start, ms, failed }) => (
      <rect
        key={`s${start}`}
        className="pr-service"
        data-failed={failed || undefined}
        x={x(start)}
        y={laneY(2) - 4}
        width={Math.max(4, x(start + ms) - x(start))}
        height={8}
        rx={2}
      />
    ))}
    {lanes.stretches.map(({ kind, start, end }) =>
      kind === 'bot' ? null : (
        <rect
          key={`${kind}${start}`}
          className="pr-agent"
          data-waits={kind === 'queue' || undefined}
          x={x(start)}
          y={laneY(3) - 5}
          width={Math.max(8, x(end) - x(start))}
          height={10}
          rx={3}
        />
      ),
    )}
    {lanes.agent.map((time, place) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: what was said never changes its place
        key={place}
        className="pr-agent-said"
        x={x(time) - SQUARE / 2}
        y={laneY(3) - SQUARE / 2}
        width={SQUARE}
        height={SQUARE}
        rx={2}
      />
    ))}
  </>
)

const Stretches = ({ lanes, x }: MarksProps) => {
  const { t } = useTranslation('replay')
  return lanes.stretches.map(({ kind, start, end }) => {
    const wide = Math.max(0, x(end) - x(start))
    return (
      <span key={`${kind}${start}`} className="pt-track-day" style={{ left: x(start), width: wide }}>
        {wide < 60 ? '' : t(`stretch.${kind}`, { time: durationOf(end - start) })}
      </span>
    )
  })
}

const HEIGHT = TOP + NAMES.length * LANE + 4

/** The lanes of a conversation, and its times on the width that there is. */
const useScale = (moments: Walk['moments'], replay: Replay, width: number) => {
  const lanes = useMemo(() => lanesOf(moments, replay), [moments, replay])
  const scale = useMemo((): Pick<TimeScale, 'x' | 'time' | 'stretches'> => {
    const calls = lanes.services.flatMap(({ start, ms }) => [start, start + ms])
    const times = [
      ...moments.map(({ time }) => time),
      ...lanes.person,
      ...lanes.bot,
      ...calls,
      ...lanes.stretches.map(({ end }) => end),
    ]
    const plain = timeScale(
      times.toSorted((a, b) => a - b),
      width,
      PACE,
    )
    return { ...plain, x: time => plain.x(time) + MARGIN, time: x => plain.time(x - MARGIN) }
  }, [moments, lanes, width])
  return { lanes, scale }
}

interface PictureProps extends MarksProps {
  readonly stretches: TimeScale['stretches']
  readonly width: number
}

const Picture = ({ lanes, x, stretches, width }: PictureProps) => (
  <svg width={width} height={HEIGHT} aria-hidden="true">
    {NAMES.map((name, row) => (
      <line key={name} x1={0} x2={width} y1={laneY(row)} y2={laneY(row)} />
    ))}
    {stretches.map(({ kind, x0, x1 }) =>
      kind === 'quiet' && x1 - x0 > 5 ? (
        <path key={x0} className="pt-quiet" d={zigzag((x0 + x1) / 2 + MARGIN - 3, HEIGHT)} />
      ) : null,
    )}
    <Marks lanes={lanes} x={x} />
  </svg>
)

interface WalkTrackProps {
  readonly walk: Walk
  readonly replay: Replay
  /** Slider value text. */
  readonly text: string
  readonly phone: boolean
}

/** Activity on a timeline; the playhead marks the position. */
const ReplayTrack = ({ walk, replay, text, phone }: WalkTrackProps) => {
  const { t } = useTranslation('replay')
  const { moments, index, at, go } = walk
  const field = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState(false)
  const width = Math.max(0, useWidth(field) - 2 * MARGIN)
  const { lanes, scale } = useScale(moments, replay, width)
  const drag = (event: React.PointerEvent) => {
    const { left = 0 } = field.current?.getBoundingClientRect() ?? {}
    go(nearestMomentIndex(moments, scale.time(event.clientX - left)))
  }
  return (
    <div className="pt-track">
      <ul className="pt-names" style={{ paddingTop: TOP }}>
        {NAMES.map(name => (
          <li key={name}>
            <i data-lane={name} />
            <span>{t(`lane.${name}`)}</span>
          </li>
        ))}
      </ul>
      <div
        ref={field}
        className="pt-field"
        style={{ height: HEIGHT }}
        onPointerDown={event => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDragged(true)
          drag(event)
        }}
        onPointerMove={event => {
          if (dragged) drag(event)
        }}
        onPointerUp={() => setDragged(false)}
        onPointerCancel={() => setDragged(false)}
      >
        {width === 0 ? null : (
          <>
            {phone ? null : <Stretches lanes={lanes} x={scale.x} />}
            <Picture lanes={lanes} x={scale.x} stretches={scale.stretches} width={width + 2 * MARGIN} />
            <div
              className="pt-head"
              style={{ left: scale.x(at.time) }}
              role="slider"
              tabIndex={0}
              aria-label={t('slider')}
              aria-orientation="horizontal"
              aria-valuemin={1}
              aria-valuemax={moments.length}
              aria-valuenow={index + 1}
              aria-valuetext={text}
            />
          </>
        )}
      </div>
    </div>
  )
}

interface WalkBarProps {
  readonly conversation: Parameters<typeof visitorCode>[0]
  readonly dialog: string | undefined
  readonly onLeave: () => void
}

/** Bar over a viewed conversation: its location, and the exit. */
export const ReplayBar = ({ conversation, dialog, onLeave }: WalkBarProps) => {
  const { t } = useTranslation('replay')
  return (
    <ViewBar dialog={dialog} leave={t('leave')} onLeave={onLeave}>
      <chakra.h1 srOnly>{t('title', { name: visitorCode(conversation) })}</chakra.h1>
      <span className="pt-readonly">
        <Eye size={16} strokeWidth={1.75} aria-hidden />
        {t('readonly')}
      </span>
    </ViewBar>
  )
}

/** Number of blocks of a dialog that changed since. */
const useChanged = (dialog: string, flow: RevisionFlow | undefined): number | undefined => {
  const today = useQuery({ ...flowDraftQuery({ kind: 'dialog', id: dialog }), staleTime: 30_000, retry: false })
  const { data } = useQuery({
    queryKey: ['flow-changed', dialog, flow?.revision, today.dataUpdatedAt],
    queryFn: () => {
      if (flow === undefined || today.data === undefined) return 0
      const { added, changed, removed } = diffFlows(flow.file, today.data.file).nodes
      return added.length + changed.length + removed.length
    },
    enabled: flow !== undefined && today.data !== undefined,
  })
  return data
}

interface WalkBandProps {
  readonly bot: string
  readonly dialog: string
  readonly flow: RevisionFlow | undefined
  readonly revision: number
  /** ISO 8601 UTC. */
  readonly time: string
}

/** Says in ink over the canvas of when this is, which revision ran, and what is another one today. */
export const ReplayBanner = ({ bot, dialog, flow, revision, time }: WalkBandProps) => {
  const { t } = useTranslation('replay')
  const changed = useChanged(dialog, flow)
  return (
    <div className="pt-band pr-band">
      <History size={17} strokeWidth={1.75} aria-hidden />
      <span className="pt-band-text">
        <span>
          <Trans
            t={t}
            i18nKey="band"
            values={{ moment: `${longDayOf(time)}, ${secondOf(time)}`, revision }}
            components={{ b: <b /> }}
          />
        </span>
      </span>
      {changed === undefined ? null : changed === 0 ? (
        <small>{t('unchanged')}</small>
      ) : (
        <Link to={flowAddress('dialog', dialog, { bot, at: revision, compare: 'now' })}>
          {t('changed', { count: changed })}
        </Link>
      )}
    </div>
  )
}

interface WalkDockProps {
  readonly walk: Walk
  readonly replay: Replay
  readonly title: string
  readonly phone: boolean
}

/** The conversation on a line of time, and the keys along it. */
export const ReplayDock = ({ walk, replay, title, phone }: WalkDockProps) => {
  const { t } = useTranslation('replay')
  const { moments, index, at, playing, speed } = walk
  const time = secondOf(new Date(at.time).toISOString())
  const took = at.step !== undefined && at.step.ms >= 1 ? ` · ${durationOf(at.step.ms)}` : ''
  const sentence = at.step === undefined ? t('turn', { turn: at.turn.turn }) : `${title}${took}`
  return (
    <section className="pt-dock" data-region="dock" aria-label={t('dock')}>
      <div className="pt-dock-head">
        <DockButton label={t('back')} keys="←" disabled={index === 0} onClick={() => walk.step(-1)}>
          <SkipBack size={15} aria-hidden />
        </DockButton>
        <DockButton label={t(playing ? 'pause' : 'play')} keys={t('space')} onClick={walk.play}>
          {playing ? <Pause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
        </DockButton>
        <DockButton label={t('forward')} keys="→" disabled={index === moments.length - 1} onClick={() => walk.step(1)}>
          <SkipForward size={15} aria-hidden />
        </DockButton>
        <p className="pt-sentence" role="status">
          <b>{time}</b>
          <span>{sentence}</span>
        </p>
        {phone ? null : <small className="pt-quiet-note">{t('folded')}</small>}
        <fieldset className="pl-seg" data-small aria-label={t('speed')}>
          {SPEEDS.map(one => (
            <button key={one} type="button" aria-pressed={speed === one} onClick={() => walk.setSpeed(one)}>
              {one}×
            </button>
          ))}
        </fieldset>
      </div>
      <ReplayTrack walk={walk} replay={replay} text={`${time}. ${sentence}`} phone={phone} />
    </section>
  )
}
