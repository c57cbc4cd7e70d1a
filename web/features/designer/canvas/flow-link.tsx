import { memo, useLayoutEffect, useRef } from 'react'
import { useStoreValue } from '../store.ts'
import { useCanvas } from './canvas-context.ts'
import { type LinkShape, linkShape, type Point, SIZE } from './geometry.ts'
import type { PlannedLink } from './link-plan.ts'
import type { Positions } from './positions.ts'

const shapeOf = ({ link, offset, targetWidth, height }: PlannedLink, positions: Positions): LinkShape => {
  const from = positions.get(link.from)
  const to = positions.get(link.to)
  return linkShape({ x: from.x + offset, y: from.y + height }, { x: to.x, y: to.y, width: targetWidth, height })
}

const HEAD = { top: [-4.5, -7, 4.5, -7], left: [-7, -4.5, -7, 4.5], right: [7, -4.5, 7, 4.5] } as const

/** The line with its arrow head: one path, so that there is one thing to style and paint while a block is carried. */
const strokeOf = ({ path, arrow, end: { x, y }, side }: LinkShape): string => {
  const [ax, ay, bx, by] = HEAD[side]
  return arrow ? `${path}M${x + ax},${y + ay}L${x},${y}L${x + bx},${y + by}` : path
}

const shows = (planned: PlannedLink, shape: LinkShape) => planned.label !== '' && shape.length >= SIZE.label

/** Draws a link anew where its ends are now, without anything being rendered. */
const redraw = (group: SVGGElement, planned: PlannedLink, positions: Positions): void => {
  const shape = shapeOf(planned, positions)
  const [hit, stroke, label] = group.children
  stroke?.setAttribute('d', strokeOf(shape))
  // Nobody presses on a link that is being carried about.
  const { from, to } = planned.link
  if (!positions.lifted(from) && !positions.lifted(to)) hit?.setAttribute('d', shape.path)
  if (label === undefined) return
  label.toggleAttribute('data-short', !shows(planned, shape))
  label.setAttribute('transform', at(shape.middle))
}

const at = ({ x, y }: Point) => `translate(${x},${y})`

interface LinkProps {
  readonly planned: PlannedLink
}

export const FlowLink = memo(({ planned }: LinkProps) => {
  const canvas = useCanvas()
  const { link } = planned
  const group = useRef<SVGGElement>(null)
  const selected = useStoreValue(canvas.selection, selection => selection.links.has(link.id))
  const lit = useStoreValue(canvas.selection, ({ blocks }) => blocks.has(link.from) || blocks.has(link.to))
  const faded = useStoreValue(
    canvas.bright,
    bright => bright !== undefined && !(bright.has(link.from) && bright.has(link.to)),
  )
  const diff = useStoreValue(canvas.linkDecorations, decorations => decorations.get(link.id))
  const tagged = useStoreValue(canvas.jumpTags) && planned.jump
  const traced = useStoreValue(canvas.traced, id => id === link.id)
  const hidden = tagged && !lit && !selected && !traced
  // Its blocks may be carried thirty times a second, by whomever.
  useLayoutEffect(() => {
    const { positions } = canvas
    const drawn = group.current
    if (hidden || drawn === null) return
    const draw = () => redraw(drawn, planned, positions)
    draw()
    return positions.watch([link.from, link.to], draw)
  }, [canvas, link, planned, hidden])
  if (hidden) return null
  const shape = shapeOf(planned, canvas.positions)
  return (
    <g
      ref={group}
      className="pl-link"
      data-link={link.id}
      data-selected={selected || undefined}
      data-lit={lit || traced || undefined}
      data-faded={faded || undefined}
      data-diff={diff}
      {...(planned.color === undefined ? {} : { style: { '--c-link': planned.color } as React.CSSProperties })}
    >
      <path className="pl-hit" d={shape.path} />
      <path className="pl-stroke" d={strokeOf(shape)} />
      {planned.label === '' ? null : (
        <LinkLabel text={planned.label} place={at(shape.middle)} short={!shows(planned, shape)} />
      )}
    </g>
  )
})

const CHARACTER = 6.4
const LONGEST = 26

interface LabelProps {
  readonly text: string
  readonly place: string
  /** The link is too short to carry it. */
  readonly short: boolean
}

/** A pill of the size its words take, without measuring: measuring a thousand would stop the page. */
const LinkLabel = ({ text, place, short }: LabelProps) => {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  const width = [...cut].length * CHARACTER + 18
  return (
    <g className="pl-label" transform={place} data-short={short ? '' : undefined}>
      <rect x={-width / 2} y={-10} width={width} height={20} rx={10} />
      <text dy={4} textAnchor="middle">
        {cut}
      </text>
      {cut === text ? null : <title>{text}</title>}
    </g>
  )
}
