/** What the double does wrong on demand. Each of `next` happens once, in order, to the next call of its kind. */
export type AppendFault =
  /** The connection is cut before anything is written. */
  | 'cut'
  /** It is written, and the connection is cut before the answer. */
  | 'lostAnswer'
  /** It is written, and no answer ever comes. */
  | 'noAnswer'
  | 'notLeader'
  | 'notReady'
  /** Whatever its size. */
  | 'tooLarge'

export type ReadFault =
  | 'notReady'
  /** After the first event. */
  | 'cut'

export class Faults {
  readonly #appends: AppendFault[] = []
  readonly #reads: ReadFault[] = []
  /** Milliseconds before every answer. */
  delay = 0
  /** Milliseconds that a read with a filter searches without a word, while other calls are answered. */
  search = 0
  /** Subscriptions go on without delivering anything. */
  areSubscriptionsSilent = false
  #thawed: Promise<void> | undefined
  #thaw: () => void = () => undefined

  append(...faults: AppendFault[]): void {
    this.#appends.push(...faults)
  }

  read(...faults: ReadFault[]): void {
    this.#reads.push(...faults)
  }

  nextAppend(): AppendFault | undefined {
    return this.#appends.shift()
  }

  nextRead(): ReadFault | undefined {
    return this.#reads.shift()
  }

  /** The server stands still: connections stay open and nothing is answered, until `thaw`. */
  freeze(): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#thawed = promise
    this.#thaw = resolve
  }

  thaw(): void {
    this.#thaw()
    this.#thawed = undefined
  }

  /** Passed before anything is read, written or answered. */
  async gate(): Promise<void> {
    await this.#thawed
    if (this.delay > 0) await new Promise(resolve => setTimeout(resolve, this.delay))
    await this.#thawed
  }
}
