/** Looks at the channels of this node at an interval, one look at a time. */
export abstract class PeriodicLook {
  readonly #failed: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #looking: Promise<void> | undefined

  constructor(ms: number, failed: (error: unknown) => void) {
    this.#failed = failed
    this.#timer = setInterval(() => void this.look(), ms).unref()
  }

  protected abstract lookOnce(): Promise<void>

  /** Returns the look under way where there is one. Never rejects. */
  look(): Promise<void> {
    this.#looking ??= this.lookOnce()
      .catch(this.#failed)
      .finally(() => {
        this.#looking = undefined
      })
    return this.#looking
  }

  close(): void {
    clearInterval(this.#timer)
  }
}
