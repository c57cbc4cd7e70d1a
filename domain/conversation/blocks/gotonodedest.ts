import { type BlockRuntime, leave } from '../block-runtime.ts'

/** RUNTIME 32. */
export const gotonodedest: BlockRuntime = {
  run() {
    return leave()
  },
}
