const HEARD_MS = 10_000

/** Position up to which the log was read; writers wait here until it includes their event. */
export class HeardPosition {
  readonly #waiting = new Set<{ readonly position: string; readonly heard: () => void }>()
  #position = ''

  tell(position: string): void {
    this.#position = position
    for (const waiting of this.#waiting) if (waiting.position <= position) waiting.heard()
  }

  /** @throws when the log does not reach the position in time */
  async reached(position: string): Promise<void> {
    if (this.#position >= position) return
    await new Promise<void>((resolve, reject) => {
      const finish = (then: () => void) => {
        clearTimeout(timer)
        this.#waiting.delete(waiting)
        then()
      }
      const waiting = { position, heard: () => finish(resolve) }
      const timer = setTimeout(() => finish(() => reject(new Error('the log of audiences does not come'))), HEARD_MS)
      this.#waiting.add(waiting)
    })
  }

  /** Resolves all waits. */
  close(): void {
    for (const { heard } of this.#waiting) heard()
  }
}
