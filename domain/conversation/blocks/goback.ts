import type { BlockRuntime } from '../turn.ts'

/** Asks the last answered question again. */
export const goback: BlockRuntime = {
  run() {
    return { kind: 'back' }
  },
}
