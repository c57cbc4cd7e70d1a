import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationEngine } from '../engine/engine.ts'
import { stateOf } from '../index/page-of.ts'
import type { ConversationLog } from '../store/log.ts'

/** Interval between checks of a turn on another node. */
const LOOK_MS = 20

/** Waits until no turn of a conversation runs, at most `ms`; false when a turn still runs. */
export const untilSettled = async (
  log: ConversationLog,
  engine: ConversationEngine,
  conversation: string,
  ms: number,
): Promise<boolean> => {
  const ends = engine.now() + ms
  for (;;) {
    const held = await log.load(conversation)
    if (held === undefined || stateOf(held) !== 'active') return true
    const left = ends - engine.now()
    if (left <= 0) return false
    // A turn of this node resolves at its end; a turn of another node is polled.
    const running = engine.isRunning(conversation) ? engine.run(conversation) : pause(LOOK_MS)
    await Promise.race([running, pause(left, undefined, { ref: false })])
  }
}
