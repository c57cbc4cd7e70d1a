import type { BlockRuntime } from '../block-runtime.ts'

/** Asks the last answered question again (RUNTIME 34). */
export const goback: BlockRuntime = {
  run() {
    return { kind: 'back' }
  },
}
