import type { FlowModel, NodeModel } from '#domain/flow/document/model.ts'
import { isOtherwise, outputWords, type Translate } from './label.ts'

/** One output of a block and where it leads. */
interface Way {
  readonly id: string
  /** Its number; '' where it is the only one, and what its words say for the otherwise way. */
  readonly mark: string
  /** Meaning of the output; '' if the mark is enough. */
  readonly way: string
  /** Undefined where it leads nowhere. */
  readonly target: NodeModel | undefined
}

/** The ways out of a block, in the order of its ports. */
export const waysOf = (node: NodeModel, flow: FlowModel, t: Translate): readonly Way[] => {
  const leaving = [...flow.links.values()].filter(link => link.from === node.id)
  return node.outputs.map((output, index) => {
    const otherwise = isOtherwise(output)
    const number = String(index + 1)
    const words = outputWords(node, output, index, t)
    const link = leaving.find(each => each.fromConnector === output.id)
    return {
      id: output.id,
      mark: node.outputs.length === 1 ? '' : otherwise ? t('otherwise') : number,
      way: otherwise || words === number ? '' : words,
      target: link === undefined ? undefined : flow.nodes.get(link.to),
    }
  })
}
