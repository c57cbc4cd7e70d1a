import type { ElkNode } from 'elkjs/lib/elk-api.js'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { boxOf } from './block-appearance.ts'
import { bounds, COMFORTABLE, type Point, portOffset, SIZE } from './geometry.ts'
import { readingOrder } from './reading-order.ts'

/** Room between blocks of a row, between rows, and between sections. Flow pixels. */
const GAP = { across: 40, down: 48, sections: 80 } as const

const SECTION = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.spacing.nodeNode': String(GAP.across),
  'elk.layered.spacing.nodeNodeBetweenLayers': String(GAP.down),
  'elk.layered.considerModelOrder.strategy': 'PREFER_NODES',
  // A third of the time, for drawings that differ little. The canvas draws the links itself.
  'elk.layered.thoroughness': '1',
  'elk.layered.crossingMinimization.greedySwitch.type': 'OFF',
  'elk.edgeRouting': 'POLYLINE',
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
}
const FLOW = {
  'elk.algorithm': 'rectpacking',
  'elk.aspectRatio': '1.8',
  'elk.spacing.nodeNode': String(GAP.sections),
  'elk.padding': '[top=0,left=0,bottom=0,right=0]',
}

const portId = (block: string, connector: string) => `${block}\n${connector}`
const inputId = (block: string) => `${block}\n`

const blockNode = (node: NodeModel): ElkNode => {
  const { width, height } = boxOf(node, COMFORTABLE)
  const at = (id: string, x: number, y: number, side: string) => ({
    id,
    x,
    y,
    width: 0,
    height: 0,
    layoutOptions: { 'elk.port.side': side },
  })
  const outputs = node.outputs.map(({ id }, index) =>
    at(portId(node.id, id), portOffset(index, node.outputs.length, COMFORTABLE), height, 'SOUTH'),
  )
  return {
    id: node.id,
    width,
    height,
    layoutOptions: { 'elk.portConstraints': 'FIXED_POS' },
    ports: [at(inputId(node.id), width / 2, 0, 'NORTH'), ...outputs],
  }
}

/**
 * Larger sections are laid out in parts: one drawing becomes unreadable, and layer cost grows faster than block count.
 */
const MAX_SECTION_BLOCKS = 60

const fromAbove = (a: NodeModel, b: NodeModel) => a.y - b.y || a.x - b.x

/** The part that each block is laid out in: its section, or as much of it as is read in one go. */
const partsOf = (flow: FlowModel, ids: ReadonlySet<string>): ReadonlyMap<string, string> => {
  const sections = sectionsOf(flow)
  const sizes = new Map<string, number>()
  const parts = new Map<string, string>()
  for (const id of readingOrder(flow)) {
    if (!ids.has(id)) continue
    const section = sections.get(id)?.id ?? ''
    const before = sizes.get(section) ?? 0
    sizes.set(section, before + 1)
    parts.set(id, `${Math.floor(before / MAX_SECTION_BLOCKS)}\n${section}`)
  }
  return parts
}

/**
 * ELK input: every section, from its marker down, in its own layers; sections packed side by side in their present
 * order, the start's section first. Omits links between sections; they appear as jump tags.
 */
export const layoutGraph = (flow: FlowModel, ids: ReadonlySet<string>): ElkNode => {
  const parts = partsOf(flow, ids)
  const nodes = [...flow.nodes.values()].filter(({ id }) => ids.has(id)).sort(fromAbove)
  // A flow is read from where it begins, wherever that was drawn.
  const [begun] = nodes.filter(({ type }) => type === 'start').map(({ id }) => parts.get(id))
  const byPart = [...Map.groupBy(nodes, ({ id }) => parts.get(id) ?? '')].sort(
    ([a], [b]) => Number(b === begun) - Number(a === begun),
  )
  const edges = Map.groupBy(
    [...flow.links.values()].filter(({ from, to }) => from !== to && parts.get(from) === parts.get(to)),
    ({ from }) => parts.get(from),
  )
  return {
    id: 'flow',
    layoutOptions: FLOW,
    children: byPart.map(([part, blocks]) => ({
      id: `part\n${part}`,
      layoutOptions: SECTION,
      children: blocks.map(blockNode),
      edges: (edges.get(part) ?? []).map(link => ({
        id: link.id,
        sources: [portId(link.from, link.fromConnector)],
        targets: [inputId(link.to)],
      })),
    })),
  }
}

const onGrid = (value: number) => Math.round(value / SIZE.grid) * SIZE.grid

/** Block positions after the layout, on the grid, from the previous upper left corner; only of moved blocks. */
export const layoutPositions = (graph: ElkNode, flow: FlowModel): ReadonlyMap<string, Point> => {
  const found = (graph.children ?? []).flatMap(section =>
    (section.children ?? []).map(({ id, x = 0, y = 0 }) => ({
      id,
      x: x + (section.x ?? 0),
      y: y + (section.y ?? 0),
    })),
  )
  const before = bounds(found.flatMap(({ id }) => flow.nodes.get(id) ?? []).map(node => boxOf(node, COMFORTABLE)))
  return new Map(
    found.flatMap(({ id, x, y }): [string, Point][] => {
      const node = flow.nodes.get(id)
      const place = { x: onGrid((before?.x ?? 0) + x), y: onGrid((before?.y ?? 0) + y) }
      return node === undefined || (node.x === place.x && node.y === place.y) ? [] : [[id, place]]
    }),
  )
}
