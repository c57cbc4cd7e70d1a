import { useCallback, useEffect, useState } from 'react'
import { DESIGNER_QUERY } from '#web/entity/address.ts'
import { useTravelKeys } from '../history/use-travel-keys.ts'
import type { ReplayMoment } from './replay-moments.ts'

/** Between two blocks at a speed of 1. Milliseconds. */
const BEAT = 900
/** The address follows once one rests: browsers take only so many in a minute. Milliseconds. */
const REST = 300

export const SPEEDS = [1, 2, 4] as const
type Speed = (typeof SPEEDS)[number]

export interface Walk {
  readonly moments: readonly ReplayMoment[]
  readonly index: number
  readonly at: ReplayMoment
  readonly playing: boolean
  readonly speed: Speed
  go(index: number): void
  goTo(turn: number, place: number): void
  step(by: number): void
  play(): void
  setSpeed(speed: Speed): void
}

const placeOf = (moments: readonly ReplayMoment[], turn: number, place: number): number => {
  const found = moments.findIndex(moment => moment.turn.turn === turn && moment.place >= place)
  return found === -1 ? moments.findLastIndex(moment => moment.turn.turn === turn) : found
}

/** Position in the address: `turn` and `step`, counted from 1; the end by default. */
const startIn = (moments: readonly ReplayMoment[]): number | undefined => {
  const search = new URLSearchParams(location.search)
  const turn = Number(search.get(DESIGNER_QUERY.turn))
  if (!Number.isInteger(turn) || turn < 1) return undefined
  const step = Number(search.get(DESIGNER_QUERY.step))
  const found = step > 0 ? placeOf(moments, turn, step - 1) : moments.findLastIndex(each => each.turn.turn === turn)
  return found === -1 ? undefined : found
}

/** Position in a conversation; undefined while it is empty. */
export const useReplayPlayer = (moments: readonly ReplayMoment[], leave: () => void): Walk | undefined => {
  const [chosen, choose] = useState(() => startIn(moments))
  const [playing, setPlaying] = useState(false)
  const [speed, setSpeed] = useState<Speed>(1)
  const last = moments.length - 1
  const index = Math.min(chosen ?? last, last)
  const at = moments[index]
  const go = useCallback((to: number) => choose(Math.min(Math.max(0, to), last)), [last])
  const halt = (to: number) => {
    setPlaying(false)
    go(to)
  }
  const step = (by: number) => halt(index + by)
  const stepTurn = (by: number) => {
    const turn = at?.turn.turn ?? 0
    const isInside = by < 0 && (at?.place ?? 0) > 0
    const found = moments.findIndex(moment => moment.turn.turn === (isInside ? turn : turn + by))
    halt(found === -1 ? (by < 0 ? 0 : last) : found)
  }
  const play = () => {
    if (!playing && index >= last) go(0)
    setPlaying(!playing)
  }
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(() => (index >= last ? setPlaying(false) : go(index + 1)), BEAT / speed)
    return () => clearTimeout(timer)
  }, [playing, index, last, speed, go])
  useEffect(() => {
    if (chosen === undefined || at === undefined) return
    const timer = setTimeout(() => {
      const url = new URL(location.href)
      url.searchParams.set(DESIGNER_QUERY.turn, String(at.turn.turn))
      url.searchParams.set(DESIGNER_QUERY.step, String(Math.max(1, at.place + 1)))
      if (url.href !== location.href) history.replaceState(history.state, '', url)
    }, REST)
    return () => clearTimeout(timer)
  }, [chosen, at])
  useTravelKeys({ step, stepSession: stepTurn, end: isLast => halt(isLast ? last : 0), play, leave })
  if (at === undefined) return undefined
  const goTo = (turn: number, place: number) => halt(placeOf(moments, turn, place))
  return { moments, index, at, playing, speed, go: halt, goTo, step, play, setSpeed }
}
