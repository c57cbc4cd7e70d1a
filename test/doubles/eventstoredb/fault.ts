/** Faults of the double, on demand. A queued fault happens once, in order, to the next call of its kind. */
export type AppendFault =
  /** The connection is cut before anything is written. */
  | 'cut'
  /** The events are written; the connection is cut before the answer. */
  | 'lostAnswer'
  /** The events are written; no answer is ever sent. */
  | 'noAnswer'
  /** The events are written; the answer is sent after `lateMs`. */
  | 'lateAnswer'
  /** The events are written after `lateMs`, then answered. */
  | 'lateWrite'
  | 'notLeader'
  | 'notReady'
  /** Refused as too large at any size. */
  | 'tooLarge'

export type ReadFault =
  | 'notReady'
  /** After the first event. */
  | 'cut'
  /** After the first event the stream is reset with CANCEL, which the client's library reports as a complete read. */
  | 'reset'
  /** After the first event the whole server freezes for `freezeMs`. */
  | 'freeze'

/** Wrong answers to a backwards read of the whole log, as nodes give that follow a new leader. No event is removed. */
export type HeadFault =
  /** No event. */
  | 'empty'
  /** The newest events are left out. */
  | 'older'

export class Faults {
  readonly #appends: AppendFault[] = []
  readonly #reads: ReadFault[] = []
  readonly #heads: HeadFault[] = []
  readonly #subscriptions = new Set<() => void>()
  /** Milliseconds before every answer. */
  delay = 0
  /** Milliseconds that a read with a filter searches without an answer, while other calls are answered. */
  search = 0
  /** Milliseconds of `lateAnswer` and `lateWrite`. The adapter's deadline is 5 s. */
  lateMs = 6000
  /** Milliseconds of the `freeze` of a read. */
  freezeMs = 3000
  /** Subscriptions stay open and deliver nothing. */
  areSubscriptionsSilent = false
  /**
   * An append whose event ids are all in the stream gets its first answer again, with the first revision, at any
   * expected revision. Without it, only at the first expected revision.
   */
  acceptsRepeatsAnywhere = false
  #thawed: Promise<void> | undefined
  #thaw: () => void = () => undefined
  #thawing: NodeJS.Timeout | undefined

  append(...faults: AppendFault[]): void {
    this.#appends.push(...faults)
  }

  read(...faults: ReadFault[]): void {
    this.#reads.push(...faults)
  }

  head(...faults: HeadFault[]): void {
    this.#heads.push(...faults)
  }

  nextAppend(): AppendFault | undefined {
    return this.#appends.shift()
  }

  nextRead(): ReadFault | undefined {
    return this.#reads.shift()
  }

  nextHead(): HeadFault | undefined {
    return this.#heads.shift()
  }

  /** Drops the faults that no call has met yet. */
  clear(): void {
    for (const queue of [this.#appends, this.#reads, this.#heads]) queue.length = 0
  }

  /**
   * Cuts every open subscription as too slow: it gets the checkpoint to resume from, then the error. Returns their
   * number.
   */
  cutSubscriptions(): number {
    const open = [...this.#subscriptions]
    for (const cut of open) cut()
    return open.length
  }

  /** Registers an open subscription; returns the function that removes it. */
  subscribed(cut: () => void): () => void {
    this.#subscriptions.add(cut)
    return () => void this.#subscriptions.delete(cut)
  }

  get isFrozen(): boolean {
    return this.#thawed !== undefined
  }

  /** Connections stay open and no call is answered, for `ms` or until `thaw`. */
  freeze(ms?: number): void {
    clearTimeout(this.#thawing)
    if (ms !== undefined) this.#thawing = setTimeout(() => this.thaw(), ms)
    if (this.#thawed !== undefined) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#thawed = promise
    this.#thaw = resolve
  }

  thaw(): void {
    clearTimeout(this.#thawing)
    this.#thawed = undefined
    this.#thaw()
  }

  /** Passed before each call is read, written or answered. */
  async gate(): Promise<void> {
    await this.thawed()
    if (this.delay > 0) await new Promise(resolve => setTimeout(resolve, this.delay))
    await this.thawed()
  }

  /** Resolves when the server is not frozen. */
  async thawed(): Promise<void> {
    while (this.#thawed !== undefined) await this.#thawed
  }
}
