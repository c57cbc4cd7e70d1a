import { ySyncPluginKey } from '@tiptap/y-tiptap'
import { createContext, use } from 'react'
import { type LintContext, type LintFinding, lintFlow } from '#domain/flow/lint-flow.ts'
import { createUndo, type Undo } from '#domain/flow/undo.ts'
import { type CanvasState, createCanvasState } from '../canvas/canvas-context.ts'
import type { Badge } from '../canvas/decoration.ts'
import { createPositions } from '../canvas/positions.ts'
import { followFlow } from '../model/flow-store.ts'
import type { FlowAddress } from '../room/flow-address.ts'
import type { Room } from '../room/room.ts'
import { createStore, type Store } from '../store.ts'
import { type Actions, createActions, OWN_EDIT } from './actions.ts'
import { shareDrags, showSelection } from './sharing.ts'

/** One open flow with everything around it; lives as long as its room. */
export interface Designer {
  readonly address: FlowAddress
  readonly room: Room
  readonly canvas: CanvasState
  readonly undo: Undo
  readonly actions: Actions
  readonly mayEdit: boolean
  readonly findings: Store<readonly LintFinding[]>
  /** What exists outside of the flow, for the lint. */
  readonly known: Store<LintContext>
  /** Where the inspector should put the focus: a field of the selected block, or its first text. */
  readonly wanted: Store<{ readonly block: string; readonly field?: string } | undefined>
  /** Client id of the person whose pointer the view follows. */
  readonly following: Store<number | undefined>
  /** The last sentence for the live region, and the last notice with what can be done about it. */
  readonly said: Store<string>
  readonly notice: Store<Notice | undefined>
  leave(): void
}

export interface Notice {
  readonly text: string
  readonly undo?: boolean
  /** What can be done about it; its own word for the button. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

const LINT_PAUSE = 250

const badgesOf = (findings: readonly LintFinding[]): ReadonlyMap<string, Badge> => {
  const badges = new Map<string, Badge>()
  for (const { block, severity } of findings) {
    if (block !== '' && badges.get(block) !== 'error') badges.set(block, severity)
  }
  return badges
}

const sameBadges = (a: ReadonlyMap<string, Badge>, b: ReadonlyMap<string, Badge>) =>
  a.size === b.size && [...a].every(([id, badge]) => b.get(id) === badge)

export const openDesigner = (address: FlowAddress, room: Room, mayEdit: boolean): Designer => {
  const flow = followFlow(room.doc)
  const positions = createPositions(flow)
  const canvas = createCanvasState(flow, positions, { rings: room.peers.selections })
  const undo = createUndo(room.doc, [OWN_EDIT, ySyncPluginKey])
  const findings = createStore<readonly LintFinding[]>([])
  const known = createStore<LintContext>({})
  let timer: ReturnType<typeof setTimeout> | undefined
  const lint = () => {
    timer = undefined
    const found = lintFlow(flow.get(), known.get())
    findings.set(found)
    const badges = badgesOf(found)
    if (!sameBadges(canvas.badges.get(), badges)) canvas.badges.set(badges)
  }
  const soon = () => {
    timer ??= setTimeout(lint, LINT_PAUSE)
  }
  soon()
  const stops = [
    flow.subscribe(soon),
    known.subscribe(soon),
    shareDrags(room.peers, positions),
    showSelection(room.presence, canvas),
  ]
  return {
    address,
    room,
    canvas,
    undo,
    mayEdit,
    findings,
    known,
    actions: createActions(room.doc, canvas, undo),
    wanted: createStore<{ readonly block: string; readonly field?: string } | undefined>(undefined),
    following: createStore<number | undefined>(undefined),
    said: createStore(''),
    notice: createStore<Notice | undefined>(undefined),
    leave: () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
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
