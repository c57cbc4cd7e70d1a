import { diffFlows, type FlowDifference } from '#domain/flow/diff/diff-flows.ts'
import { type WordPart, wordDiff } from '#domain/flow/diff/word-diff.ts'
import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import type { MarkKind } from '#web/entity/flow/flow-revision.ts'
import type { Point } from '../model/geometry.ts'
import type { Translate } from '../model/label.ts'
import { shownTitle } from '../model/look.ts'
import { previewOf, previewText } from '../model/preview.ts'
import type { PastFlow } from './flow-at.ts'

/** Drawing of one block in a comparison of two moments. */
export interface BlockScene {
  readonly kind: MarkKind
  readonly from?: Point
  readonly title?: readonly WordPart[]
  readonly preview?: readonly WordPart[]
}

/** Two moments on one canvas: the later one, with what was removed at its old place. */
export interface Scene {
  readonly model: FlowModel
  readonly difference: FlowDifference
  readonly blocks: ReadonlyMap<string, BlockScene>
  readonly links: ReadonlyMap<string, MarkKind>
}

const wordsOf = (node: NodeModel, t: Translate) => previewText(previewOf(node, t))

const changedWords = (before: string, after: string): readonly WordPart[] | undefined =>
  before === after ? undefined : wordDiff(before, after)

const changedBlock = (before: NodeModel, after: NodeModel, t: Translate): BlockScene => {
  const title = changedWords(shownTitle(before, t).text, shownTitle(after, t).text)
  const preview = changedWords(wordsOf(before, t), wordsOf(after, t))
  const moved = before.x !== after.x || before.y !== after.y
  return {
    kind: 'changed',
    ...(moved ? { from: { x: before.x, y: before.y } } : {}),
    ...(title === undefined ? {} : { title }),
    ...(preview === undefined ? {} : { preview }),
  }
}

const ends = (link: LinkModel) => JSON.stringify([link.from, link.fromConnector, link.fromSubConnector ?? 0, link.to])

/** Links of both moments; a removed one gets its own id while its ends are drawn. */
const joinLinks = (before: FlowModel, after: FlowModel) => {
  const links = new Map<string, LinkModel>(after.links)
  const kinds = new Map<string, MarkKind>()
  const had = new Set([...before.links.values()].map(ends))
  const has = new Set([...after.links.values()].map(ends))
  for (const [id, link] of after.links) if (!had.has(ends(link))) kinds.set(id, 'added')
  for (const [id, link] of before.links) {
    if (has.has(ends(link))) continue
    const gone = `removed ${id}`
    links.set(gone, { ...link, id: gone })
    kinds.set(gone, 'removed')
  }
  return { links, kinds }
}

/** Canvas content for the comparison of `after` with `before`. */
export const sceneOf = (before: PastFlow, after: PastFlow, t: Translate): Scene => {
  const difference = diffFlows(before.file, after.file)
  const nodes = new Map(after.model.nodes)
  const blocks = new Map<string, BlockScene>()
  for (const { id } of difference.nodes.added) blocks.set(id, { kind: 'added' })
  for (const { id } of difference.nodes.changed) {
    const was = before.model.nodes.get(id)
    const is = after.model.nodes.get(id)
    if (was !== undefined && is !== undefined) blocks.set(id, changedBlock(was, is, t))
  }
  for (const { id } of difference.nodes.removed) {
    const was = before.model.nodes.get(id)
    if (was === undefined) continue
    nodes.set(id, was)
    blocks.set(id, { kind: 'removed' })
  }
  const { links, kinds } = joinLinks(before.model, after.model)
  return { model: { ...after.model, nodes, links }, difference, blocks, links: kinds }
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const steadyMap = <T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): ReadonlyMap<string, T> =>
  new Map(
    [...after].map(([id, value]) => {
      const old = before.get(id)
      return [id, old !== undefined && same(old, value) ? old : value]
    }),
  )

/** `after` with the blocks and links that are as they were in `before`, so that only what differs is drawn again. */
export const steadyModel = (before: FlowModel, after: FlowModel): FlowModel => ({
  ...after,
  nodes: steadyMap(before.nodes, after.nodes),
  links: steadyMap(before.links, after.links),
})
