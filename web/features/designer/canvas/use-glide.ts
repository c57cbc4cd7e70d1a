import { useStoreApi } from '@xyflow/react'
import { type RefObject, useEffect } from 'react'
import type { CanvasState } from './canvas-context.ts'

/**
 * Has the browser keep what it drew of an element as a picture that it shifts and scales as the element's transform says;
 * else it would arrange and draw all of it again in each frame. `will-change` alone does not bring that about: an animation
 * does, and this one adds nothing to what the transform says.
 */
const keepPicture = (element: Element): Animation => {
  const animation = element.animate({ transform: ['none', 'none'] }, { duration: 1, fill: 'both', composite: 'add' })
  animation.pause()
  return animation
}

/** While the view moves, what is drawn of the flow glides along as one picture. */
export const useGlide = (root: RefObject<HTMLElement | null>, { motion }: CanvasState): void => {
  const store = useStoreApi()
  useEffect(() => {
    let picture: Animation | undefined
    const follow = () => {
      const moving = motion.moving.get()
      root.current?.toggleAttribute('data-gliding', moving)
      picture?.cancel()
      const viewport = store.getState().domNode?.querySelector('.react-flow__viewport')
      picture = moving && viewport != null ? keepPicture(viewport) : undefined
    }
    const stop = motion.moving.subscribe(follow)
    return () => {
      stop()
      picture?.cancel()
    }
  }, [root, store, motion])
}
