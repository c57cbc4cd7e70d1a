import { textAt } from '#schemas/json.ts'
import { type BlockRuntime, leave, recordProblem, topFrame } from '../turn.ts'

/** Another dialog, with separate variables. */
export const subdialog: BlockRuntime = {
  run(turn, { properties }) {
    const dialog = textAt(properties, 'subScenario')
    if (!turn.release.dialogs.has(dialog)) {
      recordProblem(turn, 'missing.dialog')
      return leave()
    }
    const task = topFrame(turn.state)?.task ?? null
    return { kind: 'call', frame: { kind: 'sub', task, dialog }, returns: 'output_1' }
  },
}
