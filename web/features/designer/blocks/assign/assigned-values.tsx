import { useEffect } from 'react'
import { type AssignedLine, assignedBefore } from '#domain/flow/variable/variable-use.ts'
import type { JsonObject } from '#schemas/event.ts'
import { evaluator } from '#web/expression/evaluator.ts'
import { useNames } from '../../session/flow-names.ts'
import { useSamples } from '../try-out/use-samples.ts'
import { useKnownVariables } from '../try-out/use-trial-inputs.ts'

export interface AssignedValuesProps {
  readonly lines: readonly AssignedLine[]
  readonly onFound: (before: readonly JsonObject[]) => void
}

/** Tells the sample values that each line of an assignment begins with. */
export const AssignedValues = ({ lines, onFound }: AssignedValuesProps) => {
  const { bot } = useNames()
  const { known } = useKnownVariables()
  const { told: values } = useSamples(known)
  const parser = bot?.expressionparser ?? 'Jexl'
  const written = JSON.stringify(lines)
  useEffect(() => {
    let isLeft = false
    const evaluate = (text: string, context: JsonObject) =>
      evaluator.evaluate({ kind: 'template', text, template: 'text', parser, context })
    void assignedBefore(JSON.parse(written) as readonly AssignedLine[], values, evaluate).then(
      before => isLeft || onFound(before),
    )
    return () => {
      isLeft = true
    }
  }, [written, values, parser, onFound])
  return null
}
