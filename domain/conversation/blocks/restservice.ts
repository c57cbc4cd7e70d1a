import type { Json } from '#schemas/event.ts'
import { type BlockRuntime, leave } from '../block-runtime.ts'
import { textAt } from '../question.ts'
import { effectKey, perform, recordProblem } from '../turn.ts'
import { assignVariable, contextOf } from '../variables.ts'

/** Calls a service (RUNTIME 45). */
export const restservice: BlockRuntime = {
  *run(turn, block) {
    const { properties } = block
    const result = yield* perform(turn, {
      kind: 'rest',
      properties,
      parser: turn.settings.parser,
      context: contextOf(turn, { masked: true }),
      key: effectKey(turn),
      changes: (textAt(properties, 'methodType') || 'get').toLowerCase() !== 'get',
    })
    if (result.ok) {
      const name = textAt(properties, 'resultVariable')
      if (name !== '') assignVariable(turn, name, result.body)
      return leave()
    }
    const { code, message, status, body } = result.error
    recordProblem(turn, 'call.failed', code)
    const told: { [name: string]: Json } = { code, message }
    if (status !== undefined) told.status = status
    if (body !== undefined) told.body = body
    const name = textAt(properties, 'errorVariable')
    if (name !== '') assignVariable(turn, name, told)
    return leave('output_error')
  },
}
