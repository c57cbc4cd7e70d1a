import type { HintBus } from '../port.ts'

const LARGEST = 1_048_576

type Listener = (message: Uint8Array) => void

/** Nodes within one process: the only one, or several in a test. */
export class MemoryBus {
  readonly #ends = new Set<End>()

  /** Takes part as one more node. */
  join(): HintBus {
    const [first] = this.#ends
    const end = new End(this.#ends)
    this.#ends.add(end)
    if (this.#ends.size === 2) first?.reached()
    return end
  }
}

class End implements HintBus {
  readonly largest = LARGEST
  readonly #ends: Set<End>
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #connected: (() => void)[] = []

  constructor(ends: Set<End>) {
    this.#ends = ends
  }

  get connected(): boolean {
    return this.#ends.size > 1 && this.#ends.has(this)
  }

  publish(subject: string, message: Uint8Array): void {
    const copy = Uint8Array.from(message)
    for (const end of this.#ends) if (end !== this) queueMicrotask(() => end.deliver(subject, copy))
  }

  subscribe(subject: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(subject) ?? new Set()
    this.#listeners.set(subject, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  onConnected(listener: () => void): void {
    this.#connected.push(listener)
  }

  async close(): Promise<void> {
    this.#ends.delete(this)
  }

  deliver(subject: string, message: Uint8Array): void {
    for (const listener of this.#listeners.get(subject) ?? []) listener(message)
  }

  /** It is not alone any more. */
  reached(): void {
    for (const listener of this.#connected) listener()
  }
}
