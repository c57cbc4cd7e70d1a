import { useReactFlow } from '@xyflow/react'
import { useCallback, useRef } from 'react'
import type { Point } from '../model/geometry.ts'
import { boxOf } from '../model/look.ts'
import { blockSizeOf, type CanvasState, type Pull } from './canvas-context.ts'

export interface Pulled {
  readonly from: string
  readonly fromConnector: string
}

/** Around a block, in flow pixels, where a pulled link still finds it. */
const MARGIN = 14
/** Screen pixels before a press on a port becomes a pull. */
const START = 4

/** The topmost block that a link from `from` may end at. */
const targetAt = (state: CanvasState, at: Point, from: string): string | undefined => {
  const size = blockSizeOf(state)
  let found: string | undefined
  for (const node of state.flow.get().nodes.values()) {
    if (node.id === from || node.inputs.length === 0) continue
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

/** Pulling a link out of a port: everyone sees it, and it ends at the block under the pointer or asks for a new one. */
export const usePull = (
  state: CanvasState,
  tell: {
    readonly onPull?: ((pull: Pull | undefined) => void) | undefined
    readonly onLink?: ((pulled: Pulled, to: string) => void) | undefined
    readonly onEmpty?: ((pulled: Pulled, flow: Point, screen: Point) => void) | undefined
  },
) => {
  const { screenToFlowPosition } = useReactFlow()
  const told = useRef(tell)
  told.current = tell
  return useCallback(
    (event: React.PointerEvent) => {
      const port = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-connector]') : null
      const block = port?.closest<HTMLElement>('[data-block]')?.dataset.block
      const connector = port?.dataset.connector
      if (event.button !== 0 || block === undefined || connector === undefined) return
      event.preventDefault()
      event.stopPropagation()
      const pulled = { from: block, fromConnector: connector }
      const start = { x: event.clientX, y: event.clientY }
      let moved = false
      const move = (moveEvent: PointerEvent) => {
        moved ||= Math.hypot(moveEvent.clientX - start.x, moveEvent.clientY - start.y) > START
        if (!moved) return
        const at = screenToFlowPosition({ x: moveEvent.clientX, y: moveEvent.clientY }, { snapToGrid: false })
        const pull: Pull = { ...pulled, ...at, over: targetAt(state, at, block) }
        state.pull.set(pull)
        told.current.onPull?.(pull)
      }
      const end = () => {
        window.removeEventListener('pointermove', move)
        window.removeEventListener('pointerup', up)
        window.removeEventListener('pointercancel', end)
        window.removeEventListener('keydown', giveUp, true)
        state.pull.set(undefined)
        told.current.onPull?.(undefined)
      }
      const up = (upEvent: PointerEvent) => {
        const pull = state.pull.get()
        end()
        if (pull === undefined) return
        if (pull.over !== undefined) told.current.onLink?.(pulled, pull.over)
        else told.current.onEmpty?.(pulled, { x: pull.x, y: pull.y }, { x: upEvent.clientX, y: upEvent.clientY })
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
    },
    [state, screenToFlowPosition],
  )
}
