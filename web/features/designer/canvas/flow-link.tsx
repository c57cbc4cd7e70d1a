import { memo, useCallback, useRef, useSyncExternalStore } from 'react'
import { useStoreValue } from '../store.ts'
import { useCanvas } from './canvas-context.ts'
import { linkShape, SIZE } from './geometry.ts'
import type { PlannedLink } from './link-plan.ts'

/** Draws again only when one of its two blocks moves. */
const useEnds = (from: string, to: string) => {
  const { positions } = useCanvas()
  const held = useRef({ ax: 0, ay: 0, bx: 0, by: 0 })
  const subscribe = useCallback((listener: () => void) => positions.watch([from, to], listener), [positions, from, to])
  return useSyncExternalStore(subscribe, () => {
    const a = positions.get(from)
    const b = positions.get(to)
    const now = held.current
    if (now.ax !== a.x || now.ay !== a.y || now.bx !== b.x || now.by !== b.y) {
      held.current = { ax: a.x, ay: a.y, bx: b.x, by: b.y }
    }
    return held.current
  })
}

interface LinkProps {
  readonly planned: PlannedLink
}

const ARROW = 'M-7,-4.5L0,0L-7,4.5'
const TURN = { top: 90, left: 0, right: 180 } as const

export const FlowLink = memo(({ planned }: LinkProps) => {
  const canvas = useCanvas()
  const { link } = planned
  const ends = useEnds(link.from, link.to)
  const selected = useStoreValue(canvas.selection, selection => selection.links.has(link.id))
  const lit = useStoreValue(canvas.selection, ({ blocks }) => blocks.has(link.from) || blocks.has(link.to))
  const faded = useStoreValue(
    canvas.bright,
    bright => bright !== undefined && !(bright.has(link.from) && bright.has(link.to)),
  )
  const diff = useStoreValue(canvas.linkDecorations, decorations => decorations.get(link.id))
  const tagged = useStoreValue(canvas.jumpTags) && planned.jump
  const traced = useStoreValue(canvas.traced, id => id === link.id)
  if (tagged && !lit && !selected && !traced) return null
  const shape = linkShape(
    { x: ends.ax + planned.offset, y: ends.ay + SIZE.height },
    { x: ends.bx, y: ends.by, width: planned.targetWidth, height: SIZE.height },
  )
  const labelled = planned.label !== '' && shape.length >= SIZE.label
  return (
    <g
      className="pl-link"
      data-link={link.id}
      data-selected={selected || undefined}
      data-lit={lit || traced || undefined}
      data-faded={faded || undefined}
      data-diff={diff}
      {...(planned.color === undefined ? {} : { style: { '--c-link': planned.color } as React.CSSProperties })}
    >
      <path className="pl-hit" d={shape.path} />
      <path className="pl-stroke" d={shape.path} />
      {shape.arrow ? (
        <path
          className="pl-stroke"
          d={ARROW}
          transform={`translate(${shape.end.x},${shape.end.y}) rotate(${TURN[shape.side]})`}
        />
      ) : null}
      {labelled ? <LinkLabel text={planned.label} x={shape.middle.x} y={shape.middle.y} /> : null}
    </g>
  )
})

const CHARACTER = 6.4
const LONGEST = 26

/** A pill of the size its words take, without measuring: measuring a thousand would stop the page. */
const LinkLabel = ({ text, x, y }: { readonly text: string; readonly x: number; readonly y: number }) => {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
  const width = [...cut].length * CHARACTER + 18
  return (
    <g className="pl-label" transform={`translate(${x},${y})`}>
      <rect x={-width / 2} y={-10} width={width} height={20} rx={10} />
      <text dy={4} textAnchor="middle">
        {cut}
      </text>
      {cut === text ? null : <title>{text}</title>}
    </g>
  )
}
