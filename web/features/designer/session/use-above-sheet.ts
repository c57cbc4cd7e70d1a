import { useReactFlow } from '@xyflow/react'
import { useEffect } from 'react'
import type { Designer } from './designer.ts'
import { viewOf } from './view.ts'

/** On a phone, keeps the block of the sheet visible above it. */
export const useAboveSheet = (designer: Designer, phone: boolean): void => {
  const camera = useReactFlow()
  useEffect(() => {
    if (!phone) return
    const { reveal } = viewOf(designer, camera, () => false)
    const { selection } = designer.canvas
    let frame = 0
    const stop = selection.subscribe(() => {
      cancelAnimationFrame(frame)
      const { blocks } = selection.get()
      // Once the sheet is there.
      if (blocks.size === 1)
        frame = requestAnimationFrame(() => (frame = requestAnimationFrame(() => reveal(blocks, 0))))
    })
    return () => {
      cancelAnimationFrame(frame)
      stop()
    }
  }, [designer, camera, phone])
}
