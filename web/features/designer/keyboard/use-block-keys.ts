import { useReactFlow } from '@xyflow/react'
import { useCallback } from 'react'
import { blockSizeOf } from '../canvas/canvas-context.ts'
import { focusBlock } from '../canvas/focus-block.ts'
import { ZOOM } from '../canvas/zoom.ts'
import { boxOf } from '../model/block-appearance.ts'
import { centerOf } from '../model/geometry.ts'
import { type Handlers, handlerOf, keyOf } from '../model/key-table.ts'
import { type Step, walk } from '../model/reading-order.ts'
import type { Designer } from '../session/designer.ts'

/** Keys on the canvas itself: arrows follow the links, Space selects, Enter opens the inspector, L links. */
export const useBlockKeys = (designer: Designer, onLink: (block: string) => void) => {
  const camera = useReactFlow()
  return useCallback(
    (event: React.KeyboardEvent) => {
      const { canvas } = designer
      if (event.altKey || event.ctrlKey || event.metaKey) return
      const at = canvas.focus.get()
      const go = (step: Step) => {
        const next = walk(canvas.flow.get(), at, step)
        const node = next === undefined ? undefined : canvas.flow.get().nodes.get(next)
        if (node === undefined) return
        canvas.focus.set(node.id)
        const { x, y } = centerOf(boxOf(node, blockSizeOf(canvas)))
        void camera.setCenter(x, y, { zoom: camera.getZoom(), duration: ZOOM.duration })
        focusBlock(node.id)
      }
      const here = (run: (block: string) => void) => at !== undefined && run(at)
      const keys: Handlers<'block', () => void> = {
        arrowdown: () => go('down'),
        arrowup: () => go('up'),
        arrowleft: () => go('left'),
        arrowright: () => go('right'),
        home: () => go('home'),
        ' ': () =>
          here(id =>
            canvas.selection.set(({ blocks }) => ({
              blocks: blocks.symmetricDifference(new Set([id])),
              links: new Set(),
            })),
          ),
        enter: () =>
          here(id => {
            canvas.selection.set({ blocks: new Set([id]), links: new Set() })
            designer.wanted.set({ block: id, ...(designer.mayEdit ? { typed: '' } : {}) })
          }),
        l: () => designer.mayEdit && here(onLink),
      }
      const action = handlerOf(keys, keyOf(event.nativeEvent))
      if (action === undefined) return
      event.preventDefault()
      action()
    },
    [designer, camera, onLink],
  )
}
