/** Serializes calls per key. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Whether a call with this key runs or waits. */
  isBusy(key: string): boolean {
    return this.#last.has(key)
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#last.get(key) ?? Promise.resolve()).then(work, work)
    const settled = mine
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key)
      })
    this.#last.set(key, settled)
    return mine
  }
}
