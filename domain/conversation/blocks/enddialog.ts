import { type BlockRuntime, END } from '../turn.ts'

/** RUNTIME 33. */
export const enddialog: BlockRuntime = {
  run() {
    return END
  },
}
