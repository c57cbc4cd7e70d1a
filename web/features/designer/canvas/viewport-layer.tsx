import { useStore } from '@xyflow/react'
import { type ReactNode, useMemo } from 'react'
import { createPortal } from 'react-dom'

/** Elements that move and zoom with the flow. React Flow's own portal queries the page in every frame. */
export const ViewportLayer = ({ children }: { readonly children: ReactNode }) => {
  const root = useStore(state => state.domNode)
  const place = useMemo(() => root?.querySelector('.react-flow__viewport-portal'), [root])
  return place == null ? null : createPortal(children, place)
}
