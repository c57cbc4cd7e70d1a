import type { NodeModel } from '#domain/flow/document/model.ts'
import { portShare } from '../model/geometry.ts'
import { isOtherwise, outputWords, type Translate } from '../model/label.ts'

/** The outputs on a block's bottom edge: one dot, or numbered discs in order with the otherwise way last. */
export const Ports = ({ node, t }: { readonly node: NodeModel; readonly t: Translate }) => {
  const count = node.outputs.length
  return node.outputs.map((output, index) => (
    <span
      key={output.id}
      className="pl-port nodrag nopan"
      data-connector={output.id}
      data-kind={count === 1 ? 'single' : isOtherwise(output) ? 'otherwise' : 'numbered'}
      style={{ left: `${100 * portShare(index, count)}%` }}
      title={outputWords(node, output, index, t) || undefined}
    >
      <i>{count === 1 ? '' : isOtherwise(output) ? '↳' : index + 1}</i>
    </span>
  ))
}
