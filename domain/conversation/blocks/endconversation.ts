import type { BlockRuntime } from '../turn.ts'

export const endconversation: BlockRuntime = {
  run() {
    return { kind: 'close' }
  },
}
