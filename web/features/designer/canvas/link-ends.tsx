import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { LinkModel } from '#domain/flow/document/model.ts'
import { useStoreValue } from '../model/store.ts'
import { useCanvas } from './canvas-context.ts'
import { linkPoints } from './link-hit-test.ts'
import { type LinkEndTarget, useLinkEndDrag } from './use-link-drag.ts'
import { ViewportLayer } from './viewport-layer.tsx'

const ENDS = ['from', 'to'] as const
/** A handle as it is drawn, and what of it takes a press. Flow pixels. */
const RADIUS = { drawn: 6, pressed: 13, insert: 10 } as const

interface LinkEndsProps {
  readonly onMoved: (link: LinkModel, end: LinkEndTarget) => void
  /** Adds a block within the chosen link. */
  readonly onInsert: (() => void) | undefined
}

const Handles = ({ link, onMoved, onInsert }: LinkEndsProps & { readonly link: LinkModel }) => {
  const { t } = useTranslation('designer')
  const canvas = useCanvas()
  const group = useRef<SVGGElement>(null)
  const pullEnd = useLinkEndDrag(canvas, onMoved)
  const isPulled = useStoreValue(canvas.pull, pull => pull !== undefined)
  useLayoutEffect(() => {
    const place = () => {
      const points = linkPoints(canvas, link)
      const { x, y } = points?.insert ?? { x: 0, y: 0 }
      group.current?.querySelector('.pl-link-insert')?.setAttribute('transform', `translate(${x},${y})`)
      for (const handle of group.current?.querySelectorAll<SVGCircleElement>('[data-end]') ?? []) {
        const at = points?.[handle.dataset.end === 'from' ? 'from' : 'to']
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
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the key A does the same for the chosen link */}
          <g
            className="pl-link-insert nodrag nopan"
            onPointerDown={event => event.stopPropagation()}
            onClick={event => {
              event.stopPropagation()
              onInsert?.()
            }}
          >
            <title>{t('link.insert')}</title>
            <circle r={RADIUS.insert} />
            <path d="M-4,0H4M0,-4V4" />
          </g>
        </g>
      </svg>
    </ViewportLayer>
  )
}

/** On the one chosen link: its ends, to be dragged to another block, and a button that inserts a block. */
export const LinkEnds = ({ onMoved, onInsert }: LinkEndsProps) => {
  const canvas = useCanvas()
  const { blocks, links } = useStoreValue(canvas.selection)
  const [id, more] = [...links]
  const link = useStoreValue(canvas.flow, flow => (id === undefined ? undefined : flow.links.get(id)))
  if (link === undefined || more !== undefined || blocks.size > 0) return null
  return <Handles key={link.id} link={link} onMoved={onMoved} onInsert={onInsert} />
}
