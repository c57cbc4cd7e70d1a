import { type Box, overlaps } from '../../model/geometry.ts'

/** Up to so many blocks are all drawn, wherever they are. */
export const MANY = 150
/** So far around the view blocks are drawn before they are seen, and so far they stay afterwards. Flow pixels. */
const AHEAD = 200
const BEHIND = 1200
/** Newly rendered blocks per frame. */
export const IN_FRAME = 6

const grown = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x - by,
  y: y - by,
  width: width + 2 * by,
  height: height + 2 * by,
})

type Boxes = ReadonlyMap<string, Box>

const within = (boxes: Boxes, region: Box): string[] => {
  const inside: string[] = []
  for (const [id, box] of boxes) if (overlaps(box, region)) inside.push(id)
  return inside
}

/** Blocks that could be seen in a part of the flow and are not drawn. */
export const missingIn = (drawn: ReadonlySet<string>, boxes: Boxes, view: Box): ReadonlySet<string> =>
  drawn.size === boxes.size ? new Set() : new Set(within(boxes, view)).difference(drawn)

/**
 * The next blocks to render: those in view, then those soon in view, up to `most` new ones; `focus` always. Returns the
 * same set when nothing changes.
 */
export const nextDrawn = (
  drawn: ReadonlySet<string>,
  boxes: Boxes,
  view: Box,
  focus: string | undefined,
  most: number = IN_FRAME,
): ReadonlySet<string> => {
  if (boxes.size <= MANY) {
    return drawn.size === boxes.size && boxes.keys().every(id => drawn.has(id)) ? drawn : new Set(boxes.keys())
  }
  const next = new Set(within(boxes, grown(view, BEHIND))).intersection(drawn)
  if (focus !== undefined && boxes.has(focus)) next.add(focus)
  const wanted = new Set([...within(boxes, view), ...within(boxes, grown(view, AHEAD))]).difference(next)
  for (const id of wanted.keys().take(most)) next.add(id)
  return next.size === drawn.size && next.isSubsetOf(drawn) ? drawn : next
}
