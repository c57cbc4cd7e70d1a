import { type BlockRuntime, leave } from '../turn.ts'

export const start: BlockRuntime = {
  run() {
    return leave()
  },
}
