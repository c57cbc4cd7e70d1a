import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type Box, gutterShape, type LinkShape, linkShape } from '../model/geometry.ts'
import { useStoreValue } from '../model/store.ts'
import { useCanvas } from './canvas-context.ts'
import type { PlannedLink } from './link-plan.ts'
import type { Positions } from './positions.ts'

/** The blocks that a link keeps clear of. */
type Around = () => ReadonlyMap<string, Box>

/** Route of a link between its blocks' current places; an upward one avoids `around`, if given. */
export const currentLinkShape = (
  { link, offset, targetWidth, height }: PlannedLink,
  positions: Positions,
  around?: Around,
): LinkShape => {
  const from = positions.get(link.from)
  const to = positions.get(link.to)
  const port = { x: from.x + offset, y: from.y + height }
  const target = { x: to.x, y: to.y, width: targetWidth, height }
  return around !== undefined && target.y < port.y
    ? gutterShape(port, target, around().values())
    : linkShape(port, target)
}

/** Appearance of a link; undefined if a tag replaces it. */
export const useLinkAppearance = ({ link, jump, color }: PlannedLink) => {
  const canvas = useCanvas()
  const selected = useStoreValue(canvas.selection, selection => selection.links.has(link.id))
  const lit = useStoreValue(canvas.selection, ({ blocks }) => blocks.has(link.from) || blocks.has(link.to))
  const faded = useStoreValue(
    canvas.bright,
    bright => bright !== undefined && !(bright.has(link.from) && bright.has(link.to)),
  )
  const diff = useStoreValue(canvas.linkDecorations, decorations => decorations.get(link.id))
  const parted = useStoreValue(canvas.parted, id => id === link.id)
  const tagged = useStoreValue(canvas.jumpTags) && jump
  const traced = useStoreValue(canvas.traced, id => id === link.id)
  const mark = useStoreValue(canvas.linkMarks, marks => marks.get(link.id))
  const isWalked = mark !== undefined && mark.kind !== 'people'
  if (tagged && !lit && !selected && !traced && !isWalked) return undefined
  return {
    'data-selected': selected || undefined,
    'data-lit': lit || traced || undefined,
    'data-parted': parted || undefined,
    'data-faded': faded || undefined,
    'data-diff': diff,
    'data-mark': mark?.kind,
    ...(color === undefined && mark?.width === undefined
      ? {}
      : { style: { '--c-link': color, '--mark-width': mark?.width } as React.CSSProperties }),
  }
}

/** Boxes a link avoids: a path taken by a conversation never runs behind a block. */
export const useLinkObstacles = (look: ReturnType<typeof useLinkAppearance>): Around | undefined => {
  const { boxes } = useCanvas()
  const mark = look?.['data-mark']
  return mark === 'walked' || mark === 'later' ? boxes : undefined
}

/** The element of a link, redrawn as its blocks are dragged, without a React render. */
export const useLinkElement = <E extends Element>(
  planned: PlannedLink,
  shown: boolean,
  draw: (element: E, shape: LinkShape, planned: PlannedLink) => void,
  around?: Around,
): RefObject<E | null> => {
  const { positions } = useCanvas()
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    const drawn = element.current
    if (!shown || drawn === null) return
    const redraw = () => draw(drawn, currentLinkShape(planned, positions, around), planned)
    redraw()
    return positions.watch([planned.link.from, planned.link.to], redraw)
  }, [positions, planned, shown, draw, around])
  return element
}
