/** Consecutive failures after which calls pause. */
const MAX_FAILURES = 5
const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 300_000
const MAX_CIRCUITS = 10_000

interface Circuit {
  failures: number
  /** ms since 1970; 0 while it is closed. */
  openUntil: number
  pause: number
  /** A trial call is running. */
  trying: boolean
}

/**
 * Circuit breaker: calls to a system that fails repeatedly pause for 30 s, then one trial call is made; each failed
 * trial doubles the pause, up to 5 min. A response closes the circuit.
 */
export class CircuitBreaker {
  readonly #circuits = new Map<string, Circuit>()
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Seconds until a call may be made; undefined: now. The caller must then report `succeeded` or `failed`. */
  wait(key: string): number | undefined {
    const circuit = this.#circuits.get(key)
    if (circuit === undefined || circuit.openUntil === 0) return undefined
    const left = circuit.openUntil - this.#now()
    if (left <= 0 && !circuit.trying) {
      circuit.trying = true
      return undefined
    }
    return Math.max(1, Math.ceil(left / 1000))
  }

  succeeded(key: string): void {
    this.#circuits.delete(key)
  }

  failed(key: string): void {
    const circuit = this.#circuits.get(key) ?? { failures: 0, openUntil: 0, pause: FIRST_PAUSE_MS, trying: false }
    circuit.failures += 1
    if (circuit.trying) circuit.pause = Math.min(circuit.pause * 2, LONGEST_PAUSE_MS)
    circuit.trying = false
    if (circuit.failures >= MAX_FAILURES) circuit.openUntil = this.#now() + circuit.pause
    if (this.#circuits.size >= MAX_CIRCUITS) this.#circuits.clear()
    this.#circuits.set(key, circuit)
  }
}
