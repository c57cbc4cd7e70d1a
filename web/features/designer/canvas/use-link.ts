import { type RefObject, useLayoutEffect, useRef } from 'react'
import { type LinkShape, linkShape } from '../model/geometry.ts'
import { useStoreValue } from '../model/store.ts'
import { useCanvas } from './canvas-context.ts'
import type { PlannedLink } from './link-plan.ts'
import type { Positions } from './positions.ts'

/** How a link runs where its blocks are drawn now. */
export const shapeNow = ({ link, offset, targetWidth, height }: PlannedLink, positions: Positions): LinkShape => {
  const from = positions.get(link.from)
  const to = positions.get(link.to)
  return linkShape({ x: from.x + offset, y: from.y + height }, { x: to.x, y: to.y, width: targetWidth, height })
}

/** What a link looks like beside others; undefined where a tag stands for it. */
export const useLinkLook = ({ link, jump, color }: PlannedLink) => {
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
  if (tagged && !lit && !selected && !traced) return undefined
  return {
    'data-selected': selected || undefined,
    'data-lit': lit || traced || undefined,
    'data-parted': parted || undefined,
    'data-faded': faded || undefined,
    'data-diff': diff,
    ...(color === undefined ? {} : { style: { '--c-link': color } as React.CSSProperties }),
  }
}

/** The element that something of a link is drawn with: anew as its blocks are carried about, without being rendered. */
export const useFollowed = <E extends Element>(
  planned: PlannedLink,
  shown: boolean,
  draw: (element: E, shape: LinkShape, planned: PlannedLink) => void,
): RefObject<E | null> => {
  const { positions } = useCanvas()
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    const drawn = element.current
    if (!shown || drawn === null) return
    const redraw = () => draw(drawn, shapeNow(planned, positions), planned)
    redraw()
    return positions.watch([planned.link.from, planned.link.to], redraw)
  }, [positions, planned, shown, draw])
  return element
}
