import { useLayoutEffect, useRef } from 'react'
import type { LinkModel } from '#domain/flow/document/model.ts'
import { useStoreValue } from '../model/store.ts'
import { useCanvas } from './canvas-context.ts'
import { linkEnds } from './link-hit-test.ts'
import { type LinkEndTarget, useLinkEndDrag } from './use-link-drag.ts'
import { ViewportLayer } from './viewport-layer.tsx'

const ENDS = ['from', 'to'] as const
/** A handle as it is drawn, and what of it takes a press. Flow pixels. */
const RADIUS = { drawn: 6, pressed: 13 } as const

interface LinkEndsProps {
  readonly onMoved: (link: LinkModel, end: LinkEndTarget) => void
}

const Handles = ({ link, onMoved }: LinkEndsProps & { readonly link: LinkModel }) => {
  const canvas = useCanvas()
  const group = useRef<SVGGElement>(null)
  const pullEnd = useLinkEndDrag(canvas, onMoved)
  const isPulled = useStoreValue(canvas.pull, pull => pull !== undefined)
  useLayoutEffect(() => {
    const place = () => {
      const ends = linkEnds(canvas, link)
      for (const handle of group.current?.querySelectorAll<SVGCircleElement>('[data-end]') ?? []) {
        const at = ends?.[handle.dataset.end === 'from' ? 'from' : 'to']
        handle.setAttribute('cx', String(at?.x ?? 0))
        handle.setAttribute('cy', String(at?.y ?? 0))
      }
    }
    place()
    return canvas.positions.watch([link.from, link.to], place)
  }, [canvas, link])
  return (
    <ViewportLayer>
      <svg className="pl-overlay" aria-hidden style={isPulled ? { visibility: 'hidden' } : undefined}>
        <g ref={group}>
          {ENDS.map(end => (
            <g key={end} onPointerDown={event => pullEnd(event, link, end)}>
              <circle className="pl-link-end-room nodrag nopan" data-end={end} r={RADIUS.pressed} />
              <circle className="pl-link-end nodrag nopan" data-end={end} r={RADIUS.drawn} />
            </g>
          ))}
        </g>
      </svg>
    </ViewportLayer>
  )
}

/** The ends of the one chosen link, to be dragged to another block. */
export const LinkEnds = ({ onMoved }: LinkEndsProps) => {
  const canvas = useCanvas()
  const { blocks, links } = useStoreValue(canvas.selection)
  const [id, more] = [...links]
  const link = useStoreValue(canvas.flow, flow => (id === undefined ? undefined : flow.links.get(id)))
  if (link === undefined || more !== undefined || blocks.size > 0) return null
  return <Handles key={link.id} link={link} onMoved={onMoved} />
}
