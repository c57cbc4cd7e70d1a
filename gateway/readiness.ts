import { type Follower, followersOf, lateFollower } from '#commands/store/follow.ts'
import { type EventStore, StoreReadOnly, WrongRevision } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import type { OpenRooms } from '#realtime/rooms.ts'
import type { RefusalCode } from '#schemas/refusal.ts'
import type { Metrics } from './metrics.ts'

/** Events not shown yet from which on a node tells yesterday's news: as many as are read ahead of the projection. */
const FAR_BEHIND = 2000

/** Whether this node should be given requests, and why not. */
export class Readiness {
  #stage: 'serving' | 'leaving' | 'draining' = 'serving'
  #awaited: string | undefined
  readonly #read: ReadModels
  readonly #rooms: Pick<OpenRooms, 'unready'>
  readonly #store: Pick<Writability, 'reason'>
  readonly #followed = new Set<EventStore>()

  constructor(read: ReadModels, rooms: Pick<OpenRooms, 'unready'>, store: Pick<Writability, 'reason'>) {
    this.#read = read
    this.#rooms = rooms
    this.#store = store
  }

  /** Whether this node is about to end: its connections are closed with their next answer. */
  get isLeaving(): boolean {
    return this.#stage !== 'serving'
  }

  /** Why nothing may be written at present: this node is going, or has lost sight of the log. */
  get writeRefusal(): RefusalCode | undefined {
    if (this.#stage === 'draining') return 'server.draining'
    return this.#rooms.unready() === undefined ? undefined : 'store.unavailable'
  }

  /** From now on the node is not ready. Writes are taken until `drain`. */
  leave(): void {
    this.#stage = 'leaving'
  }

  /** From now on writes are refused and the node is not ready. */
  drain(): void {
    this.#stage = 'draining'
  }

  /** A write was answered before this node showed it: not ready until it does. */
  fellBehind(position: string): void {
    if (this.#awaited === undefined || position > this.#awaited) this.#awaited = position
  }

  /** From now on a follower of this store that is older than 10 s makes the node not ready. */
  watch(store: EventStore): void {
    this.#followed.add(store)
  }

  /** The followers of all watched stores. */
  followers(): readonly Follower[] {
    return [...this.#followed].flatMap(followersOf)
  }

  /** Undefined when ready, else one line. */
  reason(): string | undefined {
    if (this.isLeaving) return 'draining'
    const unable = this.#rooms.unready() ?? this.#store.reason() ?? this.#late()
    if (unable !== undefined) return unable
    const { ready, reason, position, behind } = this.#read.status()
    if (!ready) return reason ?? 'the read models are being built'
    if (behind >= FAR_BEHIND) return 'the read models are far behind'
    if (this.#awaited !== undefined && position < this.#awaited) return 'the read models are behind'
    this.#awaited = undefined
    return undefined
  }

  #late(): string | undefined {
    for (const store of this.#followed) {
      const late = lateFollower(store)
      if (late !== undefined) return `the follower of ${late.name} ${late.isFailing ? 'fails' : 'is late'}`
    }
    return undefined
  }
}

/** While writes are refused, how often it is looked whether they are taken again. */
const LOOK_MS = 1_000

/** Whether the store takes writes, by its newest append: recovers automatically from a full or read-only disk. */
export class Writability {
  readonly #store: Pick<EventStore, 'probe'>
  #timer: NodeJS.Timeout | undefined

  constructor(store: Pick<EventStore, 'probe'>) {
    this.#store = store
  }

  /** Undefined while writes are taken, else one line. */
  reason(): string | undefined {
    return this.#timer === undefined ? undefined : 'the event store takes no writes'
  }

  /** Records an append's outcome. */
  observe(error?: unknown): void {
    if (error === undefined) this.stop()
    else if (error instanceof StoreReadOnly) this.#timer ??= setInterval(() => void this.#look(), LOOK_MS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #look(): Promise<void> {
    try {
      await this.#store.probe()
      this.stop()
    } catch {
      // It is looked again.
    }
  }
}

/** The same store with counted and timed appends, each of which `writability` observes. */
export const measuredStore = (
  store: EventStore,
  { appends, appendSeconds }: Metrics,
  writability: Pick<Writability, 'observe'>,
): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'append') return member.bind(target)
      const append: EventStore['append'] = async (...given) => {
        const began = performance.now()
        try {
          const appended = await target.append(...given)
          appends.inc({ outcome: 'written' })
          writability.observe()
          return appended
        } catch (error) {
          writability.observe(error)
          appends.inc({ outcome: error instanceof WrongRevision ? 'conflict' : 'failed' })
          throw error
        } finally {
          appendSeconds.observe((performance.now() - began) / 1000)
        }
      }
      return append
    },
  })
