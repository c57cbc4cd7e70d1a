import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { Claim } from '#schemas/events/conversation.ts'
import { isExpired } from '../../log/lease.ts'
import type { Fact } from '../engine/conversation-facts.ts'
import type { ConversationEngine } from '../engine/engine.ts'
import { channelWindow, type FoldedConversation } from '../engine/folded-conversation.ts'
import type { ConversationIndex } from '../index/conversation-index.ts'
import { stateOf } from '../index/conversation-page.ts'
import type { ConversationLog } from '../store/log.ts'

const TICK_MS = 500
/** With the length of a claim, keeps a takeover below 35 s after the death of a node. */
const SWEEP_MS = 2500
/** Limit of conversations processed at one time: a call that hangs occupies one of these places. */
const MAX_AT_ONCE = 100
/** Conversations that begin together: then the event loop serves others. */
const SLICE = 32
/** Delay before a busy conversation is checked again. */
const BUSY_MS = 1000
const STOPPED_MS = 5000
const STOP_MS = 2000
const DAY_MS = 86_400_000
/** Limit of expired claims that are searched for those of one bot. */
const MAX_TAKEN = 1000

interface ClockOptions {
  readonly node: string
  readonly engine: ConversationEngine
  readonly log: ConversationLog
  readonly index: ConversationIndex
  /** No turn begins while its bot is stopped. */
  readonly isStopped: (bot: string) => Promise<boolean>
  /** Whether this node is the first that fires the timers of a conversation. */
  readonly isFirst: (id: string) => boolean
  /** Nodes whose heartbeats stopped. */
  readonly silent: () => readonly string[]
  readonly failed: (error: unknown) => void
  /** Nothing is polled: the caller fires what is due. */
  readonly isDriven?: boolean | undefined
  readonly tookOver?: (() => void) | undefined
}

/** Whether the person's channel accepts only templates now (C-9.08). */
const isWindowClosed = (held: FoldedConversation, now: number): boolean => {
  const end = channelWindow(held)
  return end !== undefined && now > end
}

/** The next event of the clock, if it is due. */
const dueFact = (held: FoldedConversation, now: number): Omit<Fact, 'time'> | undefined => {
  const { id, state, idleEnd } = held
  const planned = state.schedules.find(({ at }) => at <= now)
  if (planned !== undefined) {
    const isOutside = planned.hasTemplate !== true && isWindowClosed(held, now)
    const reason = now - planned.at > DAY_MS ? 'late' : isOutside ? 'window' : undefined
    const data = { schedule: planned.id, ...(reason === undefined ? {} : { reason }) }
    const type = reason === undefined ? 'ScheduleFired' : 'ScheduleSkipped'
    return { type, data, cause: `${id} ${planned.id} ${planned.at}` }
  }
  const wait = state.status === 'waiting' ? state.frames.at(-1)?.wait : undefined
  const isOver = (moment: number | undefined) => moment !== undefined && moment <= now
  const isLate = (moment: number | undefined) => moment !== undefined && now - moment > DAY_MS
  const end = wait?.endAt ?? (state.status === 'idle' ? idleEnd : undefined)
  // No person receives a timeout message more than a day late.
  if (isLate(end)) return { type: 'ConversationEnded', data: { reason: 'timeout' }, cause: `${id} ended` }
  if (isLate(wait?.remindAt)) {
    return { type: 'TimerFired', data: { timer: 'reminder', dropped: true }, cause: `${id} dropped ${wait?.remindAt}` }
  }
  if (isOver(wait?.endAt) || (state.status === 'idle' && isOver(idleEnd))) {
    return { type: 'TimerFired', data: { timer: 'timeout' }, cause: `${id} timeout ${wait?.endAt ?? idleEnd}` }
  }
  return isOver(wait?.remindAt)
    ? { type: 'TimerFired', data: { timer: 'reminder' }, cause: `${id} reminder ${wait?.remindAt}` }
    : undefined
}

const beginsTurn = ({ type, data }: Omit<Fact, 'time'>): boolean =>
  type !== 'ScheduleSkipped' && type !== 'ConversationEnded' && data.dropped !== true

/**
 * Polls for ids and works on each, never twice at once and on at most `MAX_AT_ONCE` in parallel. If there are more, it
 * refills as soon as there is room.
 */
const openPump = (
  ms: number,
  find: (limit: number) => readonly string[],
  work: (id: string) => Promise<void>,
  failed: (error: unknown) => void,
) => {
  const running = new Map<string, Promise<void>>()
  let isStopped = false
  let isFilling = false
  let isMore = false
  const refill = (): void => {
    if (isFilling || !isMore || running.size > MAX_AT_ONCE / 2) return
    isMore = false
    setImmediate(fillSafely)
  }
  const fill = async (): Promise<void> => {
    const room = MAX_AT_ONCE - running.size
    const found = find(2 * MAX_AT_ONCE).filter(id => !running.has(id))
    isMore = found.length > room
    for (const [place, id] of found.slice(0, room).entries()) {
      if (place > 0 && place % SLICE === 0) await nextTurn()
      if (isStopped) return
      const done = work(id)
        .catch(failed)
        .finally(() => {
          running.delete(id)
          refill()
        })
      running.set(id, done)
    }
  }
  const fillSafely = (): void => {
    if (isFilling || isStopped) return
    isFilling = true
    void fill()
      .catch(failed)
      .finally(() => {
        isFilling = false
        refill()
      })
  }
  const timer = setInterval(fillSafely, ms)
  timer.unref()
  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.all(running.values())
    },
  }
}

/** Takes over a turn that its node no longer finishes, according to `isGone`. Returns whether there was one. */
const takesOver =
  ({ node, engine, log, tookOver }: Pick<ClockOptions, 'node' | 'engine' | 'log' | 'tookOver'>) =>
  async (id: string, isGone: (claim: Claim) => boolean): Promise<boolean> => {
    if (engine.isRunning(id)) return false
    const now = engine.now()
    let isTaken = false
    let isOther = false
    const written = await log.write(id, held => {
      const claim = held?.claim
      isTaken = false
      if (held === undefined || claim === undefined || held.ended !== undefined || held.inbox.length === 0) return []
      // The claim may have been renewed or taken since the index was updated.
      if (!isGone(claim)) return []
      isTaken = true
      isOther = claim.node !== node
      const data = { claim: { ...engine.claim() } }
      return [{ type: 'ClaimTaken', data, cause: `${id} taken ${claim.node} ${claim.until}`, time: now }]
    })
    if (isTaken && isOther) tookOver?.()
    if (written !== undefined) await engine.run(id, written, isTaken && isOther)
    return isTaken
  }

/** Fires due events, and takes over turns of dead nodes. */
export const startClock = (options: ClockOptions) => {
  const { node, engine, log, index, isStopped, isFirst, silent, failed } = options
  const fire = async (id: string): Promise<void> => {
    const held = await log.load(id)
    if (held === undefined || held.ended !== undefined) return index.setDue(id, undefined)
    const now = engine.now()
    if (held.inbox.length > 0 || !engine.isFree(held)) return index.setDue(id, now + BUSY_MS)
    // Conversations of a stopped bot must not block the queue for others.
    if (await isStopped(held.bot)) return index.setDue(id, now + STOPPED_MS)
    const next = dueFact(held, now)
    const stored =
      next !== undefined && beginsTurn(next) ? await engine.runUnclaimed(held, { ...next, time: now }) : undefined
    if (stored !== undefined) return index.setDue(id, stored.due)
    const written = await log.write(id, latest => {
      if (latest === undefined || latest.ended !== undefined || latest.inbox.length > 0) return []
      const fact = dueFact(latest, now)
      if (fact === undefined) return []
      const claim = beginsTurn(fact) ? { claim: { ...engine.claim() } } : {}
      return [{ ...fact, data: { ...fact.data, ...claim }, time: now }]
    })
    index.setDue(id, written?.due)
    await engine.run(id, written)
  }

  const takeOver = takesOver(options)
  const isLate = (claim: Claim) => isExpired(claim, engine.now())
  const startPumps = () => [
    openPump(TICK_MS, limit => index.due(engine.now(), limit, isFirst), fire, failed),
    openPump(
      SWEEP_MS * (0.8 + Math.random() * 0.2),
      limit => index.claimed(engine.now(), limit),
      async id => void (await takeOver(id, isLate)),
      failed,
    ),
    openPump(
      SWEEP_MS * (0.8 + Math.random() * 0.2),
      limit => {
        const nodes = silent()
        return nodes.length === 0 ? [] : index.claimedBy(nodes, limit)
      },
      async id => void (await takeOver(id, claim => silent().includes(claim.node))),
      failed,
    ),
  ]
  const pumps = options.isDriven === true ? [] : startPumps()
  return {
    fire,
    /** Takes over the claims of earlier nodes of this folder: no other process can hold them. */
    async takeOverAll() {
      await Promise.all(index.claimedByOthers(node).map(id => takeOver(id, claim => claim.node !== node).catch(failed)))
    },
    /** Takes over turns of a bot with an expired claim at once. Returns their number. */
    async takeOverOf(bot: string): Promise<number> {
      const late = index.claimed(engine.now(), MAX_TAKEN).filter(id => index.get(id)?.bot === bot)
      const taken = await Promise.all(late.map(id => takeOver(id, isLate)))
      return taken.filter(Boolean).length
    },
    async stop() {
      // A call that hangs is not waited for.
      await Promise.race([Promise.all(pumps.map(pump => pump.stop())), pause(STOP_MS, undefined, { ref: false })])
    },
  }
}

/** Interval between checks of a turn on another node. */
const LOOK_MS = 20

/** Waits until no turn of a conversation runs, at most `ms`; false when a turn still runs. */
export const untilSettled = async (
  log: ConversationLog,
  engine: ConversationEngine,
  conversation: string,
  ms: number,
): Promise<boolean> => {
  const ends = performance.now() + ms
  for (;;) {
    const held = await log.load(conversation)
    if (held === undefined || stateOf(held) !== 'active') return true
    const left = ends - performance.now()
    if (left <= 0) return false
    // A turn of this node resolves at its end; a turn of another node is polled.
    const running = engine.isRunning(conversation) ? engine.run(conversation) : pause(LOOK_MS)
    await Promise.race([running, pause(left, undefined, { ref: false })])
  }
}
