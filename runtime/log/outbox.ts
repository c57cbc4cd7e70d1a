import { appendAtEnd, appendIfFirst, endOf, NO_STREAM } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { FollowedIndex } from './followed-index.ts'
import type { LeaseTerm } from './lease.ts'
import { exclusiveDrafts, removeStream } from './stream-aggregate.ts'

const TICK_MS = 1_000
const MAX_REMOVED_AT_ONCE = 20
/** Longest wait at shutdown for attempts under way; another node, or the next start, repeats them. */
const STOP_MS = 2_000

interface Item {
  /** Next attempt, ms since 1970; null: there is none. */
  readonly due: number | null
}

/** Items of an outbox, folded from their streams. */
type OutboxIndex<Sent extends Item> = Pick<FollowedIndex, 'reached' | 'close'> & {
  get(id: string): Sent | undefined
  /** Ids from before a moment. */
  older(before: number, limit: number): readonly string[]
  forget(id: string): void
}

interface OutboxOptions<Sent extends Item> {
  readonly store: EventStore
  readonly node: string
  readonly failed: (error: unknown) => void
  readonly now?: (() => number) | undefined
  readonly tickMs?: number | undefined
  readonly index: OutboxIndex<Sent>
  readonly streamOf: (id: string) => string
  /** Types of the first event of an item, and of the one with which a node takes it. */
  readonly types: { readonly queued: string; readonly taken: string }
  /** Longest time of one attempt: a node that dies in it leaves the item to the others. */
  readonly term: LeaseTerm
  /** Time for which items are kept, ms. */
  readonly keptMs: number
  /** Makes items of what waits. */
  plan(): Promise<void>
  /** Items to send now. Of those with one key, one is sent at a time. */
  due(): readonly { readonly key: string; readonly id: string }[]
  send(item: Sent): Promise<void>
}

/** Sends items that are streams of the log, at least once: the node that takes one sends it. */
export class Outbox<Sent extends Item> {
  readonly #options: OutboxOptions<Sent>
  readonly #sending = new Map<string, Promise<void>>()
  #planning: Promise<void> | undefined
  #ticking: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: OutboxOptions<Sent>) {
    this.#options = options
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Keys of the items that are being sent. */
  get keys(): readonly string[] {
    return [...this.#sending.keys()]
  }

  now(): number {
    return this.#options.now?.() ?? Date.now()
  }

  begin(): void {
    this.#ticking = setInterval(() => this.look(), this.#options.tickMs ?? TICK_MS).unref()
  }

  /** Plans and sends what there is, without waiting for the next interval. */
  look(): void {
    if (this.#isClosed) return
    const { plan, due } = this.#options
    this.#planning ??= this.#reported(plan()).finally(() => {
      this.#planning = undefined
    })
    for (const { key, id } of due()) {
      if (this.#sending.has(key)) continue
      this.#sending.set(
        key,
        this.#reported(this.#send(id)).finally(() => this.#sending.delete(key)),
      )
    }
  }

  /** Stores a new item, unless there is one with this id. Returns its position. */
  async queue(id: string, data: JsonObject): Promise<string> {
    const { store, streamOf, types } = this.#options
    const stream = streamOf(id)
    const end = await endOf(store, stream)
    const drafts = exclusiveDrafts(stream, [{ type: types.queued, data }])
    const written = end.revision > 0 ? end : await appendIfFirst(store, stream, NO_STREAM, drafts)
    setImmediate(() => this.look())
    return (written ?? (await endOf(store, stream))).position
  }

  /** Adds an event to an item, and waits until the index has it. */
  async store(id: string, type: string, data: JsonObject): Promise<void> {
    const { store, streamOf, index } = this.#options
    const stream = streamOf(id)
    await index.reached((await appendAtEnd(store, stream, exclusiveDrafts(stream, [{ type, data }]))).position)
  }

  /** Removes items that are no longer kept. */
  async sweep(): Promise<void> {
    const { store, index, streamOf, keptMs } = this.#options
    for (;;) {
      const old = index.older(this.now() - keptMs, MAX_REMOVED_AT_ONCE)
      for (const id of old) {
        await removeStream(store, streamOf(id))
        index.forget(id)
      }
      if (old.length === 0) return
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#ticking)
    const late = new Promise(resolve => setTimeout(resolve, STOP_MS).unref())
    await Promise.race([Promise.all([this.#planning, ...this.#sending.values()]), late])
    await this.#options.index.close()
  }

  /** Sends an item that is due, unless another node was first. */
  async #send(id: string): Promise<void> {
    const { store, node, index, streamOf, types, term, send } = this.#options
    const stream = streamOf(id)
    const end = await endOf(store, stream)
    await index.reached(end.position)
    const item = index.get(id)
    if (item === undefined || item.due === null || item.due > this.now()) return
    const claim = { type: types.taken, data: { ...term.grant(node, this.now()) } }
    if ((await appendIfFirst(store, stream, end, exclusiveDrafts(stream, [claim]))) !== undefined) await send(item)
  }

  #reported(work: Promise<void>): Promise<void> {
    return work.catch(error => {
      if (!this.#isClosed) this.#options.failed(error)
    })
  }
}
