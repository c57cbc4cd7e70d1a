import { textAt } from '#schemas/json.ts'
import { type BlockRuntime, END, recordProblem, taskFrame } from '../turn.ts'

/** Another task instead of everything that runs. */
export const gototask: BlockRuntime = {
  run(turn, { properties }) {
    const frame = taskFrame(turn, textAt(properties, 'task'), textAt(properties, 'taskdialog'), 'root')
    if (frame !== undefined) return { kind: 'replace', frame }
    recordProblem(turn, 'missing.task')
    return END
  },
}
