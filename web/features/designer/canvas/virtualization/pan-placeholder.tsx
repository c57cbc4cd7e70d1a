import { useStoreApi } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { BLOCK_CATEGORIES } from '#schemas/block.ts'
import { categoryOf, shapeOf, shownTitle } from '../../model/block-appearance.ts'
import { type Box, centerOf, isJump } from '../../model/geometry.ts'
import type { Translate } from '../../model/label.ts'
import { blockSizeOf, type CanvasState, useCanvas, useIsDarkMode, useWords } from '../canvas-context.ts'
import { portPoint } from '../link-plan.ts'
import { zoomLevel } from '../zoom.ts'
import { undrawnBlocks, viewOf } from './virtualize-blocks.ts'

/** Flow pixels, as in the blocks themselves. */
const TILE = { x: 8, y: 7, size: 30 }
const ROUND = 10
const TEXT = TILE.x + TILE.size + 9
/** A letter of a title, as a part of its size. */
const LETTER = 0.53

/** Colours as the canvas has them now; of tiles by category. */
interface PlaceholderColors {
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
const paintPanPlaceholder = (
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

const colorsOf = (element: Element): PlaceholderColors => {
  const style = getComputedStyle(element)
  const read = (name: string) => style.getPropertyValue(name)
  return {
    surface: read('--c-surface'),
    edge: read('--c-strong'),
    link: read('--c-link'),
    text: read('--c-text'),
    font: style.fontFamily,
    tiles: new Map(BLOCK_CATEGORIES.map(name => [name, read(`--chakra-colors-category-${name}-muted`)])),
  }
}

/** A picture of what comes into a hurrying view, until it is drawn. */
export const PanPlaceholder = () => {
  const store = useStoreApi()
  const state = useCanvas()
  const t = useWords()
  const dark = useIsDarkMode()
  const canvas = useRef<HTMLCanvasElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other colours are read again.
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (element === null || context == null) return
    let frame = 0
    let colors: PlaceholderColors | undefined
    const paint = () => {
      frame = 0
      const now = store.getState()
      const ids = undrawnBlocks(state.drawn.get(), state.boxes(), viewOf(now))
      element.hidden = ids.size === 0
      if (ids.size === 0) return
      colors ??= colorsOf(element)
      const ratio = devicePixelRatio
      const [x, y, zoom] = now.transform
      const [wide, high] = [Math.round(now.width * ratio), Math.round(now.height * ratio)]
      if (element.width !== wide) element.width = wide
      if (element.height !== high) element.height = high
      context.setTransform(1, 0, 0, 1, 0, 0)
      context.clearRect(0, 0, wide, high)
      context.setTransform(zoom * ratio, 0, 0, zoom * ratio, x * ratio, y * ratio)
      paintPanPlaceholder(context, state, ids, zoom, colors, t)
    }
    const ask = () => {
      if (frame === 0) frame = requestAnimationFrame(paint)
    }
    let { transform } = store.getState()
    const stops = [
      store.subscribe(({ transform: now }) => {
        if (now !== transform) ask()
        transform = now
      }),
      state.drawn.subscribe(ask),
      state.flow.subscribe(() => state.motion.hurrying.get() && ask()),
    ]
    return () => {
      cancelAnimationFrame(frame)
      for (const stop of stops) stop()
    }
  }, [store, state, t, dark])
  return <canvas ref={canvas} className="pl-passing" aria-hidden hidden />
}
