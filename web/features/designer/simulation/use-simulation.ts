import { useCallback, useRef, useState } from 'react'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

export type SimulationView = AnswerOf<'POST /bot/{id}/simulation'>
export type SimulationMessage = SimulationView['said'][number]
export type SimulationStart = NonNullable<BodyOf<'POST /bot/{id}/simulation'>>
type Input = BodyOf<'POST /simulation/{id}/say'>
type Answer = BodyOf<'POST /simulation/{id}/answer'>
type Value = BodyOf<'POST /simulation/{id}/set'>

export interface SimulationRun {
  readonly view: SimulationView | undefined
  /** What came before the last action: what differs from it has changed. */
  readonly before: SimulationView | undefined
  readonly busy: boolean
  readonly error: unknown
  /** The block before which the next turn stops. */
  readonly stop: string | undefined
  stopAt(block: string | undefined): void
  begin(start: SimulationStart): void
  say(input: Input): void
  step(): void
  run(until?: readonly string[]): void
  back(): void
  set(value: Value): void
  clock(now: string): void
  answer(answer: Answer): void
}

interface State {
  readonly view?: SimulationView
  readonly before?: SimulationView | undefined
  readonly busy: boolean
  readonly error?: unknown
}

/**
 * The run of this window, across its modes and dialogs. The next one takes its place, so that it does not count beside it:
 * a person has few, and one that is begun beside others may end that of another window.
 */
let ownRun: string | undefined

/** A conversation that is tried with a bot: one call at a time, the newest answer is what is shown. */
export const useSimulation = (bot: string | undefined): SimulationRun => {
  const [state, setState] = useState<State>({ busy: false })
  const isBusy = useRef(false)
  const [stop, stopAt] = useState<string>()
  const until = stop === undefined ? [] : [stop]
  const act = useCallback((call: () => Promise<SimulationView>, isNew = false) => {
    if (isBusy.current) return
    isBusy.current = true
    setState(held => ({ ...held, busy: true }))
    const done = (next: (held: State) => State) => {
      isBusy.current = false
      setState(next)
    }
    call().then(
      view => {
        ownRun = view.simulation
        done(held => ({ view, before: isNew ? undefined : held.view, busy: false, error: undefined }))
      },
      (error: unknown) => done(held => ({ ...held, busy: false, error })),
    )
  }, [])
  const id = state.view?.simulation ?? ''
  const params = { params: { id } }
  return {
    view: state.view,
    before: state.before,
    busy: state.busy,
    error: state.error,
    stop,
    stopAt,
    begin: start => {
      if (bot !== undefined)
        act(() => {
          const replaced = ownRun === undefined ? {} : { replaces: ownRun }
          return http.post('/bot/{id}/simulation', { params: { id: bot }, body: { ...start, ...replaced, until } })
        }, true)
    },
    say: body => act(() => http.post('/simulation/{id}/say', { ...params, body: { ...body, until } })),
    step: () => act(() => http.post('/simulation/{id}/step', { ...params, body: {} })),
    run: (to = []) => act(() => http.post('/simulation/{id}/run', { ...params, body: { until: [...to, ...until] } })),
    back: () => act(() => http.post('/simulation/{id}/back', { ...params, body: {} })),
    set: body => act(() => http.post('/simulation/{id}/set', { ...params, body })),
    clock: now => act(() => http.post('/simulation/{id}/clock', { ...params, body: { now } })),
    answer: body => act(() => http.post('/simulation/{id}/answer', { ...params, body: { ...body, until } })),
  }
}
