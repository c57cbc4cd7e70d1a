import { type ReactFlowState, useStoreApi, type Viewport } from '@xyflow/react'
import { useEffect, useState } from 'react'
import type { Box, Size } from '../../model/geometry.ts'
import type { CanvasState } from '../canvas-context.ts'
import { missingIn, nextDrawn } from './drawn-blocks.ts'
import { keepDrawn } from './virtualize-blocks.ts'

/** Minimum window space outside the canvas: more renders once the canvas size is known. CSS pixels. */
const BESIDE = { width: 216, height: 28 }

const partOf = ({ x, y, zoom }: Viewport, { width, height }: Size): Box => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
})

/** The part of the flow that can be seen now. */
export const viewOf = ({ transform: [x, y, zoom], width, height }: ReactFlowState): Box =>
  partOf({ x, y, zoom }, { width, height })

/** Selects the blocks to render: at opening all in view at once, then as the view moves. */
export const useDrawn = (state: CanvasState, opening: Viewport): void => {
  const store = useStoreApi()
  useState(() => {
    const { drawn, boxes, focus } = state
    const view = partOf(opening, { width: innerWidth - BESIDE.width, height: innerHeight - BESIDE.height })
    const seen = missingIn(drawn.get(), boxes(), view).size
    drawn.set(nextDrawn(drawn.get(), boxes(), view, focus.get(), seen))
  })
  useEffect(() => {
    let seen = store.getState()
    return keepDrawn(state, {
      get: () => viewOf(store.getState()),
      subscribe: listener =>
        store.subscribe(now => {
          const stays = now.transform === seen.transform && now.width === seen.width && now.height === seen.height
          seen = now
          if (!stays) listener()
        }),
    })
  }, [state, store])
}
