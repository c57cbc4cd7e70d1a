import { setTimeout as pause } from 'node:timers/promises'
import type { ConversationEngine } from './engine.ts'
import type { FoldedConversation } from './folded-conversation.ts'
import type { ConversationIndex } from './index-file.ts'
import type { ConversationLog, Fact } from './log.ts'

const TICK_MS = 500
const SWEEP_MS = 5000
/** Conversations that are moved on at one tick. */
const MAX_AT_ONCE = 500
const STOP_MS = 2000
const DAY_MS = 86_400_000

interface ClockOptions {
  readonly node: string
  readonly engine: ConversationEngine
  readonly log: ConversationLog
  readonly index: ConversationIndex
  /** No turn begins while its bot is stopped (RUNTIME 5). */
  readonly isStopped: (bot: string) => Promise<boolean>
  readonly failed: (error: unknown) => void
}

/** The event that the clock brings next, if it is time (RUNTIME 69, 71). */
const dueFact = (held: FoldedConversation, now: number): Omit<Fact, 'time'> | undefined => {
  const { id, state, idleEnd } = held
  const planned = state.schedules.find(({ at }) => at <= now)
  if (planned !== undefined) {
    const type = now - planned.at > DAY_MS ? 'ScheduleSkipped' : 'ScheduleFired'
    return { type, data: { schedule: planned.id }, id: `${id} ${planned.id} ${planned.at}` }
  }
  const wait = state.status === 'waiting' ? state.frames.at(-1)?.wait : undefined
  const isOver = (moment: number | undefined) => moment !== undefined && moment <= now
  if (isOver(wait?.endAt) || (state.status === 'idle' && isOver(idleEnd))) {
    return { type: 'TimerFired', data: { timer: 'timeout' }, id: `${id} timeout ${wait?.endAt ?? idleEnd}` }
  }
  return isOver(wait?.remindAt)
    ? { type: 'TimerFired', data: { timer: 'reminder' }, id: `${id} reminder ${wait?.remindAt}` }
    : undefined
}

/** Fires what is due, and takes over turns of nodes that are gone (RUNTIME 65, 69). */
export const startClock = ({ node, engine, log, index, isStopped, failed }: ClockOptions) => {
  let busy: Promise<void> = Promise.resolve()

  const fire = async (id: string): Promise<void> => {
    const held = await log.load(id)
    if (held === undefined || held.ended !== undefined) return index.setDue(id, undefined)
    if (held.inbox.length > 0 || !engine.isFree(held) || (await isStopped(held.bot))) return
    const now = engine.now()
    const written = await log.write(id, latest => {
      if (latest === undefined || latest.ended !== undefined || latest.inbox.length > 0) return []
      const fact = dueFact(latest, now)
      if (fact === undefined) return []
      const claim = fact.type === 'ScheduleSkipped' ? {} : { claim: { ...engine.claim() } }
      return [{ ...fact, data: { ...fact.data, ...claim }, time: now }]
    })
    index.setDue(id, written?.due)
    await engine.run(id)
  }

  /** A turn whose node does not finish it any more. */
  const takeOver = async (id: string): Promise<void> => {
    if (engine.isRunning(id)) return
    const now = engine.now()
    const written = await log.write(id, held => {
      const claim = held?.claim
      if (held === undefined || claim === undefined || held.ended !== undefined || held.inbox.length === 0) return []
      const data = { claim: { ...engine.claim() } }
      return [{ type: 'ClaimTaken', data, id: `${id} taken ${claim.node} ${claim.until}`, time: now }]
    })
    if (written !== undefined) await engine.run(id)
  }

  const eachOf = async (ids: readonly string[], work: (id: string) => Promise<void>) => {
    await Promise.all(ids.map(id => work(id).catch(failed)))
  }
  const often = (ms: number, work: () => Promise<void>) => {
    const timer = setInterval(() => {
      busy = busy.then(work).catch(failed)
    }, ms)
    timer.unref()
    return timer
  }
  const timers = [
    often(TICK_MS, () => eachOf(index.due(engine.now(), MAX_AT_ONCE), fire)),
    often(SWEEP_MS, () => eachOf(index.claimed(engine.now()), takeOver)),
  ]
  return {
    fire,
    /** What a node of this folder that is gone held: nobody else can have it. */
    takeOverAll: () => eachOf(index.claimed(0, node), takeOver),
    async stop() {
      for (const timer of timers) clearInterval(timer)
      // A call that does not come back is not waited for.
      await Promise.race([busy, pause(STOP_MS, undefined, { ref: false })])
    },
  }
}
