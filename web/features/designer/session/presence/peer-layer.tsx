import { useStore } from '@xyflow/react'
import { memo, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlockSize, useCanvas } from '../../canvas/canvas-context.ts'
import { DraggedLink } from '../../canvas/link-drag-layer.tsx'
import { ViewportLayer } from '../../canvas/viewport-layer.tsx'
import { boxOf, type Peer } from '../../model/block-appearance.ts'
import type { Point } from '../../model/geometry.ts'
import { useStoreValue } from '../../model/store.ts'
import type { Peers } from '../room/peers.ts'
import { colorOf, personStyle } from './avatars.tsx'

const firstName = (name: string) => name.trim().split(/\s+/u)[0] ?? ''

interface RingProps {
  readonly block: string
  readonly peers: readonly Peer[]
  readonly carried: boolean
  /** Number of blocks the same person moves, shown on the first one only. */
  readonly moving: number
}

const translated = ({ x, y }: Point) => `translate(${x}px, ${y}px)`

const Ring = memo(({ block, peers, carried, moving }: RingProps) => {
  const { flow, positions } = useCanvas()
  const size = useBlockSize()
  const { t } = useTranslation('designer')
  const node = useStoreValue(flow, model => model.nodes.get(block))
  const ring = useRef<HTMLSpanElement>(null)
  const [first] = peers
  const isShown = node !== undefined && first !== undefined
  // Carried thirty times a second: it is moved, not rendered.
  useLayoutEffect(() => {
    const move = () => {
      if (ring.current !== null) ring.current.style.transform = translated(positions.get(block))
    }
    if (isShown) move()
    return positions.watch([block], move)
  }, [positions, block, isShown])
  if (!isShown) return null
  const { x, y, width, height } = boxOf(node, size)
  const names = peers.map(peer => firstName(peer.name)).join(', ')
  const style = { width, height, ...personStyle(first.color) }
  return (
    <>
      {carried ? <span className="pl-peer-ghost" style={{ ...style, transform: translated({ x, y }) }} /> : null}
      <span
        ref={ring}
        className="pl-ring"
        data-viewer={first.viewer || undefined}
        data-carried={carried || undefined}
        style={style}
      >
        {carried && moving === 0 ? null : <b>{carried ? t('people.moving', { name: names, count: moving }) : names}</b>}
      </span>
    </>
  )
})

/** Other people's selections as rings with their name, what they drag with its ghost, and the links they pull. */
export const PeerLayer = ({ peers }: { readonly peers: Peers }) => {
  const selections = useStoreValue(peers.selections)
  const carriers = useStoreValue(peers.carriers)
  const links = useStoreValue(peers.links)
  const zoom = useStore(state => Math.round(state.transform[2] * 20) / 20)
  const counts = new Map<Peer, number>()
  for (const peer of carriers.values()) counts.set(peer, (counts.get(peer) ?? 0) + 1)
  const told = new Set<Peer>()
  const moving = (carrier: Peer | undefined): number => {
    if (carrier === undefined || told.has(carrier)) return 0
    told.add(carrier)
    return counts.get(carrier) ?? 0
  }
  const blocks = new Set([...selections.keys(), ...carriers.keys()])
  return (
    <ViewportLayer>
      <div className="pl-people" style={{ '--screen': 1 / Math.max(zoom, 0.05) } as React.CSSProperties} aria-hidden>
        {[...blocks].map(block => {
          const carrier = carriers.get(block)
          const who = carrier === undefined ? (selections.get(block) ?? []) : [carrier]
          return <Ring key={block} block={block} peers={who} carried={carrier !== undefined} moving={moving(carrier)} />
        })}
        <svg className="pl-overlay" aria-hidden>
          {links.map(link => (
            <DraggedLink
              key={link.peer.client}
              from={link.from}
              connector={link.fromConnector}
              to={link}
              color={colorOf(link.peer.color)}
            />
          ))}
        </svg>
      </div>
    </ViewportLayer>
  )
}
