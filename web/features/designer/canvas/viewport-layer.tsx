import { useStore } from '@xyflow/react'
import { type ReactNode, useMemo } from 'react'
import { createPortal } from 'react-dom'

/** Elements that move and zoom with the flow. React Flow's own portal queries the page in every frame. */
export const ViewportLayer = ({ children }: { readonly children: ReactNode }) => {
  const root = useStore(state => state.domNode)
  const place = useMemo(() => root?.querySelector('.react-flow__viewport-portal'), [root])
  return place == null ? null : createPortal(children, place)
}

/** Extent that contains every dragged element, in flow pixels. */
const FAR = 100_000

/**
 * An empty background for elements that move in their own SVG. The browser paints the SVG alone, without a layout of
 * the whole flow, only while its contents keep the same extent as in the last frame.
 */
export const RepaintBoundary = () => <rect x={-FAR} y={-FAR} width={2 * FAR} height={2 * FAR} fill="transparent" />
