import { type BlockRuntime, END } from '../turn.ts'

export const enddialog: BlockRuntime = {
  run() {
    return END
  },
}
