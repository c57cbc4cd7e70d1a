import type * as Y from 'yjs'
import type { ParserName } from '#domain/expression/engine.ts'
import { type BlockText, textsOfBlock } from '#domain/flow/block-text.ts'
import { scriptOf } from '#domain/flow/document.ts'
import { findInText } from '#domain/flow/find-in-block.ts'
import { finderOf, type Wanted } from '#domain/flow/find-text.ts'
import { type HitBlock, hitAt } from '#domain/flow/hit-at.ts'
import { isMachineTitle } from '#domain/flow/machine-title.ts'
import type { FlowModel, NodeModel } from '#domain/flow/model.ts'
import { scriptText } from '#domain/flow/rewrite-flow.ts'
import { sectionsOf } from '#domain/flow/sections.ts'
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

/** Where the open flow says what is looked for, from its top to its bottom; the same as the server finds in others. */
export const localHits = (doc: Y.Doc, flow: FlowModel, wanted: Wanted, parser: ParserName): readonly FlowHit[] => {
  const find = finderOf(wanted)
  const sections = sectionsOf(flow)
  const hitsIn = (block: HitBlock, text: BlockText): readonly FlowHit[] =>
    findInText(text, find, parser).map(({ part, ...place }) => hitAt(block, text, place, part))
  const inOrder = [...flow.nodes.values()].sort((a, b) => a.y - b.y || a.x - b.x)
  const inBlocks = inOrder.flatMap(node => {
    const { id, type } = node
    const block = { block: id, type, title: titleOf(node), section: titleOf(sections.get(id)) }
    return textsOf(doc, node).flatMap(text => hitsIn(block, text))
  })
  const code = scriptOf(doc).toString()
  return [...inBlocks, ...hitsIn({ block: '', type: '', title: '', section: '' }, scriptText(code))]
}
