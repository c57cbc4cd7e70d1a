import { setTimeout as pause } from 'node:timers/promises'
import { appendIfFirst, NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { PACE_MS } from '#domain/desk/place.ts'
import { inQueueOrder, type RoutedMember, routeQueue, type WaitingChat } from '#domain/desk/route-queue.ts'
import type { ReleasedWhy } from '#schemas/events/desk.ts'
import { deskRouterStream } from '#schemas/events/desk.ts'
import { textOf } from '#schemas/json.ts'
import type { ConversationLog } from '../../conversation/store/log.ts'
import { isFree, type Lease, LeaseTerm } from '../../log/lease.ts'
import { exclusiveDrafts } from '../../log/stream-aggregate.ts'
import type { DeskDirectory, DeskQueue } from './desk-directory.ts'
import type { DeskIndex, DeskRow } from './desk-index.ts'
import type { DeskNotice } from './desk-notices.ts'
import type { DeskPresence } from './desk-presence.ts'
import type { Places } from './places.ts'

/** Of the right to give out the chats of a queue. */
const TERM = new LeaseTerm(15_000)
/** Nothing is left to do at this interval, unless a node died or the log was late. */
const SWEEP_MS = 15_000
/** A reservation without its assignment is freed after this time. */
const PENDING_MS = 10_000
/** Waiting chats that are looked up at a time. */
const BATCH = 25
/** Pause before a queue is routed again whose assignment was refused. */
const AGAIN_MS = 500
/** Supervisors are notified when a chat waits for this long and no member is available. */
const NOBODY_MS = 120_000
const DAY_MS = 86_400_000
const STOP_MS = 2_000
/** Longest delay of a timer. */
const MAX_TIMER_MS = 60_000

/** Timers of a clock that does not run. */
export interface DrivenTimers {
  /** Calls `act` when so many ms have passed. Returns how to cancel that. */
  later(ms: number, act: () => void): () => void
}

const REAL_TIMERS: DrivenTimers = {
  later(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
}

interface RouterParts {
  readonly node: string
  readonly store: EventStore
  readonly log: ConversationLog
  readonly desk: DeskIndex
  readonly directory: DeskDirectory
  readonly places: Places
  readonly presence: DeskPresence
  readonly levelOf: (bot: string) => Promise<string>
  readonly give: (row: DeskRow, user: string) => Promise<boolean>
  readonly release: (row: DeskRow, why: ReleasedWhy) => Promise<boolean>
  readonly notify: (notice: DeskNotice) => void
  readonly now: () => number
  readonly driven?: DrivenTimers | undefined
  readonly failed: (error: unknown) => void
}

const hasPlace = ({ isThere, load, capacity }: RoutedMember): boolean => isThere && load < capacity

/** Gives out the chats of queues: after each event that may change who gets one. */
export class DeskRouter {
  readonly #parts: RouterParts
  /** Queues that are routed now; true: again afterwards. */
  readonly #running = new Map<string, boolean>()
  readonly #leases = new Map<string, Lease>()
  readonly #timers = new Map<string, () => void>()
  /** Waits that ended in an assignment which the index may not show yet. */
  readonly #given = new Set<string>()
  readonly #alerted = new Set<string>()
  /** Runs while there are open chats, or agents who are not offline. */
  #sweeping: NodeJS.Timeout | undefined
  readonly #work = new Set<Promise<unknown>>()
  #checking: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(parts: RouterParts) {
    this.#parts = parts
    this.watch()
  }

  /** Begins to sweep when there is something to watch. */
  watch(): void {
    if (this.#parts.driven !== undefined) return
    if (this.#sweeping !== undefined || this.#isStopped || this.#isIdle()) return
    this.#sweeping = setInterval(() => {
      this.#track(this.sweep())
      if (!this.#isIdle()) return
      clearInterval(this.#sweeping)
      this.#sweeping = undefined
    }, SWEEP_MS).unref()
  }

  #isIdle(): boolean {
    const { desk } = this.#parts
    const hasChats = desk.isUsed && desk.open().length > 0
    return !hasChats && desk.places().every(({ state }) => state === 'offline')
  }

  /** Nothing is routed now. */
  get isQuiet(): boolean {
    return this.#running.size === 0 && this.#work.size === 0
  }

  /** Routes a queue soon. */
  poke(queue: string): void {
    if (this.#isStopped) return
    if (this.#running.has(queue)) this.#running.set(queue, true)
    else {
      this.#running.set(queue, false)
      setImmediate(() => this.#track(this.#run(queue)))
    }
  }

  pokeAll(): void {
    for (const queue of this.#parts.desk.waitedIn()) this.poke(queue)
  }

  /** Routes the queues of a user who may have a place now. */
  pokeOf(user: string): void {
    const { desk, directory } = this.#parts
    const waited = desk.waitedIn()
    if (waited.length === 0) return
    const poke = async () => {
      for (const id of waited)
        if ((await directory.queue(id))?.members.some(member => member.user === user) === true) this.poke(id)
    }
    this.#track(poke())
  }

  /** Takes chats from holders who lost the right to them, and routes again. */
  rightsChanged(): void {
    if (this.#isIdle()) return
    this.#checking ??= setTimeout(() => {
      this.#checking = undefined
      this.#track(this.#checkStates())
      this.#track(this.#checkHolders())
      this.pokeAll()
    }, 50).unref()
  }

  /** Does what was missed. Returns how much there was. */
  async sweep(): Promise<number> {
    const { desk } = this.#parts
    let done = (await this.#checkPlaces()) + (await this.#checkStates()) + (await this.#checkHolders())
    for (const queue of desk.waitedIn()) done += await this.#route(queue)
    await this.#alertQueues()
    return done
  }

  /** Whether a member of a queue is available, present and may see a bot. */
  async hasEligible(queue: DeskQueue, bot: string): Promise<boolean> {
    return (await this.#eligible(queue, bot)).length > 0
  }

  /** Places of the eligible members of a queue. */
  async placesOf(queue: DeskQueue, bot: string): Promise<number> {
    const profiles = (await this.#eligible(queue, bot)).map(user => this.#parts.directory.profile(user))
    return (await Promise.all(profiles)).reduce((sum, { capacity }) => sum + capacity, 0)
  }

  /** Notifies the supervisors of a queue, once until the cause ends. */
  async alert(queue: DeskQueue, message: DeskNotice['message'], conversation: string | null): Promise<void> {
    const key = `${queue.id} ${message} ${conversation ?? ''}`
    if (this.#alerted.has(key)) return
    this.#alerted.add(key)
    const users = this.#parts.directory.supervisorsAt(queue.hierarchylevel ?? '')
    if (users.length > 0)
      this.#parts.notify({ message, queue: queue.id, users, ...(conversation === null ? {} : { conversation }) })
  }

  /** Notifies when as many people wait in a queue as it names. */
  async alertFull(queue: DeskQueue, waiting: number): Promise<void> {
    if (queue.alert_at > 0 && waiting >= queue.alert_at) await this.alert(queue, 'desk.full', null)
    else this.#alerted.delete(`${queue.id} desk.full `)
  }

  async close(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#sweeping)
    clearTimeout(this.#checking)
    for (const cancel of this.#timers.values()) cancel()
    // An append to a store that is away is not waited for.
    await Promise.race([Promise.all(this.#work), pause(STOP_MS, undefined, { ref: false })])
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch(error => {
        if (!this.#isStopped) this.#parts.failed(error)
      })
      .finally(() => this.#work.delete(tracked))
    this.#work.add(tracked)
  }

  async #run(queue: string): Promise<void> {
    try {
      do {
        this.#running.set(queue, false)
        await this.#route(queue)
      } while (this.#running.get(queue) === true && !this.#isStopped)
    } finally {
      this.#running.delete(queue)
    }
  }

  async #eligible(queue: DeskQueue, bot: string): Promise<readonly string[]> {
    const { desk, directory, presence, levelOf } = this.#parts
    const agents = directory.agentsAt(await levelOf(bot))
    const available = new Set(desk.places().flatMap(({ user, state }) => (state === 'available' ? [user] : [])))
    return queue.members.flatMap(({ user }) =>
      available.has(user) && agents.has(user) && presence.isPresent(user) ? [user] : [],
    )
  }

  async #members(queue: DeskQueue): Promise<readonly RoutedMember[]> {
    const { desk, directory, presence } = this.#parts
    const places = new Map(desk.places().map(place => [place.user, place]))
    const loads = desk.loads()
    return Promise.all(
      queue.members.map(async ({ user, priority }) => {
        const { capacity } = await directory.profile(user)
        const place = places.get(user)
        return {
          user,
          priority: priority ?? 1,
          isThere: place?.state === 'available' && presence.isPresent(user),
          load: loads.get(user) ?? 0,
          capacity,
          lastAuto: place?.lastauto ?? 0,
          lastAssigned: place?.lastassigned ?? 0,
        }
      }),
    )
  }

  async #waiting(queue: DeskQueue, rows: readonly DeskRow[]): Promise<readonly WaitingChat[]> {
    const { directory, levelOf, desk, log, now } = this.#parts
    return Promise.all(
      rows.map(async row => {
        const agents = directory.agentsAt(await levelOf(row.bot))
        const held = await log.load(row.conversation)
        const named = await directory.find(textOf(held?.agent?.fields.agentId).trim())
        const since = now() - (queue.sticky_days ?? 0) * DAY_MS
        const last = queue.sticky_days > 0 ? desk.lastHolder(row.person, row.bot, since) : undefined
        // An agent that missed this chat is no longer preferred.
        const missed = new Set(held?.agent?.desk?.missed)
        const preferred = [named, last].find(user => user !== undefined && !missed.has(user))
        const declined = new Set(held?.agent?.desk?.declined)
        const hiddenFrom = new Set(
          queue.members.flatMap(({ user }) => (agents.has(user) && !declined.has(user) ? [] : [user])),
        )
        return {
          id: row.conversation,
          since: row.since,
          queued: row.queued,
          priority: row.priority,
          hiddenFrom,
          ...(preferred === undefined ? {} : { preferred }),
        }
      }),
    )
  }

  /** Returns the number of chats that were given. */
  async #route(id: string): Promise<number> {
    const { desk, directory, now } = this.#parts
    const queue = await directory.queue(id)
    const keyOf = ({ conversation, n, queued }: DeskRow) => `${conversation} ${n} ${queued}`
    const waiting = desk.waitingIn(id)
    for (const key of this.#given) if (!waiting.some(row => keyOf(row) === key)) this.#given.delete(key)
    const rows = waiting.filter(row => !this.#given.has(keyOf(row)))
    if (queue === undefined || !queue.enable || queue.mode === 'manual' || rows.length === 0) return 0
    let members = await this.#members(queue)
    const free = members.filter(hasPlace)
    if (free.length === 0) return 0
    const paced = Math.min(...free.map(({ lastAuto }) => lastAuto + PACE_MS))
    if (paced > now()) {
      this.#later(id, paced - now())
      return 0
    }
    if (!(await this.#lease(id))) return 0
    const at = now()
    const moments: number[] = []
    const ordered = inQueueOrder(rows.map(row => ({ ...row, id: row.conversation })))
    let count = 0
    // The first chats usually take all free agents: no more is looked up about the others.
    for (let from = 0; from < ordered.length && !this.#isStopped; from += BATCH) {
      const chats = await this.#waiting(queue, ordered.slice(from, from + BATCH))
      const { assigned, again } = routeQueue({
        ...{ mode: queue.mode, members, now: at, chats },
        stickyWait: (queue.sticky_wait ?? 0) * 1000,
      })
      if (again !== undefined) moments.push(again)
      for (const { chat, user } of assigned) {
        const row = rows.find(({ conversation }) => conversation === chat)
        if (row === undefined || this.#isStopped) continue
        if (await this.#parts.give(row, user)) {
          this.#given.add(keyOf(row))
          count += 1
        } else moments.push(at + AGAIN_MS)
      }
      const given = new Set(assigned.map(({ user }) => user))
      members = members.map(member =>
        given.has(member.user) ? { ...member, load: member.load + 1, lastAuto: at, lastAssigned: at } : member,
      )
      if (!members.some(member => hasPlace(member) && at - member.lastAuto >= PACE_MS)) break
    }
    if (moments.length > 0) this.#later(id, Math.min(...moments) - now())
    return count
  }

  #later(queue: string, ms: number): void {
    this.#timers.get(queue)?.()
    const delay = Math.min(Math.max(ms, 50), MAX_TIMER_MS)
    const { later } = this.#parts.driven ?? REAL_TIMERS
    const cancel = later(delay, () => {
      this.#timers.delete(queue)
      this.poke(queue)
    })
    this.#timers.set(queue, cancel)
  }

  /** Whether this node gives out the chats of a queue: takes a free lease, renews its own. */
  async #lease(queue: string): Promise<boolean> {
    const { node, store, now } = this.#parts
    const own = this.#leases.get(queue)
    if (own !== undefined && own.until > now() && !TERM.isDue(own, now())) return true
    const stream = deskRouterStream(queue)
    let end: StreamEnd = NO_EVENTS
    let known: Lease | undefined
    for await (const { revision, hash, position, data } of store.read(stream, { direction: 'backwards', limit: 1 })) {
      end = { revision, hash, position }
      known = { node: textOf(data.node), until: Number(data.until) }
    }
    if (!isFree(known, node, now())) {
      this.#leases.delete(queue)
      this.#later(queue, (known?.until ?? 0) - now())
      return false
    }
    const lease = TERM.grant(node, now())
    const data = { node, until: lease.until }
    const taken = await appendIfFirst(store, stream, end, exclusiveDrafts(stream, [{ type: 'RouterTaken', data }]))
    if (taken === undefined) {
      this.#later(queue, AGAIN_MS)
      return false
    }
    this.#leases.set(queue, lease)
    return true
  }

  /** Frees reservations without an assignment, and gives a place to a chat that lost its own. */
  async #checkPlaces(): Promise<number> {
    const { desk, places, now } = this.#parts
    let done = 0
    for (const { slot, user, conversation, at } of desk.slots()) {
      const row = desk.get(conversation)
      if (now() - at < PENDING_MS || (row?.status === 'held' && row.slot === slot)) continue
      await places.free(user, slot)
      done += 1
    }
    for (const row of desk.held()) {
      const { status, slot, holder, conversation, n, assigned } = row
      if (status !== 'held' || holder === null || slot === null || now() - (assigned ?? 0) < PENDING_MS) continue
      if (desk.slot(slot) !== undefined) continue
      await places.take(holder, { slot, conversation, n, auto: false, forced: true, capacity: 0 })
      done += 1
    }
    return done
  }

  /** Ends expired pauses, and sets users without a session offline. */
  async #checkStates(): Promise<number> {
    const { desk, places, directory, now } = this.#parts
    let done = 0
    for (const { user, state, until } of desk.places()) {
      if (state === 'offline') continue
      if (!directory.hasSession(user)) await places.setState(user, { state: 'offline' }, 'system')
      else if (state === 'paused' && until !== null && until <= now())
        await places.setState(user, { state: 'available' }, 'system')
      else continue
      done += 1
    }
    return done
  }

  async #checkHolders(): Promise<number> {
    const { desk, directory, levelOf, release } = this.#parts
    let done = 0
    for (const row of desk.held()) {
      if (row.holder === null || directory.agentsAt(await levelOf(row.bot)).has(row.holder)) continue
      // A locked or removed user has no session.
      if (await release(row, directory.hasSession(row.holder) ? 'returned' : 'absent')) done += 1
    }
    return done
  }

  /** Notifies of queues in which a chat waits and nobody is there, each time that this begins. */
  async #alertQueues(): Promise<void> {
    const { desk, directory, now } = this.#parts
    const waited = new Set(desk.waitedIn())
    for (const key of this.#alerted) if (!waited.has(key.split(' ', 1)[0] ?? '')) this.#alerted.delete(key)
    for (const id of waited) {
      const queue = await directory.queue(id)
      if (queue === undefined) continue
      const waiting = desk.waitingIn(id)
      await this.alertFull(queue, waiting.length)
      const longest = Math.min(...waiting.map(({ queued }) => queued))
      const [first] = waiting
      const isStuck = first !== undefined && now() - longest >= NOBODY_MS && !(await this.hasEligible(queue, first.bot))
      if (isStuck) await this.alert(queue, 'desk.nobody', null)
      else this.#alerted.delete(`${id} desk.nobody `)
    }
  }
}
