import { type BlockRuntime, leave } from '../turn.ts'

export const gotonodedest: BlockRuntime = {
  run() {
    return leave()
  },
}
