import { useStoreApi } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import type { Point } from '../model/geometry.ts'

/**
 * Tells where the pointer is on the flow, and on which block. The canvas's own place is asked for when it may have changed and not with each
 * move, in the middle of a frame.
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
      // What is carried stays under the pointer.
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
