import { categoryOf, shapeOf, shownTitle } from '../../model/block-appearance.ts'
import { type Box, centerOf, isJump } from '../../model/geometry.ts'
import type { Translate } from '../../model/label.ts'
import { blockSizeOf, type CanvasState } from '../canvas-context.ts'
import { portPoint } from '../link-plan.ts'
import { zoomLevel } from '../zoom.ts'

/** Flow pixels, as in the blocks themselves. */
const TILE = { x: 8, y: 7, size: 30 }
const ROUND = 10
const TEXT = TILE.x + TILE.size + 9
/** A letter of a title, as a part of its size. */
const LETTER = 0.53

/** Colours as the canvas has them now; of tiles by category. */
export interface PlaceholderColors {
  readonly surface: string
  readonly edge: string
  readonly link: string
  readonly text: string
  readonly font: string
  readonly tiles: ReadonlyMap<string, string>
}

const cut = (text: string, letters: number): string =>
  text.length > letters ? `${text.slice(0, Math.max(0, letters - 1))}…` : text

const strokeLinks = (on: CanvasRenderingContext2D, state: CanvasState, ids: ReadonlySet<string>) => {
  const { nodes, links } = state.flow.get()
  const boxes = state.boxes()
  const drawn = state.drawn.get()
  const tagged = state.jumpTags.get()
  const size = blockSizeOf(state)
  on.beginPath()
  for (const { from, to, fromConnector } of links.values()) {
    // With a drawn end the link is drawn too.
    if (!(ids.has(from) || ids.has(to)) || drawn.has(from) || drawn.has(to)) continue
    const [source, place, target] = [nodes.get(from), boxes.get(from), boxes.get(to)]
    if (source === undefined || place === undefined || target === undefined) continue
    const start = portPoint(source, fromConnector, place, size)
    if (tagged && isJump(start, target)) continue
    on.moveTo(start.x, start.y)
    on.lineTo(centerOf(target).x, target.y)
  }
  on.stroke()
}

const paintBox = (on: CanvasRenderingContext2D, { x, y, width, height }: Box, fill: string | undefined) => {
  on.beginPath()
  on.roundRect(x, y, width, height, ROUND)
  if (fill !== undefined) {
    on.fillStyle = fill
    on.fill()
  }
  on.stroke()
}

/** Paints blocks that pass by as boxes with a title, in flow coordinates, with straight lines for their links. */
export const paintPanPlaceholder = (
  on: CanvasRenderingContext2D,
  state: CanvasState,
  ids: ReadonlySet<string>,
  zoom: number,
  colors: PlaceholderColors,
  t: Translate,
): void => {
  const { nodes } = state.flow.get()
  const boxes = state.boxes()
  const level = zoomLevel(zoom)
  const isFar = level === 'far' || level === 'farthest'
  const letters = isFar ? 24 : 12.5
  on.lineWidth = 2
  on.strokeStyle = colors.link
  strokeLinks(on, state, ids)
  on.lineWidth = 1
  on.strokeStyle = colors.edge
  on.font = `600 ${letters}px ${colors.font}`
  for (const id of ids) {
    const [node, box] = [nodes.get(id), boxes.get(id)]
    if (node === undefined || box === undefined) continue
    const isShape = shapeOf(node) !== undefined
    paintBox(on, box, isShape ? undefined : colors.surface)
    if (isShape) continue
    const top = box.y + (isFar ? (box.height - TILE.size) / 2 : TILE.y)
    on.fillStyle = colors.tiles.get(categoryOf(node.type)) ?? colors.edge
    on.fillRect(box.x + TILE.x, top, TILE.size, TILE.size)
    if (level === 'farthest') continue
    on.fillStyle = colors.text
    const room = (box.width - TEXT - TILE.x) / (LETTER * letters)
    on.fillText(cut(shownTitle(node, t).text, Math.floor(room)), box.x + TEXT, top + (isFar ? 23 : 12))
  }
}
