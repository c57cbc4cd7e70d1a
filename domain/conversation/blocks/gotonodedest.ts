import { type BlockRuntime, leave } from '../turn.ts'

/** RUNTIME 32. */
export const gotonodedest: BlockRuntime = {
  run() {
    return leave()
  },
}
