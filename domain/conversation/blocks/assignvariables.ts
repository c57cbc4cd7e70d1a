import { isObject, textAt } from '#schemas/json.ts'
import { blockText, evaluateTexts } from '../evaluate.ts'
import { convertValue, itemsAt } from '../question.ts'
import { type BlockRuntime, leave, recordProblem } from '../turn.ts'
import { assignVariable, declarationOf } from '../variables.ts'

/** Each variable in its turn, so that it sees those before it. */
export const assignvariables: BlockRuntime = {
  *run(turn, { properties }) {
    for (const [place, line] of itemsAt(properties, 'variables').entries()) {
      if (!isObject(line)) continue
      const name = textAt(line, 'name').trim()
      const [value = null] = yield* evaluateTexts(turn, [blockText(`variables.${place}.value`, line.value)])
      const declared = declarationOf(turn, name)
      // The declared type does not cover members.
      const datatype = declared === undefined || name !== declared.name ? '' : declared.datatype
      const converted = convertValue(value, datatype)
      if (!converted.ok) recordProblem(turn, 'variable.datatype', name)
      if (name !== '') assignVariable(turn, name, converted.ok ? converted.value : null)
    }
    return leave()
  },
}
