import { type BlockRuntime, leave } from '../turn.ts'

/** RUNTIME 24. */
export const start: BlockRuntime = {
  run() {
    return leave()
  },
}
