import { textAt } from '#schemas/json.ts'
import { type BlockRuntime, frameThatWaits, leave, recordProblem, topFrame } from '../turn.ts'

/**
 * Another dialog with the variables of the caller, or of the dialog that waits where this is an interruption: it may
 * read and answer what that dialog asks.
 */
export const contextdialog: BlockRuntime = {
  run(turn, { properties }) {
    const dialog = textAt(properties, 'dialog')
    const caller = topFrame(turn.state)
    if (!turn.release.dialogs.has(dialog) || caller === undefined) {
      recordProblem(turn, 'missing.dialog')
      return leave()
    }
    const of = frameThatWaits(turn.state) ?? caller
    return {
      kind: 'call',
      frame: { kind: 'context', task: caller.task, dialog, localsOf: of.localsOf ?? of.id },
      returns: 'output_1',
    }
  },
}
