import { type CanvasState, NOTHING } from '../canvas/canvas-context.ts'
import type { Positions } from '../canvas/positions.ts'
import type { Peers } from './room/peers.ts'
import type { Presence } from './room/presence.ts'

/** Blocks that others drag move on this canvas too, while they are dragged. */
export const shareDrags = (peers: Peers, positions: Positions): (() => void) => {
  let dragging = new Set<string>()
  return peers.drags.subscribe(() => {
    const offsets = Map.groupBy(peers.drags.get(), ([, drag]) => `peer ${drag.peer.client}`)
    for (const [owner, drags] of offsets) {
      positions.lift(owner, new Map(drags.map(([id, { dx, dy }]) => [id, { x: dx, y: dy }])))
    }
    for (const owner of dragging) if (!offsets.has(owner)) positions.drop(owner)
    dragging = new Set(offsets.keys())
  })
}

/** Tells the others what is selected here, and forgets selected things that went away. */
export const showSelection = (presence: Presence, canvas: CanvasState): (() => void) => {
  const tell = () => {
    const { blocks } = canvas.selection.get()
    presence.show({ selection: blocks.size === 0 ? undefined : [...blocks].slice(0, 200) })
  }
  const prune = () => {
    const { nodes, links } = canvas.flow.get()
    const selection = canvas.selection.get()
    const blocks = new Set([...selection.blocks].filter(id => nodes.has(id)))
    const kept = new Set([...selection.links].filter(id => links.has(id)))
    if (blocks.size === selection.blocks.size && kept.size === selection.links.size) return
    canvas.selection.set(blocks.size + kept.size === 0 ? NOTHING : { blocks, links: kept })
  }
  const stops = [canvas.selection.subscribe(tell), canvas.flow.subscribe(prune)]
  return () => {
    for (const stop of stops) stop()
  }
}
