import { type Store, useStoreValue } from '../store.ts'
import { useBlockSize, useCanvas } from './canvas-context.ts'
import { type Point, pulledPath } from './geometry.ts'
import { Ground } from './ground.tsx'
import { portPoint } from './link-plan.ts'
import type { Guide } from './snap.ts'
import { ViewportLayer } from './viewport-layer.tsx'

interface PulledProps {
  readonly from: string
  readonly connector: string
  readonly to: Point
  readonly color: string
}

/** A link that somebody pulls, dashed, from its port to their pointer. */
export const PulledLink = ({ from, connector, to, color }: PulledProps) => {
  const { flow, positions } = useCanvas()
  const size = useBlockSize()
  const node = flow.get().nodes.get(from)
  if (node === undefined) return null
  const start = portPoint(node, connector, positions.get(from), size)
  return (
    <>
      <path className="pl-pulled" style={{ stroke: color }} d={pulledPath(start, to)} />
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

export const PullLayer = () => {
  const canvas = useCanvas()
  const pull = useStoreValue(canvas.pull)
  if (pull === undefined) return null
  return (
    <ViewportLayer>
      <svg className="pl-overlay" aria-hidden>
        <PulledLink from={pull.from} connector={pull.fromConnector} to={pull} color="var(--c-accent)" />
      </svg>
    </ViewportLayer>
  )
}

/** Lines that show what a dragged block stands level with. There for the whole drag: an element that comes anew costs a frame. */
export const GuideLayer = ({ guides }: { readonly guides: Store<readonly Guide[] | undefined> }) => {
  const lines = useStoreValue(guides)
  if (lines === undefined) return null
  return (
    <ViewportLayer>
      <svg className="pl-overlay" data-carried aria-hidden>
        <Ground />
        {lines.map(({ axis, at, from, to }) =>
          axis === 'x' ? (
            <line key={axis} className="pl-guide" x1={at} x2={at} y1={from} y2={to} />
          ) : (
            <line key={axis} className="pl-guide" y1={at} y2={at} x1={from} x2={to} />
          ),
        )}
      </svg>
    </ViewportLayer>
  )
}
