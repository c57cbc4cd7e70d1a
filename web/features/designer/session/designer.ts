import { createContext, use } from 'react'
import type { FlowModel } from '#domain/flow/document/model.ts'
import type { LintContext, LintFinding } from '#domain/flow/lint/lint-flow.ts'
import { createUndo, type Undo } from '#domain/flow/undo/undo.ts'
import { whenIdle } from '#web/idle.ts'
import { type CanvasState, createCanvasState, NOTHING } from '../canvas/canvas-context.ts'
import { createPositions, type Positions } from '../canvas/positions.ts'
import type { Badge } from '../model/block-appearance.ts'
import { observeFlow } from '../model/flow-store.ts'
import { createStore, type Store } from '../model/store.ts'
import { type Actions, createActions, OWN_EDIT } from './edit/edit-actions.ts'
import { endLayout } from './edit/layout-client.ts'
import type { ComingFlow } from './pending-import.ts'
import type { FlowAddress } from './room/flow-address.ts'
import type { Peers } from './room/peers.ts'
import type { Presence } from './room/presence.ts'
import type { Member, Room } from './room/room.ts'
import { createSearchState, type SearchState } from './search-state.ts'

const PAUSE = 250
/** ms that a slice may take, well within a frame. */
const SLICE = 6

type Steps = Generator<undefined, readonly LintFinding[]>

/** Expression engines load late; if loading fails, expressions are not checked. */
const expressionSteps = async (flow: FlowModel, { expressions, ...names }: LintContext): Promise<Steps | undefined> => {
  if (expressions === undefined) return undefined
  try {
    const { lintExpressionsInSteps, openFlowEngines } = await import('#domain/flow/lint/lint-expression.ts')
    return lintExpressionsInSteps(flow, expressions, await openFlowEngines(flow, expressions), names)
  } catch {
    return undefined
  }
}

const errorsFirst = (findings: readonly LintFinding[]): readonly LintFinding[] =>
  findings.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error'))

/** Checks a flow after each change, in slices while the page is idle: a large one takes longer than a frame. */
const lintWhenIdle = (
  flow: Store<FlowModel>,
  known: Store<LintContext>,
  tell: (findings: readonly LintFinding[]) => void,
): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let calledOff = () => {}
  let running = false
  let stale = false
  let stopped = false
  const end = () => {
    running = false
    if (stale) soon()
  }
  const inSlices = (steps: Steps) =>
    new Promise<readonly LintFinding[]>((resolve, reject) => {
      const slice = () => {
        try {
          for (const begun = performance.now(); performance.now() - begun < SLICE; ) {
            const step = steps.next()
            if (step.done) return resolve(step.value)
          }
          calledOff = whenIdle(slice)
        } catch (error) {
          reject(error)
        }
      }
      if (!stopped) calledOff = whenIdle(slice)
    })
  const lint = async () => {
    const { lintInSteps } = await import('#domain/flow/lint/lint-flow.ts')
    const [model, context] = [flow.get(), known.get()]
    const found = await inSlices(lintInSteps(model, context))
    const steps = await expressionSteps(model, context)
    const written = steps === undefined ? [] : await inSlices(steps)
    if (!stopped) tell(errorsFirst([...found, ...written]))
    end()
  }
  function soon() {
    stale = running
    if (running) return
    running = true
    timer = setTimeout(() => void lint().catch(end), PAUSE)
  }
  soon()
  const stops = [flow.subscribe(soon), known.subscribe(soon)]
  return () => {
    stopped = true
    clearTimeout(timer)
    calledOff()
    for (const stop of stops) stop()
  }
}

/** A switch of how flows are looked at, remembered for a person in this browser. */
const viewOption = (name: string, person: string, initial: boolean): Store<boolean> => {
  const key = `parley.designer.${name}.${person}`
  const held = localStorage.getItem(key)
  const store = createStore(held === null ? initial : held === 'on')
  store.subscribe(() => localStorage.setItem(key, store.get() ? 'on' : 'off'))
  return store
}

/** Blocks that others drag move on this canvas too, while they are dragged. */
const shareDrags = (peers: Peers, positions: Positions): (() => void) => {
  let dragging = new Set<string>()
  return peers.drags.subscribe(() => {
    const offsets = Map.groupBy(peers.drags.get(), ([, drag]) => `peer ${drag.peer.client}`)
    for (const [owner, drags] of offsets) {
      positions.lift(owner, new Map(drags.map(([id, { dx, dy }]) => [id, { x: dx, y: dy }])))
    }
    for (const owner of dragging) if (!offsets.has(owner)) positions.drop(owner)
    dragging = new Set(offsets.keys())
  })
}

/** Tells the others what is selected here, and forgets selected things that went away. */
const showSelection = (presence: Presence, canvas: CanvasState): (() => void) => {
  const tell = () => {
    const { blocks } = canvas.selection.get()
    presence.show({ selection: blocks.size === 0 ? undefined : [...blocks].slice(0, 200) })
  }
  const prune = () => {
    const { nodes, links } = canvas.flow.get()
    const selection = canvas.selection.get()
    const blocks = new Set([...selection.blocks].filter(id => nodes.has(id)))
    const kept = new Set([...selection.links].filter(id => links.has(id)))
    if (blocks.size === selection.blocks.size && kept.size === selection.links.size) return
    canvas.selection.set(blocks.size + kept.size === 0 ? NOTHING : { blocks, links: kept })
  }
  const stops = [canvas.selection.subscribe(tell), canvas.flow.subscribe(prune)]
  return () => {
    for (const stop of stops) stop()
  }
}

/** Lets undo read, while the page is idle, the data for the next edit: nothing while the flow opens. */
const readAheadWhenIdle = (undo: Undo, { doc, ready }: Room): (() => void) => {
  let calledOff = () => {}
  let running = false
  const slice = () => {
    running = undo.readAhead()
    if (running) calledOff = whenIdle(slice)
  }
  const soon = () => {
    if (running || !ready.get()) return
    running = true
    calledOff = whenIdle(slice)
  }
  const stop = ready.subscribe(soon)
  doc.on('afterTransaction', soon)
  return () => {
    stop()
    doc.off('afterTransaction', soon)
    calledOff()
  }
}

/** One open flow with everything around it; lives as long as its room. */
export interface Designer {
  readonly address: FlowAddress
  readonly room: Room
  /** Whether what the room holds was read, so that there is something true to show. */
  readonly ready: Store<boolean>
  readonly canvas: CanvasState
  readonly undo: Undo
  readonly actions: Actions
  readonly mayEdit: boolean
  readonly findings: Store<readonly LintFinding[]>
  /** Entities outside the flow, for lint. */
  readonly known: Store<LintContext>
  /** Requested focus of the inspector: a field of the selected block, or its first text. */
  readonly wanted: Store<FocusTarget | undefined>
  /** The block added last here, until the user leaves it: it is not filled in yet. */
  readonly fresh: Store<string | undefined>
  /** The tab of the inspector that was chosen last. */
  readonly tab: Store<InspectorTab>
  /** Last search in the texts of flows. */
  readonly seek: Store<SearchState>
  /** A file that one is asked about before it takes the flow's place. */
  readonly coming: Store<ComingFlow | undefined>
  /** Client id of the person whose pointer the view follows. */
  readonly following: Store<number | undefined>
  /** The last sentence for the live region, and the last notice with what can be done about it. */
  readonly said: Store<string>
  readonly notice: Store<Notice | undefined>
  /** The chat with the published flow beside the canvas. */
  readonly trial: Store<Trial | undefined>
  /** Whether others' edits are announced. */
  readonly news: Store<boolean>
  /** Whether the history lists edits that only moved blocks. */
  readonly moves: Store<boolean>
  leave(): void
}

export type InspectorTab = 'content' | 'answer' | 'rules' | 'history' | 'json'

/** Focus target in the inspector: a block's form, or one of its fields. */
interface FocusTarget {
  readonly block: string
  readonly field?: string
  /** The tab that the field stands on is open. */
  readonly isOpen?: true
  /** Keys typed before the focus arrived; they are text, not commands. */
  readonly typed?: string
  /** Replaces its first text. */
  readonly isNew?: true
}

/** A part of publishing and trying, with the time it took. */
export interface TrialStep {
  readonly is: 'published' | 'entry' | 'channel' | 'start' | 'answer'
  readonly state: 'waits' | 'busy' | 'done' | 'was' | 'failed'
  readonly ms?: number
  /** The first words of the bot, or the reason of a failure. */
  readonly text?: string
}

/** A chat with the published flow. */
export interface Trial {
  /** Time of day at which it was published, ms since 1970. */
  readonly time: number
  /** Blocks that were published with it. */
  readonly changed: number
  /** Revisions of the flow that were live before and after it; absent for a flow that was published before. */
  readonly revisions?: { readonly before: number; readonly after: number }
  readonly steps: readonly TrialStep[]
  /** The web chat, once there is one. */
  readonly channel?: string
  readonly bot: string
  readonly conversation?: string
  /** Changes with each conversation that is begun here. */
  readonly round: number
  /** The canvas follows the conversation. */
  readonly isFollowed: boolean
  /** The list of steps is shown in place of the palette. */
  readonly hasSteps: boolean
}

interface NoticeAction {
  readonly label: string
  readonly run: () => void
}

export interface Notice {
  readonly text: string
  /** In progress or failed; absent: done. */
  readonly tone?: 'busy' | 'failed'
  readonly undo?: boolean
  /** Stays until it is closed, or another notice comes. */
  readonly stays?: boolean
  /** Follow-up action, with its button label. */
  readonly action?: NoticeAction
  /** Another way, after the first. */
  readonly other?: NoticeAction
}

const badgesOf = (findings: readonly LintFinding[]): ReadonlyMap<string, Badge> => {
  const badges = new Map<string, Badge>()
  for (const { block, severity } of findings) {
    if (block !== '' && badges.get(block) !== 'error') badges.set(block, severity)
  }
  return badges
}

const sameBadges = (a: ReadonlyMap<string, Badge>, b: ReadonlyMap<string, Badge>) =>
  a.size === b.size && [...a].every(([id, badge]) => b.get(id) === badge)

/** True from the moment on when a room has its flow and all of it was read. */
const onceRead = (room: Room, settled: Store<boolean>): Store<boolean> => {
  const ready = createStore(false)
  const look = () => {
    if (room.ready.get() && settled.get()) ready.set(true)
  }
  look()
  room.ready.subscribe(look)
  settled.subscribe(look)
  return ready
}

export const openDesigner = (address: FlowAddress, room: Room, { id: person, mayEdit }: Member): Designer => {
  const flow = observeFlow(room.doc)
  const positions = createPositions(flow)
  const canvas = createCanvasState(flow, positions, {
    rings: room.peers.selections,
    jumpTags: viewOption('jumptags', person, true),
    compact: viewOption('compact', person, false),
  })
  const undo = createUndo(room.doc, [OWN_EDIT])
  const findings = createStore<readonly LintFinding[]>([])
  const known = createStore<LintContext>({})
  const wanted = createStore<FocusTarget | undefined>(undefined)
  const lintTold = (found: readonly LintFinding[]) => {
    findings.set(found)
    const badges = badgesOf(found)
    if (!sameBadges(canvas.badges.get(), badges)) canvas.badges.set(badges)
  }
  const stops = [
    lintWhenIdle(flow, known, lintTold),
    readAheadWhenIdle(undo, room),
    shareDrags(room.peers, positions),
    showSelection(room.presence, canvas),
    // Another block is open: a form that is opened later does not take the keyboard.
    canvas.selection.subscribe(() =>
      wanted.set(want => (want && canvas.selection.get().blocks.has(want.block) ? want : undefined)),
    ),
  ]
  return {
    address,
    room,
    ready: onceRead(room, flow.settled),
    canvas,
    undo,
    mayEdit,
    findings,
    known,
    actions: createActions(room.doc, canvas, undo),
    wanted,
    fresh: createStore<string | undefined>(undefined),
    tab: createStore<InspectorTab>('content'),
    seek: createSearchState(),
    coming: createStore<ComingFlow | undefined>(undefined),
    following: createStore<number | undefined>(undefined),
    said: createStore(''),
    notice: createStore<Notice | undefined>(undefined),
    trial: createStore<Trial | undefined>(undefined),
    news: viewOption('news', person, true),
    moves: viewOption('moves', person, false),
    leave: () => {
      for (const stop of stops) stop()
      endLayout()
      undo.destroy()
      positions.stop()
      flow.stop()
      room.leave()
    },
  }
}

export const DesignerContext = createContext<Designer | undefined>(undefined)

export const useDesigner = (): Designer => {
  const designer = use(DesignerContext)
  if (designer === undefined) throw new Error('outside of the designer')
  return designer
}
