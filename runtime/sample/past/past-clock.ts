/** A clock that is set, and runs on from there at the speed of the real one. */
export class PastClock {
  #at = 0
  #since = 0

  /** `at`: ms since 1970. */
  set(at: number): void {
    this.#at = at
    this.#since = performance.now()
  }

  /** ms since 1970 */
  now(): number {
    return Math.round(this.#at + performance.now() - this.#since)
  }
}
