import { useStoreApi } from '@xyflow/react'
import { draggedLinkPath, type Point } from '../model/geometry.ts'
import { type Store, useStoreValue } from '../model/store.ts'
import { useBlockSize, useCanvas } from './canvas-context.ts'
import { portPoint } from './link-plan.ts'
import type { Guide } from './snap.ts'
import { RepaintBoundary, ViewportLayer } from './viewport-layer.tsx'
import { viewOf } from './virtualization/virtualize-blocks.ts'

interface PulledProps {
  readonly from: string
  readonly connector: string
  readonly to: Point
  readonly color: string
}

/** The dashed link that a user drags, from its port to the pointer. */
export const DraggedLink = ({ from, connector, to, color }: PulledProps) => {
  const { flow, positions } = useCanvas()
  const size = useBlockSize()
  const node = flow.get().nodes.get(from)
  if (node === undefined) return null
  const start = portPoint(node, connector, positions.get(from), size)
  return (
    <>
      <path className="pl-pulled" style={{ stroke: color }} d={draggedLinkPath(start, to)} />
      <circle
        cx={start.x}
        cy={start.y}
        r={9}
        className="pl-pulled"
        style={{ stroke: color, strokeDasharray: 'none' }}
      />
      <circle cx={to.x} cy={to.y} r={4} style={{ fill: color }} />
    </>
  )
}

export const LinkDragLayer = () => {
  const canvas = useCanvas()
  const pull = useStoreValue(canvas.pull)
  if (pull === undefined) return null
  return (
    <ViewportLayer>
      <svg className="pl-overlay" aria-hidden>
        {pull.end === undefined ? (
          <DraggedLink from={pull.from} connector={pull.fromConnector} to={pull} color="var(--c-accent)" />
        ) : (
          <path className="pl-pulled" style={{ stroke: 'var(--c-accent)' }} d={draggedLinkPath(pull, pull.end)} />
        )}
      </svg>
    </ViewportLayer>
  )
}

/** Too short to be seen. Flow pixels. */
const SPECK = 0.01

/**
 * Alignment guides of a dragged block. Both stay in the view during the drag, if too short to see: inserting one would
 * lay out the whole flow again.
 */
export const GuideLayer = ({ guides }: { readonly guides: Store<readonly Guide[] | undefined> }) => {
  const lines = useStoreValue(guides)
  const store = useStoreApi()
  if (lines === undefined) return null
  const { x, y, width, height } = viewOf(store.getState())
  const none = { at: x + width / 2, from: y + height / 2, to: y + height / 2 + SPECK }
  const across = lines.find(({ axis }) => axis === 'x') ?? none
  const down = lines.find(({ axis }) => axis === 'y') ?? { at: none.from, from: none.at, to: none.at + SPECK }
  return (
    <ViewportLayer>
      <svg className="pl-overlay" data-carried aria-hidden>
        <RepaintBoundary />
        <line className="pl-guide" x1={across.at} x2={across.at} y1={across.from} y2={across.to} />
        <line className="pl-guide" y1={down.at} y2={down.at} x1={down.from} x2={down.to} />
      </svg>
    </ViewportLayer>
  )
}
