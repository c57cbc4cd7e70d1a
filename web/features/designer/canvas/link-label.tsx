import { memo } from 'react'
import { type LinkShape, SIZE } from '../model/geometry.ts'
import { useCanvas } from './canvas-context.ts'
import type { PlannedLink } from './link-plan.ts'
import { shapeNow, useAround, useFollowed, useLinkLook } from './use-link.ts'

const CHARACTER = 6.4
const MAX_LENGTH = 26
const HEIGHT = 20
/** From the middle of a pill to the line that its letters stand on. */
const BASE = 4

const cutOf = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text)

/** A pill of the size its words take, without measuring: measuring a thousand would stop the page. */
const widthOf = (text: string) => [...cutOf(text)].length * CHARACTER + 18

/**
 * Coordinates, not a transform: browsers lay out transformed elements separately, here each label and each line
 * between.
 */
const placeOf = ({ middle: { x, y } }: LinkShape, { label }: PlannedLink) => ({
  box: { x: x - widthOf(label) / 2, y: y - HEIGHT / 2 },
  words: { x, y: y + BASE },
})

const isShort = ({ length }: LinkShape) => length < SIZE.label

const redraw = (group: SVGGElement, shape: LinkShape, planned: PlannedLink): void => {
  const { box, words } = placeOf(shape, planned)
  group.toggleAttribute('data-short', isShort(shape))
  for (const [element, { x, y }] of [
    [group.firstElementChild, box],
    [group.lastElementChild, words],
  ] as const) {
    element?.setAttribute('x', String(x))
    element?.setAttribute('y', String(y))
  }
}

/** A link's condition at its middle, above all lines so that none crosses its text. */
export const LinkLabel = memo(({ planned }: { readonly planned: PlannedLink }) => {
  const { positions } = useCanvas()
  const look = useLinkLook(planned)
  const around = useAround(look)
  const group = useFollowed(planned, look !== undefined, redraw, around)
  if (look === undefined) return null
  const shape = shapeNow(planned, positions, around)
  const { box, words } = placeOf(shape, planned)
  const { label } = planned
  return (
    <g
      ref={group}
      className="pl-label"
      data-label={planned.link.id}
      data-short={isShort(shape) ? '' : undefined}
      {...look}
    >
      <rect {...box} width={widthOf(label)} height={HEIGHT} rx={HEIGHT / 2} />
      <text {...words} textAnchor="middle">
        {cutOf(label)}
      </text>
    </g>
  )
})
