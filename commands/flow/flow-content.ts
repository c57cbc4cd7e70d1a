import { type BlockText, textsOfBlock } from '#domain/flow/block-text.ts'
import { scriptOf } from '#domain/flow/document.ts'
import { isMachineTitle } from '#domain/flow/machine-title.ts'
import type { NodeModel } from '#domain/flow/model.ts'
import { readFlowInSteps } from '#domain/flow/read-flow.ts'
import { type Reference, referencesOf } from '#domain/flow/references.ts'
import { scriptText } from '#domain/flow/rewrite-flow.ts'
import { sectionsOf } from '#domain/flow/sections.ts'
import type { FlowLog } from './flow-log.ts'
import { pauses } from './pauses.ts'

/** What people wrote in a block, and what it leads to. A handler's own code stands in a block without id and type. */
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

export interface FlowContent {
  readonly revision: number
  /** From the top to the bottom, then from the left to the right. */
  readonly blocks: readonly BlockContent[]
}

/** Characters of texts that are kept, over all flows. */
const MOST_KEPT = 20_000_000

const ownTitle = (node: NodeModel | undefined) =>
  node === undefined || isMachineTitle(node.title, node.type) ? '' : node.title

const sizeOf = ({ blocks }: FlowContent) =>
  blocks.reduce((sum, { texts }) => texts.reduce((length, { text }) => length + text.length, sum + 100), 0)

const contentOf = async (doc: Parameters<typeof readFlowInSteps>[0], revision: number): Promise<FlowContent> => {
  const pause = pauses()
  const steps = readFlowInSteps(doc)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await pause()
  const flow = step.value
  const sections = sectionsOf(flow)
  const blocks: BlockContent[] = []
  for (const node of [...flow.nodes.values()].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const { id, type } = node
    const section = ownTitle(sections.get(id))
    blocks.push({ id, type, title: ownTitle(node), section, texts: textsOfBlock(doc, id), targets: referencesOf(node) })
    await pause()
  }
  const code = scriptOf(doc).toString()
  const whole = { id: '', type: '', title: '', section: '', texts: [scriptText(code)], targets: [] }
  return { revision, blocks: code === '' ? blocks : [...blocks, whole] }
}

/** A flow as it is now. */
export const readContent = async (log: Pick<FlowLog, 'load'>, flow: string): Promise<FlowContent> => {
  const { doc, revision } = await log.load(flow)
  const content = await contentOf(doc, revision)
  doc.destroy()
  return content
}

/** Flows as what people wrote in them; those looked at last are kept as long as nothing changes in them. */
export const createFlowContents = (
  log: Pick<FlowLog, 'load' | 'revision'>,
): ((flow: string) => Promise<FlowContent>) => {
  const kept = new Map<string, { readonly content: FlowContent; readonly size: number }>()
  let size = 0
  const forget = (flow: string) => {
    size -= kept.get(flow)?.size ?? 0
    kept.delete(flow)
  }
  const keep = (flow: string, content: FlowContent) => {
    forget(flow)
    const own = sizeOf(content)
    kept.set(flow, { content, size: own })
    size += own
    for (const oldest of kept.keys()) {
      if (size <= MOST_KEPT) return
      forget(oldest)
    }
  }
  return async flow => {
    const held = kept.get(flow)?.content
    if (held !== undefined && held.revision === (await log.revision(flow))) {
      keep(flow, held)
      return held
    }
    const content = await readContent(log, flow)
    keep(flow, content)
    return content
  }
}
