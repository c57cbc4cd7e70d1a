import type { FlowModel, NodeModel } from '#domain/flow/model.ts'
import { SIZE } from './geometry.ts'

const ZOOM = 0.74
const MARGIN = 60

const first = (flow: FlowModel): NodeModel | undefined => {
  const nodes = [...flow.nodes.values()]
  const start = nodes.find(node => node.type === 'start')
  return start ?? nodes.sort((a, b) => a.y - b.y || a.x - b.x)[0]
}

/**
 * Where a flow opens: at its start, near the top, large enough to read. Where `width`, in CSS pixels, has no room for
 * what lies left of the start, the start is in the middle.
 */
export const openingViewport = (flow: FlowModel, width: number) => {
  const node = first(flow)
  if (node === undefined) return { x: 0, y: 0, zoom: 1 }
  const left = Math.min(...[...flow.nodes.values()].filter(({ y }) => Math.abs(y - node.y) < 900).map(({ x }) => x))
  const x = Math.max(left, node.x - 2 * SIZE.block)
  const block = SIZE.block * ZOOM
  const start = Math.min(MARGIN + (node.x - x) * ZOOM, Math.max(MARGIN, (width - block) / 2))
  return { x: start - node.x * ZOOM, y: MARGIN - node.y * ZOOM, zoom: ZOOM }
}
