import { type Box, centerOf, type Point } from '../model/geometry.ts'
import { boxOf } from '../model/look.ts'
import { useStoreValue } from '../model/store.ts'
import { useBlockSize, useCanvas } from './canvas-context.ts'
import { ViewportLayer } from './viewport-layer.tsx'

/** From the middle of the ghost to the edge of the block that faces it; nothing where they overlap too much to tell. */
const arrowTo = (from: Point, box: Box): string => {
  const dx = box.x - from.x
  const dy = box.y - from.y
  const inside = Math.min(box.width / 2 / Math.abs(dx || 1), box.height / 2 / Math.abs(dy || 1))
  if (inside >= 1) return ''
  const { x, y } = centerOf({ ...box, ...from })
  return `M${x},${y}L${x + dx * (1 - inside)},${y + dy * (1 - inside)}`
}

/** Old places of moved blocks, with an arrow to the new one. */
export const GhostLayer = () => {
  const canvas = useCanvas()
  const size = useBlockSize()
  const decorations = useStoreValue(canvas.decorations)
  const flow = useStoreValue(canvas.flow)
  const moved = [...decorations].flatMap(([id, { from }]) => {
    const node = flow.nodes.get(id)
    return from === undefined || node === undefined ? [] : [{ id, from, box: boxOf(node, size) }]
  })
  if (moved.length === 0) return null
  return (
    <ViewportLayer>
      <svg className="pl-links" aria-hidden>
        <defs>
          <marker id="pl-moved" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M1,1L7,4L1,7" className="pl-ghost-arrow" />
          </marker>
        </defs>
        {moved.map(({ id, from, box }) => (
          <g key={id}>
            <rect className="pl-ghost" x={from.x} y={from.y} width={box.width} height={box.height} rx={10} />
            <path className="pl-ghost-arrow" markerEnd="url(#pl-moved)" d={arrowTo(from, box)} />
          </g>
        ))}
      </svg>
    </ViewportLayer>
  )
}
