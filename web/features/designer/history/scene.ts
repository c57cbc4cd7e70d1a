import { queryOptions } from '@tanstack/react-query'
import { diffFlows, type FlowDifference, type ValueChange } from '#domain/flow/diff/diff-flows.ts'
import { type WordPart, wordDiff } from '#domain/flow/diff/word-diff.ts'
import type { FlowModel, LinkModel, NodeModel } from '#domain/flow/document/model.ts'
import { importFlow } from '#domain/flow/document/patch-flow.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import { FLOW_FORMAT, FLOW_VERSION, type FlowFile } from '#schemas/flow/file.ts'
import { http } from '#web/api/http.ts'
import type { MarkKind } from '#web/entity/flow/read-revisions.ts'
import { isMarker, shownTitle, typeName } from '../model/block-appearance.ts'
import type { Point } from '../model/geometry.ts'
import { plainTitle, type Translate } from '../model/label.ts'
import { originWords } from '../model/link-words.ts'
import { previewOf, previewText } from '../model/preview.ts'
import { sectionTitles } from '../model/reading-order.ts'
import type { FlowAddress } from '../session/room/flow-address.ts'

/** A flow as it stood; a handler's with its code. */
export interface RevisionFlow {
  readonly revision: number
  readonly file: FlowFile & { readonly js?: string }
  readonly model: FlowModel
}

const NOTHING: FlowFile = { format: FLOW_FORMAT, version: FLOW_VERSION, operators: {}, links: {} }
/** Cache time of a visited moment. Milliseconds. */
const CACHE_MS = 120_000

export const revisionFlow = (revision: number, file: RevisionFlow['file']): RevisionFlow => {
  const doc = importFlow(file)
  const model = readFlow(doc)
  doc.destroy()
  return { revision, file, model }
}

/** The flow at a revision; 0 is before the first edit. Past states never change, so each is fetched once. */
export const flowAtQuery = ({ kind, id }: FlowAddress, revision: number) =>
  queryOptions({
    queryKey: ['flow-at', kind, id, revision],
    queryFn: async ({ signal }) => {
      if (revision === 0) return revisionFlow(0, NOTHING)
      return revisionFlow(
        revision,
        await http.get('/{kind}/{id}/flow/at/{revision}', { params: { kind, id, revision }, signal }),
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: CACHE_MS,
    structuralSharing: false,
  })

/** The flow as it is drawn now. */
export const flowDraftQuery = ({ kind, id }: FlowAddress) =>
  queryOptions({
    queryKey: ['flow-draft', kind, id],
    queryFn: async ({ signal }) =>
      revisionFlow(0, await http.get('/{kind}/{id}/flow', { params: { kind, id }, signal })),
    structuralSharing: false,
  })

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
  /** The earlier moment. */
  readonly before: FlowModel
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
export const sceneOf = (before: RevisionFlow, after: RevisionFlow, t: Translate): Scene => {
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
  return { model: { ...after.model, nodes, links }, before: before.model, difference, blocks, links: kinds }
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
export const reuseUnchanged = (before: FlowModel, after: FlowModel): FlowModel => ({
  ...after,
  nodes: steadyMap(before.nodes, after.nodes),
  links: steadyMap(before.links, after.links),
})

/** One line of what changed. */
export interface ChangeEntry {
  readonly id: string
  readonly kind: MarkKind
  readonly node: NodeModel
  /** In the earlier moment; absent where it was not there. */
  readonly before?: NodeModel
  /** Title of its section; '' for a section itself and outside of any. */
  readonly place: string
  readonly words: string
  readonly changes: readonly ValueChange[]
}

const ORDER: Readonly<Record<MarkKind, number>> = { changed: 0, added: 1, removed: 2 }
const NONE: readonly ValueChange[] = []

/** The blocks that differ: changed, added, removed, each from the top of the flow to its end. */
export const changeEntries = (
  { model, before, blocks, difference }: Scene,
  words: Translate,
): readonly ChangeEntry[] => {
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
      const was = before.nodes.get(id)
      const changed = changes.get(id) ?? NONE
      return [{ id, kind, node, place, words: said, changes: changed, ...(was === undefined ? {} : { before: was }) }]
    })
    .sort((a, b) => ORDER[a.kind] - ORDER[b.kind] || a.node.y - b.node.y || a.node.x - b.node.x)
}

/** One line of a link that changed. */
export interface LinkEntry {
  readonly id: string
  readonly kind: MarkKind
  readonly from: string
  /** `Payment · Pix → Thanks`. */
  readonly words: string
  /** Title of the block that it led to before; absent where the output had no link, or has none now. */
  readonly was?: string
}

/** Links that differ; one that leads elsewhere from the same output is one line. */
export const linkEntries = ({ model, before, links }: Scene, words: Translate): readonly LinkEntry[] => {
  const ways = [...links].flatMap(([id, kind]) => {
    const link = model.links.get(id)
    // An option that went has its words in the earlier moment alone.
    const nodes = kind === 'removed' ? before.nodes : model.nodes
    const from = nodes.get(link?.from ?? '')
    const to = nodes.get(link?.to ?? '')
    if (link === undefined || from === undefined || to === undefined) return []
    const output = JSON.stringify([link.from, link.fromConnector, link.fromSubConnector ?? 0])
    const origin = originWords(from, link.fromConnector, words)
    return [{ id, kind, from: from.id, output, origin, target: plainTitle(to, words) }]
  })
  const byOutput = Map.groupBy(ways, ({ output }) => output)
  return [...byOutput.values()].flatMap((same): readonly LinkEntry[] => {
    const [now, ...more] = same.filter(({ kind }) => kind === 'added')
    const [gone, ...others] = same.filter(({ kind }) => kind === 'removed')
    if (now !== undefined && gone !== undefined && more.length + others.length === 0) {
      const { id, from, origin, target } = now
      return [{ id, kind: 'changed', from, words: `${origin} → ${target}`, was: gone.target }]
    }
    return same.map(({ id, kind, from, origin, target }) => ({ id, kind, from, words: `${origin} → ${target}` }))
  })
}
