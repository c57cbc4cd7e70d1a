import { memo } from 'react'
import type { LinkShape } from '../model/geometry.ts'
import { useCanvas } from './canvas-context.ts'
import type { PlannedLink } from './link-plan.ts'
import { shapeNow, useAround, useFollowed, useLinkLook } from './use-link.ts'

const HEAD = { top: [-4.5, -7, 4.5, -7], left: [-7, -4.5, -7, 4.5], right: [7, -4.5, 7, 4.5] } as const

/** The line with its arrow head: one path, so that there is one thing to style and paint while a block is carried. */
const strokeOf = ({ path, arrow, end: { x, y }, side }: LinkShape): string => {
  const [ax, ay, bx, by] = HEAD[side]
  return arrow ? `${path}M${x + ax},${y + ay}L${x},${y}L${x + bx},${y + by}` : path
}

const redraw = (group: SVGGElement, shape: LinkShape): void => {
  group.lastElementChild?.setAttribute('d', strokeOf(shape))
  if (group.children.length > 1) group.firstElementChild?.setAttribute('d', shape.path)
}

interface LinkProps {
  readonly planned: PlannedLink
  /** A dragged link takes no presses. */
  readonly carried?: boolean
}

export const FlowLink = memo(({ planned, carried = false }: LinkProps) => {
  const { positions } = useCanvas()
  const look = useLinkLook(planned)
  const around = useAround(look)
  const group = useFollowed(planned, look !== undefined, redraw, around)
  if (look === undefined) return null
  const shape = shapeNow(planned, positions, around)
  return (
    <g ref={group} className="pl-link" data-link={planned.link.id} {...look}>
      {carried ? null : <path className="pl-hit" d={shape.path} />}
      <path className="pl-stroke" d={strokeOf(shape)} />
    </g>
  )
})
