import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationEngine } from '../engine/engine.ts'
import { stateOf } from '../index/page-of.ts'
import type { ConversationLog } from '../store/log.ts'

/** A turn of another node is looked at as often. */
const LOOK_MS = 20

/** Waits until no turn of a conversation runs, at most `ms`; false when one still does. */
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
    // A turn of this node tells its end; that of another is looked for.
    const running = engine.isRunning(conversation) ? engine.run(conversation) : pause(LOOK_MS)
    await Promise.race([running, pause(left, undefined, { ref: false })])
  }
}
