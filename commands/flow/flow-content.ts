import * as Y from 'yjs'
import { createFlow, emptyFlowUpdate, scriptOf } from '#domain/flow/document/document.ts'
import { keepMarks, meteredLoad, TooCostly } from '#domain/flow/document/integration-cost.ts'
import type { NodeModel } from '#domain/flow/document/model.ts'
import { readFlow } from '#domain/flow/document/read-flow.ts'
import { type Reference, referencesOf } from '#domain/flow/graph/references.ts'
import { sectionsOf } from '#domain/flow/graph/sections.ts'
import { type BlockText, isMachineTitle, textsOfBlock } from '#domain/flow/text/block-text.ts'
import { scriptText } from '#domain/flow/text/rewrite-flow.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'

/** Texts and targets of a block. A handler's own code is in a block without id and type. */
export interface BlockContent {
  readonly id: string
  readonly type: string
  /** '' where it has none but its type's name. */
  readonly title: string
  /** Title of the marker above it. */
  readonly section: string
  readonly texts: readonly BlockText[]
  readonly targets: readonly Reference[]
}

/** From the top to the bottom, then from the left to the right. */
export type FlowContent = readonly BlockContent[]

/** Characters of texts that are kept, over all flows; the flow that was looked at last is kept however large. */
const MAX_CACHED = 20_000_000

const ownTitle = (node: NodeModel | undefined) =>
  node === undefined || isMachineTitle(node.title, node.type) ? '' : node.title

const sizeOf = (content: FlowContent) =>
  content.reduce((sum, { texts }) => texts.reduce((length, { text }) => length + text.length, sum + 100), 0)

/** A flow as what people wrote in it. */
export const flowContent = (state: readonly Uint8Array[]): FlowContent => {
  const doc = createFlow(...state)
  const flow = readFlow(doc)
  const sections = sectionsOf(flow)
  const blocks = [...flow.nodes.values()]
    .sort((a, b) => a.y - b.y || a.x - b.x)
    .map((node): BlockContent => {
      const { id, type } = node
      const section = ownTitle(sections.get(id))
      return { id, type, title: ownTitle(node), section, texts: textsOfBlock(doc, id), targets: referencesOf(node) }
    })
  const code = scriptOf(doc).toString()
  doc.destroy()
  const whole = { id: '', type: '', title: '', section: '', texts: [scriptText(code)], targets: [] }
  return code === '' ? blocks : [...blocks, whole]
}

interface CachedContent {
  readonly revision: number
  readonly content: FlowContent
  readonly size: number
}

/** Contents of the flows that were looked at last, each at one revision. */
export interface ContentCache {
  get(flow: string, revision: number): FlowContent | undefined
  set(flow: string, revision: number, content: FlowContent): void
}

export const createContentCache = (): ContentCache => {
  const cached = new Map<string, CachedContent>()
  let size = 0
  const remove = (flow: string) => {
    size -= cached.get(flow)?.size ?? 0
    cached.delete(flow)
  }
  const set = (flow: string, entry: CachedContent) => {
    remove(flow)
    cached.set(flow, entry)
    size += entry.size
    for (const oldest of cached.keys()) {
      if (size <= MAX_CACHED || oldest === flow) return
      remove(oldest)
    }
  }
  return {
    get(flow, revision) {
      const entry = cached.get(flow)
      if (entry?.revision !== revision) return undefined
      set(flow, entry)
      return entry.content
    },
    set: (flow, revision, content) => set(flow, { revision, content, size: sizeOf(content) }),
  }
}

/** Characters of a summary that go into one event. */
const MAX_LENGTH = 300_000
const TITLE = 200
const FIRST_LIMIT = 4000

/** A summary that fits into an event: long titles are cut, and of very many things only the first are named. */
export const shortSummary = (summary: FlowSummary): FlowSummary => {
  for (let limit = FIRST_LIMIT; ; limit = Math.floor(limit / 2)) {
    const short = limited(summary, limit)
    if (limit === 0 || JSON.stringify(short).length <= MAX_LENGTH) return short
  }
}

const limited = ({ added, changed, removed, links, script }: FlowSummary, limit: number): FlowSummary => {
  const first = <T>(list: readonly T[]) => list.slice(0, limit)
  const mention = <T extends { title: string }>(block: T): T => ({ ...block, title: block.title.slice(0, TITLE) })
  return {
    added: first(added).map(mention),
    changed: first(changed).map(mention),
    removed: first(removed).map(mention),
    links: { added: first(links.added), changed: first(links.changed), removed: first(links.removed) },
    script,
  }
}

/**
 * Updates before the first that takes too long to integrate. The flow continues from them, so clients keep the same
 * document.
 */
export const readablePart = (state: readonly Uint8Array[]): readonly Uint8Array[] => {
  const doc = new Y.Doc()
  keepMarks(doc)
  let taken = 0
  let readable = 0
  try {
    for (const update of state) {
      taken += meteredLoad(() => Y.applyUpdate(doc, update), taken)
      readable += 1
    }
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error
  } finally {
    doc.destroy()
  }
  return readable === 0 ? [emptyFlowUpdate()] : state.slice(0, readable)
}
