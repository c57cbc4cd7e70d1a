import type { ReadModels, TokenUse } from '#projections/port.ts'
import type { Hints } from '#realtime/cluster/hints.ts'

const TOPIC = 'tokens'
/** Uses of a token within this time are one. */
const SAMPLE_MS = 5 * 60_000
const MAX_REMEMBERED = 100_000

interface TokenUseParts {
  readonly read: Pick<ReadModels, 'tokenUsed'>
  readonly hints: Pick<Hints, 'connected' | 'listen' | 'send'>
  readonly now?: () => number
}

/** Shows when and from where a token was last used, on every node, without an event. */
export class TokenUses {
  readonly #parts: TokenUseParts
  readonly #sampled = new Map<string, number>()
  readonly close: () => void

  constructor(parts: TokenUseParts) {
    this.#parts = parts
    this.close = parts.hints.listen(TOPIC, (_sender, hint) => {
      if (hint.kind === 'tokenused') this.#show(hint.use)
    })
  }

  used(token: string, from: string): void {
    const now = this.#parts.now?.() ?? Date.now()
    const last = this.#sampled.get(token)
    if (last !== undefined && now - last < SAMPLE_MS) return
    const use = { token, at: new Date(now).toISOString(), from }
    this.#show(use)
    if (this.#parts.hints.connected) this.#parts.hints.send(TOPIC, { kind: 'tokenused', use })
  }

  #show(use: TokenUse): void {
    if (this.#sampled.size >= MAX_REMEMBERED) this.#sampled.clear()
    this.#sampled.set(use.token, Date.parse(use.at))
    this.#parts.read.tokenUsed(use)
  }
}
