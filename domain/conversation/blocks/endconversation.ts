import type { BlockRuntime } from '../block-runtime.ts'

/** RUNTIME 33. */
export const endconversation: BlockRuntime = {
  run() {
    return { kind: 'close' }
  },
}
