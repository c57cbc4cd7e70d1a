import type { Json } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import type { CallError } from '../effect.ts'
import { type BlockRuntime, effectKey, leave, perform, recordProblem } from '../turn.ts'
import { assignVariable, contextOf } from '../variables.ts'

/** The answer fits into one variable, but not beside the others. */
const TOO_LARGE = { code: 'size', message: 'larger than the variables may be' }

/** Calls a service. An answer that cannot be kept is a failure. */
export const restservice: BlockRuntime = {
  *run(turn, block) {
    const { properties } = block
    const answer = yield* perform(turn, {
      kind: 'rest',
      properties,
      parser: turn.settings.parser,
      context: contextOf(turn, { masked: true }),
      key: effectKey(turn),
      changes: (textAt(properties, 'methodType') || 'get').toLowerCase() !== 'get',
    })
    const result = textAt(properties, 'resultVariable')
    if (answer.ok && (result === '' || assignVariable(turn, result, answer.body))) return leave()
    const { code, message, status, body }: CallError = answer.ok
      ? { ...TOO_LARGE, status: answer.status }
      : answer.error
    recordProblem(turn, 'call.failed', code)
    const told: { [name: string]: Json } = { code, message }
    if (status !== undefined) told.status = status
    if (body !== undefined) told.body = body
    const name = textAt(properties, 'errorVariable')
    if (name !== '') assignVariable(turn, name, told)
    return leave('output_error')
  },
}
