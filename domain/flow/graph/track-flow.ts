import { blockOf } from '#schemas/blocks/registry.ts'
import type { FlowModel, NodeModel } from '../document/model.ts'
import { openOutputs } from './open-outputs.ts'

/** The ways of a flow as they are seen from one of its blocks; ids of blocks throughout. */
interface FlowTrack {
  /** The shortest way from the start to the block, both included; empty where none leads to it. */
  readonly way: readonly string[]
  /** All that lead to the block. */
  readonly before: ReadonlySet<string>
  /** All that are reached from it. */
  readonly after: ReadonlySet<string>
  /** Blocks on these ways that lead around to themselves, a group for each knot of loops. */
  readonly loops: readonly (readonly string[])[]
  /** The block and those after it with an output that leads nowhere. */
  readonly deadEnds: readonly string[]
}

type Edges = ReadonlyMap<string, readonly string[]>

/** Targets of a jump: its links lack them. */
const landings = (node: NodeModel): readonly string[] =>
  Object.entries(blockOf(node.type)?.fields ?? {}).flatMap(([name, field]) => {
    const value = node.properties[name]
    return field.kind === 'reference' && field.to === 'block' && typeof value === 'string' ? [value] : []
  })

const edgesOf = (flow: FlowModel): readonly (readonly [from: string, to: string])[] => [
  ...[...flow.links.values()].map(({ from, to }) => [from, to] as const),
  ...[...flow.nodes.values()].flatMap(node =>
    landings(node).flatMap(to => (flow.nodes.has(to) ? [[node.id, to] as const] : [])),
  ),
]

const grouped = (edges: ReturnType<typeof edgesOf>, key: 0 | 1): Edges =>
  new Map([...Map.groupBy(edges, edge => edge[key])].map(([id, own]) => [id, own.map(edge => edge[1 - key] ?? id)]))

const reach = (edges: Edges, from: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const open = [...(edges.get(from) ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(edges.get(id) ?? []))
  }
  return seen
}

const shortestWay = (flow: FlowModel, edges: Edges, block: string): readonly string[] => {
  const starts = [...flow.nodes.values()].filter(({ type }) => type === 'start').map(({ id }) => id)
  const cameFrom = new Map<string, string | undefined>(starts.map(id => [id, undefined]))
  const open = [...starts]
  for (const id of open) {
    if (id === block) break
    for (const to of edges.get(id) ?? []) {
      if (cameFrom.has(to)) continue
      cameFrom.set(to, id)
      open.push(to)
    }
  }
  if (!cameFrom.has(block)) return []
  const way = [block]
  for (let id = cameFrom.get(block); id !== undefined; id = cameFrom.get(id)) way.unshift(id)
  return way
}

/** Blocks in the order in which a walk along the links is done with them. */
const walkedOrder = (blocks: ReadonlySet<string>, edges: Edges): readonly string[] => {
  const order: string[] = []
  const seen = new Set<string>()
  for (const first of blocks) {
    const open: (readonly [id: string, done: boolean])[] = [[first, false]]
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const [id, done] = step
      if (done) order.push(id)
      if (done || seen.has(id) || !blocks.has(id)) continue
      seen.add(id)
      open.push([id, true], ...(edges.get(id) ?? []).map(to => [to, false] as const))
    }
  }
  return order
}

/** Groups of these blocks that all reach one another (S. R. Kosaraju's two walks, there and back). */
const loopsAmong = (blocks: ReadonlySet<string>, onward: Edges, back: Edges): readonly (readonly string[])[] => {
  const told = new Set<string>()
  const loops: string[][] = []
  const order = walkedOrder(blocks, onward).toReversed()
  const rank = new Map(order.map((id, index) => [id, index]))
  for (const first of order) {
    const knot: string[] = []
    const open = [first]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (told.has(id) || !blocks.has(id)) continue
      told.add(id)
      knot.push(id)
      open.push(...(back.get(id) ?? []))
    }
    if (knot.length > 1 || onward.get(first)?.includes(first)) {
      loops.push(knot.sort((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)))
    }
  }
  return loops
}

/** Paths from the start to a block, and onward from it; jumps count as links. */
export const trackFlow = (flow: FlowModel, block: string): FlowTrack => {
  const edges = edgesOf(flow)
  const onward = grouped(edges, 0)
  const back = grouped(edges, 1)
  const before = reach(back, block)
  const after = reach(onward, block)
  const ends = new Set([...flow.links.values()].map(({ from, fromConnector }) => `${from}\n${fromConnector}`))
  const isOpen = (id: string) => {
    const node = flow.nodes.get(id)
    return node !== undefined && openOutputs(node, output => ends.has(`${id}\n${output}`)).length > 0
  }
  return {
    way: shortestWay(flow, onward, block),
    before,
    after,
    loops: loopsAmong(new Set([...before, block, ...after]), onward, back),
    deadEnds: [...new Set([block, ...after])].filter(isOpen),
  }
}
