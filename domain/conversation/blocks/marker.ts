import { type BlockRuntime, leave } from '../turn.ts'

/** Names a section in reports (RUNTIME 25). */
export const marker: BlockRuntime = {
  run() {
    return leave()
  },
}
