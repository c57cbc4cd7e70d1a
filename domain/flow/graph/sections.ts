import type { FlowModel, NodeModel } from '../document/model.ts'

/** Begins a section: markers, what is kept like one, and starts. */
const beginsSection = ({ type, known }: NodeModel): boolean => type === 'marker' || type === 'start' || !known

/** The marker above each block, found by walking links from every marker down to the next ones. */
export const sectionsOf = (flow: FlowModel): ReadonlyMap<string, NodeModel> => {
  const outgoing = Map.groupBy(flow.links.values(), link => link.from)
  const sections = new Map<string, NodeModel>()
  for (const marker of flow.nodes.values()) {
    if (!beginsSection(marker)) continue
    const open = [marker.id]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (sections.has(id)) continue
      sections.set(id, marker)
      for (const { to } of outgoing.get(id) ?? []) {
        const next = flow.nodes.get(to)
        if (next !== undefined && !beginsSection(next)) open.push(to)
      }
    }
  }
  return sections
}
