import { type BlockRuntime, leave } from '../block-runtime.ts'

/** RUNTIME 24. */
export const start: BlockRuntime = {
  run() {
    return leave()
  },
}
