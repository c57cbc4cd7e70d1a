import { useStore } from '@xyflow/react'
import { memo, useCallback, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlockSize, useCanvas } from '../canvas/canvas-context.ts'
import { PulledLink } from '../canvas/pull-layer.tsx'
import { ViewportLayer } from '../canvas/viewport-layer.tsx'
import { boxOf } from '../model/look.ts'
import type { Peer, PeerDrag, Peers } from '../room/peers.ts'
import { useStoreValue } from '../store.ts'
import { colorOf, personStyle } from './color.ts'

const firstName = (name: string) => name.trim().split(/\s+/u)[0] ?? ''

interface RingProps {
  readonly block: string
  readonly peers: readonly Peer[]
  readonly drag: PeerDrag | undefined
  /** How many blocks the same person moves, told on the first of them alone. */
  readonly moving: number
}

const useAt = (block: string) => {
  const { positions } = useCanvas()
  const subscribe = useCallback((listener: () => void) => positions.watch([block], listener), [positions, block])
  return useSyncExternalStore(subscribe, () => positions.get(block))
}

const Ring = memo(({ block, peers, drag, moving }: RingProps) => {
  const { flow } = useCanvas()
  const size = useBlockSize()
  const { t } = useTranslation('designer')
  const node = useStoreValue(flow, model => model.nodes.get(block))
  const at = useAt(block)
  const [first] = peers
  if (node === undefined || first === undefined) return null
  const box = boxOf(node, size)
  const names = peers.map(peer => firstName(peer.name)).join(', ')
  return (
    <>
      {drag === undefined ? null : (
        <span
          className="pl-peer-ghost"
          style={{
            transform: `translate(${box.x}px, ${box.y}px)`,
            width: box.width,
            height: box.height,
            ...personStyle(first.color),
          }}
        />
      )}
      <span
        className="pl-ring"
        data-viewer={first.viewer || undefined}
        data-carried={drag !== undefined || undefined}
        style={{
          transform: `translate(${at.x}px, ${at.y}px)`,
          width: box.width,
          height: box.height,
          ...personStyle(first.color),
        }}
      >
        {drag !== undefined && moving === 0 ? null : (
          <b>{drag === undefined ? names : t('people.moving', { name: names, count: moving })}</b>
        )}
      </span>
    </>
  )
})

/** Other people's selections as rings with their name, what they drag with its ghost, and the links they pull. */
export const PeerLayer = ({ peers }: { readonly peers: Peers }) => {
  const selections = useStoreValue(peers.selections)
  const drags = useStoreValue(peers.drags)
  const links = useStoreValue(peers.links)
  const zoom = useStore(state => Math.round(state.transform[2] * 20) / 20)
  const counts = new Map<number, number>()
  for (const { peer } of drags.values()) counts.set(peer.client, (counts.get(peer.client) ?? 0) + 1)
  const told = new Set<number>()
  const moving = (drag: PeerDrag | undefined): number => {
    if (drag === undefined || told.has(drag.peer.client)) return 0
    told.add(drag.peer.client)
    return counts.get(drag.peer.client) ?? 0
  }
  const blocks = new Set([...selections.keys(), ...drags.keys()])
  return (
    <ViewportLayer>
      <div className="pl-people" style={{ '--screen': 1 / Math.max(zoom, 0.05) } as React.CSSProperties} aria-hidden>
        {[...blocks].map(block => {
          const drag = drags.get(block)
          const who = drag === undefined ? (selections.get(block) ?? []) : [drag.peer]
          return <Ring key={block} block={block} peers={who} drag={drag} moving={moving(drag)} />
        })}
        <svg className="pl-overlay" aria-hidden>
          {links.map(link => (
            <PulledLink
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
