import type * as Y from 'yjs'
import type { ParserName } from '#domain/expression/engine.ts'
import { scriptOf } from '#domain/flow/document/document.ts'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { type BlockText, textsOfBlock } from '#domain/flow/text/block-text.ts'
import { foundIn } from '#domain/flow/text/find-in-block.ts'
import { finderOf, type TextPattern } from '#domain/flow/text/find-text.ts'
import { type HitBlock, hitAt } from '#domain/flow/text/hit-at.ts'
import { isMachineTitle } from '#domain/flow/text/machine-title.ts'
import { scriptText } from '#domain/flow/text/rewrite-flow.ts'
import type { FlowHit } from '#schemas/api/flow-text.ts'

/** By block as it was read: most blocks are those of the search before. */
const read = new WeakMap<NodeModel, readonly BlockText[]>()
const textsOf = (doc: Y.Doc, node: NodeModel): readonly BlockText[] => {
  const held = read.get(node) ?? textsOfBlock(doc, node.id)
  read.set(node, held)
  return held
}

const titleOf = (node: NodeModel | undefined) =>
  node === undefined || isMachineTitle(node.title, node.type) ? '' : node.title

/** Hits that are shown; more are counted alone. */
const MAX_HITS = 2000

interface LocalHits {
  readonly hits: readonly FlowHit[]
  readonly total: number
}
export const NO_HITS: LocalHits = { hits: [], total: 0 }

/** Hits in the open flow, from top to bottom; the same as the server finds in others. */
export const localHits = (doc: Y.Doc, flow: FlowModel, wanted: TextPattern, parser: ParserName): LocalHits => {
  const find = finderOf(wanted)
  const sections = sectionsOf(flow)
  const hits: FlowHit[] = []
  let total = 0
  const look = (block: HitBlock, text: BlockText) => {
    for (const { part, ...place } of foundIn(text, find, parser)) {
      if (hits.length < MAX_HITS) hits.push(hitAt(block, text, place, part))
      total += 1
    }
  }
  for (const node of [...flow.nodes.values()].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const { id, type } = node
    const block = { block: id, type, title: titleOf(node), section: titleOf(sections.get(id)) }
    for (const text of textsOf(doc, node)) look(block, text)
  }
  look({ block: '', type: '', title: '', section: '' }, scriptText(scriptOf(doc).toString()))
  return { hits, total }
}
