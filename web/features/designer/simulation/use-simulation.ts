import { useCallback, useRef, useState } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import type { AnswerOf, BodyOf } from '#schemas/api/routes.ts'
import { http } from '#web/api/http.ts'

/** A block as a conversation runs it: its content and its links. '' if missing. */
export const drawnAs = ({ nodes, links }: FlowModel, block: string): string => {
  const node = nodes.get(block)
  if (node === undefined) return ''
  const ways = [...links.values()]
    .filter(({ from }) => from === block)
    .map(({ fromConnector, fromSubConnector, to }) => JSON.stringify([fromConnector, fromSubConnector ?? null, to]))
  return JSON.stringify([node.type, node.properties, ways.sort()])
}

export interface ExecutedBlock {
  readonly dialog: string
  readonly block: string
}

/** Version of each step's block when it ran: `before` for the first `kept` steps, else the current one. */
export const blockStatesAtRun = (
  before: readonly string[],
  steps: readonly ExecutedBlock[],
  kept: number,
  now: (ran: ExecutedBlock) => string,
): readonly string[] => steps.map((step, at) => (at < kept ? before[at] : undefined) ?? now(step))

/** The first block that is drawn otherwise now than when it ran last; undefined where none is. */
export const editedBlock = (
  steps: readonly ExecutedBlock[],
  drawn: readonly string[],
  now: (ran: ExecutedBlock) => string,
): ExecutedBlock | undefined => {
  const latest = new Map(steps.map((step, at) => [`${step.dialog} ${step.block}`, { step, drawn: drawn[at] ?? '' }]))
  return [...latest.values()].find(({ step, drawn: then }) => then !== '' && now(step) !== then)?.step
}

export type SimulationView = AnswerOf<'POST /bot/{id}/simulation'>
export type SimulationMessage = SimulationView['said'][number]
export type SimulationStart = NonNullable<BodyOf<'POST /bot/{id}/simulation'>>
type Input = BodyOf<'POST /simulation/{id}/say'>
type Answer = BodyOf<'POST /simulation/{id}/answer'>
type Rerun = BodyOf<'POST /simulation/{id}/rerun'>
type Value = BodyOf<'POST /simulation/{id}/set'>

export interface SimulationRun {
  readonly view: SimulationView | undefined
  /** State before the last action, for highlighting changes. */
  readonly before: SimulationView | undefined
  readonly busy: boolean
  readonly error: unknown
  /** Version of each step's block when it ran; '' for dialogs that are not open. */
  readonly drawn: readonly string[]
  /** Start settings, if the run began before this mode was reopened. */
  readonly resumed: SimulationStart | undefined
  /** The block before which the next turn stops. */
  readonly stop: string | undefined
  stopAt(block: string | undefined): void
  begin(start: SimulationStart): void
  say(input: Input): void
  step(): void
  run(until?: readonly string[]): void
  back(): void
  /** Back before a block that has run, and on from there as it is drawn now. */
  rerun(from: Rerun): void
  set(value: Value): void
  clock(now: string): void
  answer(answer: Answer): void
}

interface ShownRun {
  readonly view: SimulationView
  readonly drawn: readonly string[]
}

interface State extends Partial<ShownRun> {
  readonly before?: SimulationView | undefined
  readonly busy: boolean
  readonly error?: unknown
}

interface OwnRun extends ShownRun {
  readonly bot: string
  /** The dialog that was open when it began. */
  readonly dialog: string
  readonly start: SimulationStart
}

/**
 * The run of this window, across its modes: it continues when its dialog is tried again after an edit. The next run
 * replaces it and so does not count separately: runs per person are limited, and a further one may end that of another
 * window.
 */
let ownRun: OwnRun | undefined

interface Place {
  readonly bot: string | undefined
  readonly dialog: string
  /** Current version; '' of a dialog that is not open. */
  drawnAs(ran: ExecutedBlock): string
}

/** All steps that there were still stand. */
const ALL = Number.POSITIVE_INFINITY

interface ActOptions {
  /** Settings of a new run. */
  readonly start?: SimulationStart
  /** So many of the steps that there were still stand. */
  readonly kept?: number
}

/** The run as it is shown, and one call of it at a time: the newest answer is what is shown. */
const useRunCalls = ({ bot, dialog, drawnAs }: Place) => {
  const [resumed] = useState(() => (ownRun?.bot === bot && ownRun?.dialog === dialog ? ownRun : undefined))
  const [state, setState] = useState<State>({ ...resumed, busy: false })
  const isBusy = useRef(false)
  const shown = useRef<Partial<ShownRun>>({ ...resumed })
  const now = useRef(drawnAs)
  now.current = drawnAs
  const act = useCallback(
    (call: () => Promise<SimulationView>, { start, kept = ALL }: ActOptions = {}) => {
      if (isBusy.current) return
      isBusy.current = true
      setState(held => ({ ...held, busy: true }))
      const done = (next: (held: State) => State) => {
        isBusy.current = false
        setState(next)
      }
      call().then(
        view => {
          const before = start === undefined ? shown.current : {}
          const drawn = blockStatesAtRun(before.drawn ?? [], view.steps, kept, now.current)
          shown.current = { view, drawn }
          if (start !== undefined && bot !== undefined) ownRun = { bot, dialog, start, view, drawn }
          else if (ownRun !== undefined) ownRun = { ...ownRun, view, drawn }
          done(() => ({ view, drawn, before: before.view, busy: false, error: undefined }))
        },
        (error: unknown) => done(held => ({ ...held, busy: false, error })),
      )
    },
    [bot, dialog],
  )
  return { state, resumed: resumed?.start, act }
}

/** A conversation that is tried with a bot. */
export const useSimulation = (place: Place): SimulationRun => {
  const { state, resumed, act } = useRunCalls(place)
  const { bot } = place
  const [stop, stopAt] = useState<string>()
  const until = stop === undefined ? [] : [stop]
  const id = state.view?.simulation ?? ''
  const params = { params: { id } }
  return {
    view: state.view,
    before: state.before,
    busy: state.busy,
    error: state.error,
    drawn: state.drawn ?? [],
    resumed,
    stop,
    stopAt,
    begin: start => {
      if (bot !== undefined)
        act(
          () => {
            const replaced = ownRun === undefined ? {} : { replaces: ownRun.view.simulation }
            return http.post('/bot/{id}/simulation', { params: { id: bot }, body: { ...start, ...replaced, until } })
          },
          { start },
        )
    },
    say: body => act(() => http.post('/simulation/{id}/say', { ...params, body: { ...body, until } })),
    step: () => act(() => http.post('/simulation/{id}/step', { ...params, body: {} })),
    run: (to = []) => act(() => http.post('/simulation/{id}/run', { ...params, body: { until: [...to, ...until] } })),
    back: () => act(() => http.post('/simulation/{id}/back', { ...params, body: {} })),
    rerun: body => {
      const kept = state.view?.steps.findLastIndex(step => step.dialog === body.dialog && step.block === body.block)
      act(() => http.post('/simulation/{id}/rerun', { ...params, body: { ...body, until } }), { kept: kept ?? 0 })
    },
    set: body => act(() => http.post('/simulation/{id}/set', { ...params, body })),
    clock: now => act(() => http.post('/simulation/{id}/clock', { ...params, body: { now } })),
    answer: body => act(() => http.post('/simulation/{id}/answer', { ...params, body: { ...body, until } })),
  }
}

type Action = SimulationMessage['actions'][number]

/** Whether an action is of an adaptive card itself, which draws it. */
export const isOfCard = ({ type }: { readonly type?: unknown }): boolean =>
  typeof type === 'string' && type.startsWith('Action.')

/** The actions that a block offers below a message. */
export const offeredActions = ({ actions }: SimulationMessage) =>
  actions.filter((action): action is Extract<Action, { readonly title: string }> => !isOfCard(action))

/** The message whose answer is waited for. */
export const lastQuestion = (view: SimulationView): SimulationMessage | undefined =>
  view.status === 'waiting' ? view.said.findLast(({ from }) => from === 'bot') : undefined
