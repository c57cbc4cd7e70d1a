import { ERROR_CONNECTOR } from '#schemas/block.ts'
import { blockOf } from '#schemas/blocks/registry.ts'
import type { ConnectorModel, NodeModel } from '../document/model.ts'

/** The output of an answer whose own output is not linked. */
const OTHERS = 'output_1'

/** Whether each choice of a block has its output on the block. */
const showsChoices = ({ type, moreOutputs }: NodeModel): boolean => {
  const fixed = blockOf(type)?.outputs ?? []
  return moreOutputs.every(id => fixed.some(output => output.id === id))
}

/**
 * Outputs of a block where a conversation ends for want of a link. Choices without a link share `output_1`: with its
 * link none of them is open. `output_1` is not open where each choice has an output.
 */
export const openOutputs = (node: NodeModel, isLinked: (connector: string) => boolean): readonly ConnectorModel[] => {
  const open = node.outputs.filter(({ id }) => !isLinked(id))
  const hasWay = node.outputs.some(({ id, choice }) => choice !== undefined && id !== ERROR_CONNECTOR && isLinked(id))
  if (isLinked(OTHERS) || !hasWay) return open.filter(({ choice }) => choice === undefined)
  return showsChoices(node) ? open.filter(({ id }) => id !== OTHERS) : open
}
