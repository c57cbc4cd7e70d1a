import { type BlockRuntime, leave } from '../turn.ts'

/** Names a section in reports. */
export const marker: BlockRuntime = {
  run() {
    return leave()
  },
}
