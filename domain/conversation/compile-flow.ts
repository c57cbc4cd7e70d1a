import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { CompiledBlock, CompiledFlow } from './release.ts'

/** From the top, then from the left, then by id: the order in which a person reads a drawing. */
const byPlace = (a: NodeModel, b: NodeModel): number => a.y - b.y || a.x - b.x || (a.id < b.id ? -1 : 1)

/**
 * A flow as the interpreter runs it. Of several links from one output the one to the topmost block counts, and of several
 * starts the topmost (RUNTIME 24).
 */
export const compileFlow = (dialog: string, revision: number, flow: FlowModel): CompiledFlow => {
  const nodes = [...flow.nodes.values()].filter(node => blockOf(node.type)?.runs !== false).sort(byPlace)
  const order = new Map(nodes.map((node, place) => [node.id, place]))
  const next = new Map<string, Map<string, string>>(nodes.map(node => [node.id, new Map()]))
  const links = [...flow.links.values()].sort((a, b) => (order.get(a.to) ?? 0) - (order.get(b.to) ?? 0))
  for (const { from, fromConnector, to } of links) {
    const outputs = next.get(from)
    if (order.has(to) && outputs !== undefined && !outputs.has(fromConnector)) outputs.set(fromConnector, to)
  }
  const compiled = ({ id, type, title, properties }: NodeModel): CompiledBlock => ({
    id,
    type,
    title,
    properties,
    next: next.get(id) ?? new Map(),
  })
  return {
    dialog,
    revision,
    start: nodes.find(node => node.type === 'start')?.id ?? null,
    blocks: new Map(nodes.map(node => [node.id, compiled(node)])),
  }
}
