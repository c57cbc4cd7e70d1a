import type { ReadModels } from '#projections/port.ts'

/** Whether this node should be given requests, and why not. */
export class Readiness {
  #draining = false
  #awaited: string | undefined
  readonly #read: ReadModels

  constructor(read: ReadModels) {
    this.#read = read
  }

  get draining(): boolean {
    return this.#draining
  }

  /** From now on writes are refused and the node is not ready. */
  drain(): void {
    this.#draining = true
  }

  /** A write was answered before this node showed it: not ready until it does. */
  fellBehind(position: string): void {
    if (this.#awaited === undefined || position > this.#awaited) this.#awaited = position
  }

  /** Undefined when ready, else one line. */
  reason(): string | undefined {
    if (this.#draining) return 'draining'
    const { ready, reason, position } = this.#read.status()
    if (!ready) return reason ?? 'the read models are being built'
    if (this.#awaited !== undefined && position < this.#awaited) return 'the read models are behind'
    this.#awaited = undefined
    return undefined
  }
}
