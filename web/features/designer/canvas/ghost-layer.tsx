import { ViewportPortal } from '@xyflow/react'
import { boxOf } from '../model/look.ts'
import { useStoreValue } from '../store.ts'
import { useCanvas } from './canvas-context.ts'
import { SIZE } from './geometry.ts'

/** Where moved blocks stood before, with an arrow to their new place. */
export const GhostLayer = () => {
  const canvas = useCanvas()
  const decorations = useStoreValue(canvas.decorations)
  const flow = useStoreValue(canvas.flow)
  const moved = [...decorations].flatMap(([id, { from }]) => {
    const node = flow.nodes.get(id)
    return from === undefined || node === undefined ? [] : [{ id, from, box: boxOf(node) }]
  })
  if (moved.length === 0) return null
  return (
    <ViewportPortal>
      <svg className="pl-links" aria-hidden>
        <defs>
          <marker id="pl-moved" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M1,1L7,4L1,7" className="pl-ghost-arrow" />
          </marker>
        </defs>
        {moved.map(({ id, from, box }) => (
          <g key={id}>
            <rect className="pl-ghost" x={from.x} y={from.y} width={box.width} height={SIZE.height} rx={10} />
            <path
              className="pl-ghost-arrow"
              markerEnd="url(#pl-moved)"
              d={`M${from.x + box.width / 2},${from.y + SIZE.height / 2}L${box.x + box.width / 2},${box.y + SIZE.height / 2}`}
            />
          </g>
        ))}
      </svg>
    </ViewportPortal>
  )
}
