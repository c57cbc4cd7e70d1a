import type { Store } from '../model/store.ts'
import type { Saving } from '../session/room/delivery.ts'

/** As long as a block that was drawn a moment ago is waited for, ms. */
const SAVE_TIMEOUT_MS = 3000

/** Resolves once all that was drawn here is stored, so that the server knows the block, or when that takes too long. */
export const afterSaving = (saving: Store<Saving>): Promise<void> =>
  new Promise(resolve => {
    if (saving.get().kept === 0) return resolve()
    const done = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(done, SAVE_TIMEOUT_MS)
    const stop = saving.subscribe(() => {
      if (saving.get().kept === 0) done()
    })
  })
