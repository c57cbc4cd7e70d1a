import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { personColor } from '#domain/color.ts'
import { type NamedPerson, nameOf } from '#web/components/person-avatar.tsx'
import { indexAt, type MarkKind, type Moment, markOf, nearestAt } from '#web/entity/flow/read-revisions.ts'
import {
  type EditDay,
  isToday,
  minuteOf,
  momentOf,
  momentSummary,
  namesOf,
  type Range,
  useDayWindow,
  weekdayOf,
} from './edit-days.ts'
import { type Flag, flagShifts, flagWidth } from './flag.ts'
import { type TimeScale, timeScale, useWidth } from './time-scale.ts'
import { useTravelling } from './use-travel.ts'

interface Lane {
  /** Undefined: everybody else. */
  readonly person: NamedPerson | undefined
  /** '1' to '8', or '' for everybody else. */
  readonly color: string
  readonly name: string
  readonly people: number
  readonly moments: readonly Moment[]
}

/** One lane per person, the busiest first; the rest share the last lane. */
export const lanesOf = (moments: readonly Moment[], most: number): readonly Lane[] => {
  const byPerson = new Map<string, { readonly person: NamedPerson; readonly moments: Moment[] }>()
  for (const moment of moments) {
    for (const person of moment.authors) {
      const lane = byPerson.get(person.id) ?? { person, moments: [] }
      lane.moments.push(moment)
      byPerson.set(person.id, lane)
    }
  }
  const sorted = [...byPerson.values()].sort((a, b) => b.moments.length - a.moments.length)
  const own = sorted.length <= most ? sorted : sorted.slice(0, most - 1)
  const rest = sorted.slice(own.length)
  const lanes = own.map(({ person, moments }): Lane => {
    const name = person.firstname || nameOf(person)
    return { person, color: personColor(person.id), name, people: 1, moments }
  })
  if (rest.length === 0) return lanes
  const others = [...new Set(rest.flatMap(lane => lane.moments))].sort((a, b) => a.revision - b.revision)
  return [...lanes, { person: undefined, color: '', name: '', people: rest.length, moments: others }]
}

const SIZE = 9
/** Marks nearer to each other than this many pixels are one mark. */
const NEAR = 4

const SHAPE: Readonly<Record<MarkKind, (x: number, y: number) => string>> = {
  added: (x, y) => `M${x - SIZE / 2},${y - SIZE / 2}h${SIZE}v${SIZE}h${-SIZE}z`,
  changed: (x, y) => `M${x},${y - SIZE / 2 - 0.5}l${SIZE / 2 + 0.5},${SIZE}h${-SIZE - 1}z`,
  removed: (x, y) => `M${x - 4},${y}a4,4 0 1,0 8,0a4,4 0 1,0 -8,0`,
}

/**
 * The marks of a lane as one path for each shape: squares, triangles and discs. However many edits there were, no more
 * are drawn than the width can show.
 */
export const markPaths = (
  moments: readonly Moment[],
  x: (time: number) => number,
  y: number,
): Readonly<Record<MarkKind, string>> => {
  const paths: Record<MarkKind, string[]> = { added: [], changed: [], removed: [] }
  const last: Record<MarkKind, number> = { added: -NEAR, changed: -NEAR, removed: -NEAR }
  for (const moment of moments) {
    const kind = markOf(moment)
    const at = Math.round(x(Date.parse(moment.time)))
    if (at - last[kind] < NEAR) continue
    last[kind] = at
    paths[kind].push(SHAPE[kind](at, y))
  }
  return { added: paths.added.join(''), changed: paths.changed.join(''), removed: paths.removed.join('') }
}

interface PlayheadProps {
  readonly x: number
  /** The moment one is at, or the other one of a comparison. */
  readonly of: 'at' | 'other'
}

/** A handle on the track: drag it, or use the arrow keys. */
const Playhead = ({ x, of }: PlayheadProps) => {
  const { t } = useTranslation('history')
  const travel = useTravelling()
  const { moments, index, at, head, other, compareWith } = travel
  const moment = of === 'at' ? at : other
  const place = of === 'at' ? index : indexAt(moments, other.revision)
  const onKeyDown = (event: React.KeyboardEvent) => {
    // The keys of the moment one is at are the page's own.
    if (of === 'at') return
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 10, PageDown: -10 }[event.key]
    const next = moments[Math.min(Math.max(0, place + (by ?? 0)), moments.length - 1)]
    if (by === undefined || next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    compareWith(next.revision)
  }
  return (
    <div
      className="pt-head"
      data-other={of === 'other' || undefined}
      style={{ left: x }}
      role="slider"
      tabIndex={0}
      aria-label={t(of === 'at' ? 'flow.slider' : 'flow.sliderOther')}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={moments.length}
      aria-valuenow={place + 1}
      aria-valuetext={`${momentOf(moment.time)}. ${momentSummary(moment, t)}. ${t('flow.place', { revision: moment.revision, total: head.revision })}`}
      onKeyDown={onKeyDown}
    />
  )
}

const LANES = 4
const LANE = 18
/** Days, then flags, then the lanes. */
const TOP = 40
const MARGIN = 10

const laneY = (row: number) => TOP + row * LANE + LANE / 2
const ms = (moment: { readonly time: string }) => Date.parse(moment.time)

const zigzag = (x: number, height: number) => {
  const steps = Math.floor((height - TOP + 8) / 12)
  return `M${x},${TOP - 8}${Array.from({ length: steps }, (_, at) => `l${at % 2 === 0 ? 6 : -6},12`).join('')}`
}

const LaneMarks = ({ lane, row, scale }: { readonly lane: Lane; readonly row: number; readonly scale: TimeScale }) => {
  const paths = useMemo(() => markPaths(lane.moments, scale.x, laneY(row)), [lane, row, scale])
  return (
    <g
      style={
        {
          '--person': `var(--chakra-colors-${lane.color === '' ? 'fg-subtle' : `person-${lane.color}`})`,
        } as React.CSSProperties
      }
    >
      <path className="pt-fill" d={paths.added} />
      <path className="pt-fill" d={paths.changed} />
      <path className="pt-hollow" d={paths.removed} />
    </g>
  )
}

interface DaysProps {
  readonly days: readonly EditDay[]
  readonly moments: readonly Moment[]
  readonly scale: TimeScale
}

const Days = ({ days, moments, scale }: DaysProps) =>
  days.map(({ key, first, last }) => {
    const start = moments[first]
    const end = moments[last]
    if (start === undefined || end === undefined) return null
    const x = Math.max(0, scale.x(ms(start)) - MARGIN / 2)
    const wide = scale.x(ms(end)) - x + MARGIN / 2
    return <DayName key={key} x={x} wide={wide} time={end.time} />
  })

const DayName = ({ x, wide, time }: { readonly x: number; readonly wide: number; readonly time: string }) => {
  const { t } = useTranslation('history')
  const day = weekdayOf(time, 'short')
  return (
    <span className="pt-track-day" style={{ left: x, width: wide }}>
      {wide < 34
        ? ''
        : isToday(time) && wide > 130
          ? t('flow.dayToday', { day })
          : wide < 70
            ? day.split(' ').at(-1)
            : day}
    </span>
  )
}

interface FlagsProps {
  readonly flags: readonly Flag[]
  readonly scale: TimeScale
  readonly width: number
}

const Flags = ({ flags, scale, width }: FlagsProps) => {
  const { t } = useTranslation('history')
  const placed = flags
    .map(flag => ({
      flag,
      x: scale.x(ms(flag)),
      words: flag.of === undefined ? t(`flow.flag.${flag.kind}`) : t('flow.flag.restoredFrom', { revision: flag.of }),
    }))
    .sort((a, b) => a.x - b.x)
  const shifts = flagShifts(placed, width)
  return placed.map(({ flag, x, words }, at) => {
    return (
      <span
        key={`${flag.kind}${flag.time}`}
        className="pt-flag"
        data-flag={flag.kind}
        style={{ left: x }}
        title={`${words} · ${minuteOf(flag.time)}`}
      >
        <span style={{ left: -(shifts[at] ?? 0) }}>{words}</span>
      </span>
    )
  })
}

interface TrackProps {
  readonly range: Range
  readonly flags: readonly Flag[]
  readonly small?: boolean
}

/** All moments on one line of time, a lane for each person; the playhead is where one is. */
export const Track = ({ range, flags, small = false }: TrackProps) => {
  const { t } = useTranslation('history')
  const { moments, index, at, session, other, view, go, compareWith } = useTravelling()
  const field = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<'at' | 'other'>()
  const width = Math.max(0, useWidth(field) - 2 * MARGIN)
  const { days, toEnd } = useDayWindow(moments, index, range)
  const first = days[0]?.first ?? 0
  const last = days.at(-1)?.last ?? moments.length - 1
  const shown = useMemo(() => moments.slice(first, last + 1), [moments, first, last])
  const start = shown[0] === undefined ? 0 : ms(shown[0])
  const end = shown.at(-1) === undefined ? 0 : ms(shown.at(-1) ?? { time: '' })
  const scale = useMemo(() => {
    const plain = timeScale(shown.map(ms), width)
    return { ...plain, x: (time: number) => plain.x(time) + MARGIN, time: (x: number) => plain.time(x - MARGIN) }
  }, [shown, width])
  const lanes = useMemo(() => lanesOf(shown, small ? 1 : LANES), [shown, small])
  const flagged = flags.filter(flag => ms(flag) >= start && (toEnd || ms(flag) <= end))
  const height = TOP + lanes.length * LANE + 4

  const momentUnder = (event: React.PointerEvent) => {
    const box = field.current?.getBoundingClientRect()
    const found = shown[nearestAt(shown, scale.time(event.clientX - (box?.left ?? 0)))]
    return found?.revision
  }
  const drag = (event: React.PointerEvent, what: 'at' | 'other') => {
    const revision = momentUnder(event)
    if (revision === undefined) return
    if (what === 'at') go(revision)
    else compareWith(revision)
  }
  const visible = (moment: Moment) => ms(moment) >= start && ms(moment) <= end
  const from = scale.x(Math.max(start, ms(session.first)))
  const upTo = scale.x(ms(at))
  return (
    <div className="pt-track" data-small={small || undefined}>
      {small ? null : (
        <ul className="pt-names" style={{ paddingTop: TOP }} aria-label={t('flow.people')}>
          {lanes.map(lane => (
            <li key={lane.person?.id ?? 'others'}>
              <i
                style={{
                  background: `var(--chakra-colors-${lane.color === '' ? 'fg-subtle' : `person-${lane.color}`})`,
                }}
              />
              <span>
                {lane.person === undefined ? t('flow.others', { count: lane.people }) : namesOf([lane.person])}
              </span>
            </li>
          ))}
        </ul>
      )}
      <div
        ref={field}
        className="pt-field"
        style={{ height }}
        onPointerDown={event => {
          if (event.button !== 0) return
          const what = event.target instanceof Element && event.target.closest('[data-other]') ? 'other' : 'at'
          event.currentTarget.setPointerCapture(event.pointerId)
          setDragged(what)
          if (what === 'at') drag(event, what)
        }}
        onPointerMove={event => {
          if (dragged !== undefined) drag(event, dragged)
        }}
        onPointerUp={() => setDragged(undefined)}
        onPointerCancel={() => setDragged(undefined)}
      >
        {width === 0 ? null : (
          <>
            <Days days={days} moments={moments} scale={scale} />
            <svg width={width + 2 * MARGIN} height={height} aria-hidden="true">
              {view === 'session' && visible(at) ? (
                <rect
                  className="pt-span"
                  x={from - 5}
                  y={TOP - 14}
                  width={upTo - from + 5}
                  height={height - TOP + 14}
                  rx={3}
                />
              ) : null}
              {lanes.map((lane, row) => (
                <line
                  key={lane.person?.id ?? 'others'}
                  x1={0}
                  x2={width + 2 * MARGIN}
                  y1={laneY(row)}
                  y2={laneY(row)}
                />
              ))}
              {scale.stretches.flatMap(({ kind, x0, x1 }) =>
                kind === 'quiet' && x1 - x0 > 5 ? (
                  <path key={x0} className="pt-quiet" d={zigzag((x0 + x1) / 2 + MARGIN - 3, height)} />
                ) : (
                  []
                ),
              )}
              {lanes.map((lane, row) => (
                <LaneMarks key={lane.person?.id ?? 'others'} lane={lane} row={row} scale={scale} />
              ))}
            </svg>
            <Flags
              flags={flagged}
              scale={scale}
              width={width + 2 * MARGIN - (toEnd ? flagWidth(t('flow.flag.now')) : 0)}
            />
            {toEnd ? (
              <span className="pt-flag" data-flag="now" style={{ left: width + 2 * MARGIN - 1 }}>
                <span>{t('flow.flag.now')}</span>
              </span>
            ) : null}
            {view === 'between' && visible(other) ? <Playhead x={scale.x(ms(other))} of="other" /> : null}
            {visible(at) ? <Playhead x={upTo} of="at" /> : null}
          </>
        )}
      </div>
    </div>
  )
}
