import { useReactFlow } from '@xyflow/react'
import { useCallback } from 'react'
import { blockSizeOf } from '../canvas/canvas-context.ts'
import { centerOf } from '../canvas/geometry.ts'
import { ZOOM } from '../canvas/zoom.ts'
import { boxOf } from '../model/look.ts'
import type { Designer } from './designer.ts'
import { focusBlock } from './focus-block.ts'
import { type Step, walk } from './walk.ts'

const STEPS: Readonly<Record<string, Step>> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  ArrowLeft: 'left',
  ArrowRight: 'right',
  Home: 'home',
}

/** Keys on the canvas itself: arrows follow the links, Space selects, Enter opens the inspector, L links. */
export const useBlockKeys = (designer: Designer, onLink: (block: string) => void) => {
  const camera = useReactFlow()
  return useCallback(
    (event: React.KeyboardEvent) => {
      const { canvas } = designer
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const at = canvas.focus.get()
      const step = STEPS[event.key]
      if (step !== undefined) {
        event.preventDefault()
        const next = walk(canvas.flow.get(), at, step)
        const node = next === undefined ? undefined : canvas.flow.get().nodes.get(next)
        if (node === undefined) return
        canvas.focus.set(node.id)
        const { x, y } = centerOf(boxOf(node, blockSizeOf(canvas)))
        void camera.setCenter(x, y, { zoom: camera.getZoom(), duration: ZOOM.duration })
        focusBlock(node.id)
        return
      }
      if (at === undefined) return
      if (event.key === ' ') {
        event.preventDefault()
        canvas.selection.set(({ blocks }) => ({ blocks: blocks.symmetricDifference(new Set([at])), links: new Set() }))
      } else if (event.key === 'Enter') {
        event.preventDefault()
        canvas.selection.set({ blocks: new Set([at]), links: new Set() })
        designer.wanted.set({ block: at })
      } else if (event.key.toLowerCase() === 'l' && designer.mayEdit) {
        event.preventDefault()
        onLink(at)
      }
    },
    [designer, camera, onLink],
  )
}
