import type { ValueChange } from '#domain/flow/diff/diff-flows.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { isMachineTitle } from '#domain/flow/text/machine-title.ts'
import type { MarkKind } from '#web/entity/flow/flow-revision.ts'
import { plainTitle, type Translate } from '../model/label.ts'
import { isMarker, typeName } from '../model/look.ts'
import { sectionTitles } from '../model/section.ts'
import type { Scene } from './scene.ts'

/** One line of what changed. */
export interface ChangeEntry {
  readonly id: string
  readonly kind: MarkKind
  readonly node: NodeModel
  /** Title of its section; '' for a section itself and outside of any. */
  readonly place: string
  readonly words: string
  readonly changes: readonly ValueChange[]
}

const ORDER: Readonly<Record<MarkKind, number>> = { changed: 0, added: 1, removed: 2 }
const NONE: readonly ValueChange[] = []

/** The blocks that differ: changed, added, removed, each from the top of the flow to its end. */
export const changeEntries = ({ model, blocks, difference }: Scene, words: Translate): readonly ChangeEntry[] => {
  const sections = sectionTitles(model, words)
  const changes = new Map(difference.nodes.changed.map(block => [block.id, block.changes]))
  return [...blocks]
    .flatMap(([id, { kind }]): readonly ChangeEntry[] => {
      const node = model.nodes.get(id)
      if (node === undefined) return []
      const type = typeName(node.type, words)
      const place = isMarker(node) ? '' : (sections.get(id) ?? '')
      const title = isMarker(node) || !isMachineTitle(node.title, node.type) ? plainTitle(node, words) : place
      const said = title === '' ? `${type} · ${id}` : `${title} · ${type}`
      return [{ id, kind, node, place, words: said, changes: changes.get(id) ?? NONE }]
    })
    .sort((a, b) => ORDER[a.kind] - ORDER[b.kind] || a.node.y - b.node.y || a.node.x - b.node.x)
}

interface LinkEntry {
  readonly id: string
  readonly kind: MarkKind
  readonly from: string
  readonly words: string
}

export const linkEntries = ({ model, links }: Scene, words: Translate): readonly LinkEntry[] =>
  [...links].flatMap(([id, kind]): readonly LinkEntry[] => {
    const link = model.links.get(id)
    const from = model.nodes.get(link?.from ?? '')
    const to = model.nodes.get(link?.to ?? '')
    if (from === undefined || to === undefined) return []
    return [{ id, kind, from: from.id, words: `${plainTitle(from, words)} → ${plainTitle(to, words)}` }]
  })
