import type { NodeModel } from '#domain/flow/document/model.ts'
import { useWords } from '../canvas/canvas-context.ts'
import { isOtherwise, outputLabel } from '../model/label.ts'

interface WayChoiceProps {
  readonly node: NodeModel
  readonly label: string
  /** Id of the chosen output. */
  readonly chosen: string | undefined
  readonly onChoose: (output: string) => void
}

/** The ways out of a block, of which one is meant; absent where there is but one. */
export const OutputChoice = ({ node, label, chosen, onChoose }: WayChoiceProps) => {
  const words = useWords()
  if (node.outputs.length < 2) return null
  return (
    <fieldset className="pl-seg" data-wraps aria-label={label}>
      {node.outputs.map((each, index) => (
        <button key={each.id} type="button" aria-pressed={each.id === chosen} onClick={() => onChoose(each.id)}>
          <b>{isOtherwise(each) ? '↳' : index + 1}</b>
          <span>{outputLabel(node, each, index, words)}</span>
        </button>
      ))}
    </fieldset>
  )
}
