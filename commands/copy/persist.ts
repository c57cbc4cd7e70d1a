import { setTimeout as pause } from 'node:timers/promises'
import { StoreUnavailable } from '../store/port.ts'
import type { Patience } from './place.ts'

const FIRST_PAUSE = 100
const MAX_PAUSE_MS = 2000

/** Retries repeatable work until the store answers. @throws StoreUnavailable after `patience` */
export const persist = async <T>(work: () => Promise<T>, patience: Patience): Promise<T> => {
  const until = performance.now() + patience
  for (let wait = FIRST_PAUSE; ; wait = Math.min(2 * wait, MAX_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() + wait > until) throw error
    }
    await pause(wait)
  }
}
