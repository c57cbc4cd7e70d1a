import { type BlockRuntime, END } from '../block-runtime.ts'

/** RUNTIME 33. */
export const enddialog: BlockRuntime = {
  run() {
    return END
  },
}
