import { setTimeout as pause } from 'node:timers/promises'

const AGAIN_AFTER = 60_000

/** Ends what crashes left unfinished; while the store cannot tell all of it, it is asked again, ms later. */
export const resumeAll = async (
  resume: () => Promise<void>,
  failed: (error: unknown) => void,
  again = AGAIN_AFTER,
): Promise<void> => {
  for (;;) {
    try {
      return await resume()
    } catch (error) {
      failed(error)
      await pause(again, undefined, { ref: false })
    }
  }
}
