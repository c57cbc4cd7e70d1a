import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { isOtherwise, plainTitle, type Translate, wayWords } from './label.ts'

export type Step = 'down' | 'up' | 'left' | 'right' | 'home'

const outgoing = new WeakMap<FlowModel, ReadonlyMap<string, readonly LinkModel[]>>()

/** Links by the block they leave, grouped once for a flow. */
export const linksFrom = (flow: FlowModel, id: string): readonly LinkModel[] => {
  const known = outgoing.get(flow) ?? Map.groupBy(flow.links.values(), link => link.from)
  outgoing.set(flow, known)
  return known.get(id) ?? []
}

const byPort = (node: NodeModel, flow: FlowModel) => {
  const order = new Map(node.outputs.map((output, index) => [output.id, index]))
  return [...linksFrom(flow, node.id)].sort(
    (a, b) => (order.get(a.fromConnector) ?? 99) - (order.get(b.fromConnector) ?? 99),
  )
}

const sourcesOf = (node: NodeModel, flow: FlowModel): readonly NodeModel[] =>
  [...flow.links.values()]
    .filter(link => link.to === node.id)
    .flatMap(link => flow.nodes.get(link.from) ?? [])
    .sort((a, b) => Math.abs(a.y - node.y) - Math.abs(b.y - node.y))

/** Blocks in the order a person reads a flow: from the start along the links, then what nothing leads to. */
export const readingOrder = (flow: FlowModel): readonly string[] => {
  const nodes = [...flow.nodes.values()].sort((a, b) => a.y - b.y || a.x - b.x)
  const begin = [...nodes.filter(node => node.type === 'start'), ...nodes]
  const seen = new Set<string>()
  for (const first of begin) {
    const open = [first.id]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const node = flow.nodes.get(id)
      if (node === undefined || seen.has(id)) continue
      seen.add(id)
      for (const link of byPort(node, flow).reverse()) if (!seen.has(link.to)) open.push(link.to)
    }
  }
  return [...seen]
}

const sibling = (node: NodeModel, flow: FlowModel, step: 1 | -1): string | undefined => {
  const [source] = sourcesOf(node, flow)
  if (source === undefined) return undefined
  const targets = [...new Set(byPort(source, flow).map(link => link.to))]
  return targets[(targets.indexOf(node.id) + step + targets.length) % targets.length]
}

/** Arrow-key target: down the first output, up to the source, sideways to siblings, home to the start. */
export const walk = (flow: FlowModel, from: string | undefined, step: Step): string | undefined => {
  const node = from === undefined ? undefined : flow.nodes.get(from)
  if (node === undefined || step === 'home') return readingOrder(flow)[0]
  switch (step) {
    case 'down':
      return byPort(node, flow)[0]?.to
    case 'up':
      return sourcesOf(node, flow)[0]?.id
    case 'left':
      return sibling(node, flow, -1)
    case 'right':
      return sibling(node, flow, 1)
    default:
      return step satisfies never
  }
}

export const sectionTitles = (flow: FlowModel, t: Translate): ReadonlyMap<string, string> =>
  new Map([...sectionsOf(flow)].map(([id, marker]) => [id, plainTitle(marker, t)]))

/** One output of a block and where it leads. */
interface Way {
  readonly id: string
  /** Its number; '' where it is the only one, and what its words say for the otherwise way. */
  readonly mark: string
  /** Meaning of the output; '' if the mark is enough. */
  readonly way: string
  /** Undefined where it leads nowhere. */
  readonly target: NodeModel | undefined
}

/** The ways out of a block, in the order of its ports. */
export const outgoingPaths = (node: NodeModel, flow: FlowModel, t: Translate): readonly Way[] => {
  const leaving = [...flow.links.values()].filter(link => link.from === node.id)
  return node.outputs.map((output, index) => {
    const otherwise = isOtherwise(output)
    const link = leaving.find(each => each.fromConnector === output.id)
    return {
      id: output.id,
      mark: node.outputs.length === 1 ? '' : otherwise ? t('otherwise') : String(index + 1),
      way: otherwise ? '' : wayWords(node, output, index, t),
      target: link === undefined ? undefined : flow.nodes.get(link.to),
    }
  })
}
