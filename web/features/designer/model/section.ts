import type { FlowModel, NodeModel } from '#domain/flow/model.ts'
import { plainTitle, type Translate } from './label.ts'
import { isMarker } from './look.ts'

/** The marker above each block, found by walking links from every marker down to the next ones. */
export const sectionsOf = (flow: FlowModel): ReadonlyMap<string, NodeModel> => {
  const outgoing = Map.groupBy(flow.links.values(), link => link.from)
  const sections = new Map<string, NodeModel>()
  for (const marker of flow.nodes.values()) {
    if (!isMarker(marker) && marker.type !== 'start') continue
    const open = [marker.id]
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (sections.has(id)) continue
      sections.set(id, marker)
      for (const { to } of outgoing.get(id) ?? []) {
        const next = flow.nodes.get(to)
        if (next !== undefined && !isMarker(next) && next.type !== 'start') open.push(to)
      }
    }
  }
  return sections
}

export const sectionTitles = (flow: FlowModel, t: Translate): ReadonlyMap<string, string> =>
  new Map([...sectionsOf(flow)].map(([id, marker]) => [id, plainTitle(marker, t)]))
