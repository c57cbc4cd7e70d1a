import { type BlockRuntime, leave } from '../block-runtime.ts'

/** Names a section in reports (RUNTIME 25). */
export const marker: BlockRuntime = {
  run() {
    return leave()
  },
}
