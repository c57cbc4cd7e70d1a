import type { BlockRuntime } from '../turn.ts'

/** Asks the last answered question again (RUNTIME 34). */
export const goback: BlockRuntime = {
  run() {
    return { kind: 'back' }
  },
}
