import { useStoreApi } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import type { Point } from '../model/geometry.ts'

/**
 * Reports the pointer's position on the flow, and its block. Reads the canvas rectangle only when it may have changed,
 * not on each move in mid-frame.
 */
export const usePointer = (
  root: RefObject<HTMLElement | null>,
  tell: ((at: Point | undefined, block?: string) => void) | undefined,
): void => {
  const store = useStoreApi()
  useEffect(() => {
    const element = root.current
    if (element === null || tell === undefined) return
    let place: DOMRect | undefined
    let block: string | undefined
    const forget = () => {
      place = undefined
    }
    const onMove = ({ clientX, clientY, target, buttons }: PointerEvent) => {
      // A dragged block stays under the pointer.
      if (buttons === 0 && target instanceof Element) block = target.closest<HTMLElement>('[data-block]')?.dataset.block
      place ??= element.getBoundingClientRect()
      const [x, y, zoom] = store.getState().transform
      tell({ x: (clientX - place.x - x) / zoom, y: (clientY - place.y - y) / zoom }, block)
    }
    const onLeave = () => {
      forget()
      tell(undefined)
    }
    const size = new ResizeObserver(forget)
    size.observe(element)
    element.addEventListener('pointermove', onMove)
    element.addEventListener('pointerleave', onLeave)
    return () => {
      size.disconnect()
      element.removeEventListener('pointermove', onMove)
      element.removeEventListener('pointerleave', onLeave)
    }
  }, [root, store, tell])
}
