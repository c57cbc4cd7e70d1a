import { useReactFlow } from '@xyflow/react'
import { useCallback, useRef } from 'react'
import type { LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import { boxOf } from '../model/block-appearance.ts'
import type { Point } from '../model/geometry.ts'
import { blockSizeOf, type CanvasState, type LinkDrag } from './canvas-context.ts'
import { linkPoints } from './link-hit-test.ts'

export interface OutputRef {
  readonly from: string
  readonly fromConnector: string
}

/** Around a block, in flow pixels, where a pulled link still finds it. */
const MARGIN = 14
/** Screen pixels before a press on a port becomes a pull. */
const START = 4

/** The topmost block here of those that an end of a link may come to. */
const blockAt = (state: CanvasState, at: Point, mayEnd: (node: NodeModel) => boolean): string | undefined => {
  const size = blockSizeOf(state)
  let found: string | undefined
  for (const node of state.flow.get().nodes.values()) {
    if (!mayEnd(node)) continue
    const box = { ...boxOf(node, size), ...state.positions.get(node.id) }
    const inside =
      at.x >= box.x - MARGIN &&
      at.x <= box.x + box.width + MARGIN &&
      at.y >= box.y - MARGIN &&
      at.y <= box.y + box.height + MARGIN
    if (inside) found = node.id
  }
  return found
}

interface Following {
  /** Drag state at this pointer position. */
  readonly pullAt: (at: Point) => LinkDrag
  readonly onPull?: ((pull: LinkDrag | undefined) => void) | undefined
  readonly onDrop: (pull: LinkDrag, screen: Point) => void
  /** Released where it was pressed. */
  readonly onPress?: ((screen: Point) => void) | undefined
}

/** Follows the pointer from press to release; Escape cancels. */
const follow = (
  event: React.PointerEvent,
  { pull: store }: CanvasState,
  toFlow: (screen: Point) => Point,
  { pullAt, onPull, onDrop, onPress }: Following,
) => {
  event.preventDefault()
  event.stopPropagation()
  const start = { x: event.clientX, y: event.clientY }
  let moved = false
  const move = ({ clientX: x, clientY: y }: PointerEvent) => {
    moved ||= Math.hypot(x - start.x, y - start.y) > START
    if (!moved) return
    const pull = pullAt(toFlow({ x, y }))
    store.set(pull)
    onPull?.(pull)
  }
  const end = () => {
    window.removeEventListener('pointermove', move)
    window.removeEventListener('pointerup', up)
    window.removeEventListener('pointercancel', end)
    window.removeEventListener('keydown', giveUp, true)
    store.set(undefined)
    onPull?.(undefined)
  }
  const up = ({ clientX: x, clientY: y }: PointerEvent) => {
    const pull = store.get()
    end()
    if (pull !== undefined) onDrop(pull, { x, y })
    else if (!moved) onPress?.({ x, y })
  }
  const giveUp = (keyEvent: KeyboardEvent) => {
    if (keyEvent.key !== 'Escape') return
    keyEvent.stopPropagation()
    end()
  }
  window.addEventListener('pointermove', move)
  window.addEventListener('pointerup', up)
  window.addEventListener('pointercancel', end)
  window.addEventListener('keydown', giveUp, true)
}

const useFlowPoint = () => {
  const { screenToFlowPosition } = useReactFlow()
  return useCallback((screen: Point) => screenToFlowPosition(screen, { snapToGrid: false }), [screenToFlowPosition])
}

const takesLinkFrom = (from: string) => (node: NodeModel) => node.id !== from && node.inputs.length > 0

/** Pulling a link out of a port: everyone sees it, and it ends at the block under the pointer or asks for a new one. */
export const useLinkDrag = (
  state: CanvasState,
  tell: {
    readonly onPull?: ((pull: LinkDrag | undefined) => void) | undefined
    readonly onLink?: ((pulled: OutputRef, to: string) => void) | undefined
    readonly onEmpty?: ((pulled: OutputRef, flow: Point, screen: Point) => void) | undefined
    readonly onPort?: ((output: OutputRef, screen: Point) => void) | undefined
  },
) => {
  const toFlow = useFlowPoint()
  const told = useRef(tell)
  told.current = tell
  return useCallback(
    (event: React.PointerEvent) => {
      const port = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-connector]') : null
      const block = port?.closest<HTMLElement>('[data-block]')?.dataset.block
      const connector = port?.dataset.connector
      if (event.button !== 0 || block === undefined || connector === undefined) return
      const pulled = { from: block, fromConnector: connector }
      follow(event, state, toFlow, {
        pullAt: at => ({ ...pulled, ...at, over: blockAt(state, at, takesLinkFrom(block)) }),
        onPull: pull => told.current.onPull?.(pull),
        onPress: screen => told.current.onPort?.(pulled, screen),
        onDrop: ({ over, x, y }, screen) => {
          if (over !== undefined) told.current.onLink?.(pulled, over)
          else told.current.onEmpty?.(pulled, { x, y }, screen)
        },
      })
    },
    [state, toFlow],
  )
}

/** An end of a link, where it was dragged to: another target, or another output that it leaves. */
export type LinkEndTarget =
  | { readonly to: string }
  | { readonly from: string; readonly fromConnector?: string | undefined }

const portUnder = ({ x, y }: Point, block: string): string | undefined =>
  document
    .elementsFromPoint(x, y)
    .find(
      element =>
        element.closest<HTMLElement>('[data-block]')?.dataset.block === block && element.closest('[data-connector]'),
    )
    ?.closest<HTMLElement>('[data-connector]')?.dataset.connector

/** Drags an end of a link to another block; a drop elsewhere leaves the link unchanged. */
export const useLinkEndDrag = (state: CanvasState, onMoved: (link: LinkModel, end: LinkEndTarget) => void) => {
  const toFlow = useFlowPoint()
  const told = useRef(onMoved)
  told.current = onMoved
  return useCallback(
    (event: React.PointerEvent, link: LinkModel, which: 'from' | 'to') => {
      const ends = linkPoints(state, link)
      if (event.button !== 0 || ends === undefined) return
      const { from, fromConnector } = link
      const leaves = (node: NodeModel) => node.id !== link.to && node.outputs.length > 0
      follow(event, state, toFlow, {
        pullAt: at =>
          which === 'to'
            ? { from, fromConnector, ...at, over: blockAt(state, at, takesLinkFrom(from)) }
            : { from, fromConnector, ...at, over: blockAt(state, at, leaves), end: ends.to },
        onDrop: ({ over }, screen) => {
          if (over === undefined) return
          told.current(link, which === 'to' ? { to: over } : { from: over, fromConnector: portUnder(screen, over) })
        },
      })
    },
    [state, toFlow],
  )
}
