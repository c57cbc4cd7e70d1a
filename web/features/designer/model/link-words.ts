import { linkId } from '#domain/flow/document/item-id.ts'
import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import type { LinkMention } from '#schemas/flow/summary.ts'
import { outputLabel, plainTitle, type Translate } from './label.ts'

/** Label of a block's output; '' if it needs none, or is not shown. */
const connectorWords = (node: NodeModel, connector: string, t: Translate): string => {
  const index = node.outputs.findIndex(({ id }) => id === connector)
  const output = node.outputs[index]
  return output === undefined ? '' : outputLabel(node, output, index, t)
}

/** Origin of a link: `Payment · Pix`, or the title alone where its output needs no label. */
export const originWords = (node: NodeModel, connector: string, t: Translate): string =>
  [plainTitle(node, t), connectorWords(node, connector, t)].filter(said => said !== '').join(' · ')

/** A link's id names its output, unless the output has several links or a file brought another id. */
const outputOf = (node: NodeModel, { id }: LinkMention): string =>
  node.outputs.find(output => id.startsWith(linkId(node.id, output.id, '')))?.id ?? ''

interface MentionWords {
  /** Leaves out the title of the block that the link comes from. */
  readonly isShort?: boolean
}

/** A link of an edit with the names that its ends have now: `Payment · Pix → Thanks`. */
export const mentionWords = (
  flow: Pick<FlowModel, 'nodes'>,
  link: LinkMention,
  t: Translate,
  { isShort = false }: MentionWords = {},
): string => {
  const from = flow.nodes.get(link.from)
  const to = flow.nodes.get(link.to)
  const target = to === undefined ? t('goneBlock') : plainTitle(to, t)
  if (from === undefined) return `${t('goneBlock')} → ${target}`
  const origin = isShort ? connectorWords(from, outputOf(from, link), t) : originWords(from, outputOf(from, link), t)
  return `${origin} → ${target}`.trim()
}
