import { useStore, useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import type { Store } from '../../model/store.ts'
import { useCanvas } from '../canvas-context.ts'

/** Tells when the veil goes up and down: it is up while the view hurries, unless the pointer itself drags it. */
export const subscribePanShield = (hurrying: Store<boolean>, isDragged: () => boolean, tell: (isUp: boolean) => void) =>
  hurrying.subscribe(() => tell(hurrying.get() && !isDragged()))

/**
 * Lies over the flow while it hurries past under the pointer, so that what passes needs neither be found nor lit. It lets the
 * wheel through to React Flow, and goes as soon as the pointer itself moves.
 */
export const PanShield = () => {
  const store = useStoreApi()
  const { motion } = useCanvas()
  const root = useStore(state => state.domNode)
  const veil = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      subscribePanShield(
        motion.hurrying,
        () => store.getState().paneDragging,
        isUp => veil.current?.toggleAttribute('data-up', isUp),
      ),
    [motion, store],
  )
  const place = root?.querySelector('.react-flow__renderer')
  if (place == null) return null
  return createPortal(
    <div
      ref={veil}
      className="pl-veil"
      onPointerMove={({ movementX, movementY, currentTarget }) => {
        if (movementX !== 0 || movementY !== 0) currentTarget.removeAttribute('data-up')
      }}
    />,
    place,
  )
}
