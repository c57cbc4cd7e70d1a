import { moveState } from '#domain/conversation/move-state.ts'
import type { Row } from '#projections/port.ts'
import type { Releases } from '../../port.ts'
import type { Fact } from './fact.ts'
import type { FoldedConversation } from './folded-conversation.ts'

/** ms within which the release of a restart exists. */
const SETTLE_MS = 5_000
/** Limit of restarts in memory. */
const MAX_KNOWN = 1_000

/**
 * Checks whether a bot was restarted with a newer release than a conversation runs, and computes what the move keeps
 * (RUNTIME 4).
 */
export const openMoves = (
  releases: Releases,
  botOf: (id: string) => Promise<Row | undefined>,
  now: () => number,
): ((held: FoldedConversation) => Promise<Fact['data'] | undefined>) => {
  /** Number of the release that a bot was restarted with, by bot and moment. */
  const restarted = new Map<string, number>()
  const restartedWith = async (bot: string, at: number): Promise<number> => {
    const key = `${bot} ${at}`
    const known = restarted.get(key)
    if (known !== undefined) return known
    const number = await releases.at(bot, at + SETTLE_MS)
    if (restarted.size >= MAX_KNOWN) restarted.clear()
    if (now() > at + SETTLE_MS) restarted.set(key, number)
    return number
  }
  return async held => {
    const at = Date.parse(String((await botOf(held.bot))?.restarted_at))
    if (!(held.since < at) || held.release >= (await restartedWith(held.bot, at))) return undefined
    const newest = await releases.newest(held.bot)
    if (newest === undefined) return undefined
    const [from, to] = await Promise.all([
      releases.compiled(held.bot, held.release),
      releases.compiled(held.bot, newest.number),
    ])
    const { state, isLost } = moveState(held.state, from, to)
    return { from: held.release, release: newest.number, frames: state.frames.map(({ id }) => id), lost: isLost }
  }
}
