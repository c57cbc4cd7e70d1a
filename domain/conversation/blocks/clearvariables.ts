import { isObject, textAt } from '#schemas/json.ts'
import { itemsAt } from '../question.ts'
import { type BlockRuntime, leave } from '../turn.ts'
import { assignVariable, readVariable } from '../variables.ts'

/** Null, where the name is found. */
export const clearvariables: BlockRuntime = {
  run(turn, { properties }) {
    for (const item of itemsAt(properties, 'variables')) {
      const name = (typeof item === 'string' ? item : isObject(item) ? textAt(item, 'name') : '').trim()
      if (readVariable(turn, name) !== undefined) assignVariable(turn, name, null)
    }
    return leave()
  },
}
