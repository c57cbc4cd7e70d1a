import type { BlockRuntime } from '../turn.ts'

/** RUNTIME 33. */
export const endconversation: BlockRuntime = {
  run() {
    return { kind: 'close' }
  },
}
