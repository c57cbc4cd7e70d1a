import { type RefObject, useEffect } from 'react'
import type { CanvasState } from './canvas-context.ts'

/** While the view moves, what is drawn of the flow glides along as one picture. */
export const useGlide = (root: RefObject<HTMLElement | null>, { motion }: CanvasState): void => {
  useEffect(
    () => motion.moving.subscribe(() => root.current?.toggleAttribute('data-gliding', motion.moving.get())),
    [root, motion],
  )
}
