import { textAt } from '#schemas/json.ts'
import { type BlockRuntime, END, recordProblem, topFrame } from '../turn.ts'

/** Jumps to another block of the same dialog. */
export const gotonodesrc: BlockRuntime = {
  run(turn, { properties }) {
    const destination = textAt(properties, 'destination')
    const dialog = topFrame(turn.state)?.dialog ?? ''
    if (turn.release.dialogs.get(dialog)?.blocks.has(destination) === true) return { kind: 'jump', block: destination }
    recordProblem(turn, 'missing.block')
    return END
  },
}
