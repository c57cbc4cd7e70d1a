import { setTimeout as pause } from 'node:timers/promises'
import { processStream } from '#schemas/events/entity.ts'
import { follow } from '../store/follow.ts'
import type { EventStore } from '../store/port.ts'

interface WatchProcesses {
  readonly store: EventStore
  readonly resume: (root: string) => Promise<void>
  readonly failed: (error: unknown) => void
  /** A process that did not move for so long is taken up, ms. */
  readonly still?: number
}

const STILL_MS = 30_000
const PREFIX = processStream('')

/**
 * Resumes processes left by a killed node. A merely slow node continues in parallel: each step is written by the first
 * to reach it. Returns a stop function.
 */
export const watchProcesses = ({ store, resume, failed, still = STILL_MS }: WatchProcesses): (() => Promise<void>) => {
  const moved = new Map<string, number>()
  const following = follow(store, {
    name: 'processes',
    from: () => store.head(),
    filter: { streamPrefixes: [PREFIX] },
    event({ stream, type }) {
      const root = stream.slice(PREFIX.length)
      if (type === 'ProcessFinished') moved.delete(root)
      else moved.set(root, performance.now())
    },
    failed,
  })
  const look = setInterval(() => {
    const now = performance.now()
    for (const [root, at] of moved) {
      if (now - at < still) continue
      moved.set(root, now)
      resume(root).catch(failed)
    }
  }, still / 4).unref()
  return async () => {
    clearInterval(look)
    await following.stop()
  }
}

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
