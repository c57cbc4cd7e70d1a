import { textAt } from '#schemas/json.ts'
import { type BlockRuntime, leave, recordProblem, taskFrame } from '../turn.ts'

/** Another task, and then on. */
export const gototaskandwait: BlockRuntime = {
  run(turn, { properties }) {
    const frame = taskFrame(turn, textAt(properties, 'task'), textAt(properties, 'taskdialog'), 'task')
    if (frame !== undefined) return { kind: 'call', frame, returns: 'output_1' }
    recordProblem(turn, 'missing.task')
    return leave()
  },
}
