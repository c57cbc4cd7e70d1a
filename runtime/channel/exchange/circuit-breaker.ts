import type { ProviderChannel } from '../open-channels.ts'

/** Pause between two probes of a channel whose credentials the provider refuses. */
const PROBE_MS = 60_000

interface Opened {
  readonly since: number
  /** The provider's code. */
  readonly code: string
  readonly fields: string
  probeAt: number
}

/**
 * Channels whose credentials were refused (R25): nothing is sent but one probe a minute, until one is accepted or the
 * channel's fields change.
 */
export class ChannelBreakers {
  readonly #opened = new Map<string, Opened>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** ms until the next probe; 0: the caller may send, as the probe if the breaker is open. */
  wait({ id, fields }: Pick<ProviderChannel, 'id' | 'fields'>): number {
    const opened = this.#opened.get(id)
    if (opened === undefined) return 0
    if (opened.fields !== JSON.stringify(fields)) {
      this.#opened.delete(id)
      return 0
    }
    const left = opened.probeAt - this.#now()
    if (left > 0) return left
    opened.probeAt = this.#now() + PROBE_MS
    return 0
  }

  /** Opens the breaker. Returns whether it was closed before. */
  open({ id, fields }: Pick<ProviderChannel, 'id' | 'fields'>, code: string): boolean {
    const known = this.#opened.get(id)
    const probeAt = this.#now() + PROBE_MS
    this.#opened.set(id, { since: known?.since ?? this.#now(), code, fields: JSON.stringify(fields), probeAt })
    return known === undefined
  }

  /** Closes the breaker. Returns whether it was open. */
  close(id: string): boolean {
    return this.#opened.delete(id)
  }

  of(id: string): { readonly since: number; readonly code: string } | undefined {
    return this.#opened.get(id)
  }

  /** Closes and returns the channels whose fields changed since. */
  async changed(fieldsOf: (id: string) => Promise<ProviderChannel['fields'] | undefined>): Promise<readonly string[]> {
    const found: string[] = []
    for (const [id, { fields }] of this.#opened)
      if (JSON.stringify(await fieldsOf(id)) !== fields && this.#opened.delete(id)) found.push(id)
    return found
  }
}
