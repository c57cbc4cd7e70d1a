import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import type { BlockSize, Box } from '../model/geometry.ts'

/** Of what cannot be seen whole at its own size. */
const ZOOM = 0.74
const MARGIN = 60
/** Blocks that are closer are seen together. Flow pixels. */
const NEAR = 900
/** Space of overlays on the canvas: panels left and right, bars above and below. CSS pixels. */
const TAKEN = { width: 540, height: 200 }

interface Window {
  readonly width: number
  readonly height: number
}

/** The largest group of linked blocks; without links every block is its own group. */
const largestGroup = ({ nodes, links }: FlowModel): readonly NodeModel[] => {
  const neighbours = new Map<string, string[]>([...nodes.keys()].map(id => [id, []]))
  for (const { from, to } of links.values()) {
    neighbours.get(from)?.push(to)
    neighbours.get(to)?.push(from)
  }
  let largest: readonly NodeModel[] = []
  const seen = new Set<string>()
  for (const id of nodes.keys()) {
    if (seen.has(id)) continue
    seen.add(id)
    const group = [id]
    // `group` grows while it is walked.
    for (const member of group) {
      for (const other of neighbours.get(member) ?? []) {
        if (seen.has(other) || !nodes.has(other)) continue
        seen.add(other)
        group.push(other)
      }
    }
    if (group.length > largest.length) largest = group.flatMap(member => nodes.get(member) ?? [])
  }
  return largest
}

/** Unlinked blocks with another one in reach, if any. */
const crowded = (nodes: readonly NodeModel[]): readonly NodeModel[] => {
  const near = nodes.filter(node =>
    nodes.some(other => other !== node && Math.abs(other.x - node.x) < NEAR && Math.abs(other.y - node.y) < NEAR),
  )
  return near.length > 0 ? near : nodes
}

/** The start; without one the first block of the largest linked part that no link leads to, never a lone outlier. */
const first = (flow: FlowModel): NodeModel | undefined => {
  const nodes = [...flow.nodes.values()]
  const start = nodes.find(node => node.type === 'start')
  if (start !== undefined) return start
  const group = largestGroup(flow)
  const entered = new Set([...flow.links.values()].map(({ to }) => to))
  const entries = group.filter(({ id }) => !entered.has(id))
  const among = group.length < 2 ? crowded(nodes) : entries.length > 0 ? entries : group
  return [...among].sort((a, b) => a.y - b.y || a.x - b.x)[0]
}

const spread = (values: readonly number[]) => Math.max(...values) - Math.min(...values)

const fits = ({ nodes }: FlowModel, { width, height }: Window, size: BlockSize): boolean => {
  const all = [...nodes.values()]
  const wide = spread(all.map(({ x }) => x)) + size.width
  const high = spread(all.map(({ y }) => y)) + size.height
  return wide + 2 * MARGIN <= width - TAKEN.width && high + 2 * MARGIN <= height - TAKEN.height
}

/**
 * Initial viewport: a small flow whole at its own size, any other at its start, near the top, large enough to read. If
 * the window, in CSS pixels, has no room for blocks left of the start, the start is centered.
 */
export const openingViewport = (flow: FlowModel, window: Window, size: BlockSize) => {
  const node = first(flow)
  if (node === undefined) return { x: 0, y: 0, zoom: 1 }
  if (fits(flow, window, size)) {
    const all = [...flow.nodes.values()]
    return {
      x: MARGIN - Math.min(...all.map(({ x }) => x)),
      y: MARGIN - Math.min(...all.map(({ y }) => y)),
      zoom: 1,
    }
  }
  const left = Math.min(...[...flow.nodes.values()].filter(({ y }) => Math.abs(y - node.y) < NEAR).map(({ x }) => x))
  const x = Math.max(left, node.x - 2 * size.width)
  const block = size.width * ZOOM
  const start = Math.min(MARGIN + (node.x - x) * ZOOM, Math.max(MARGIN, (window.width - block) / 2))
  return { x: start - node.x * ZOOM, y: MARGIN - node.y * ZOOM, zoom: ZOOM }
}

/** Whether a part of a box, in flow pixels, is seen in a window. */
export const isInView = (box: Box, { x, y, zoom }: { x: number; y: number; zoom: number }, window: Window): boolean =>
  x + (box.x + box.width) * zoom > 0 &&
  x + box.x * zoom < window.width &&
  y + (box.y + box.height) * zoom > 0 &&
  y + box.y * zoom < window.height
