import type { Hints } from './hints.ts'

const TOPIC = 'nodes'
const BEAT_MS = 1_000
/** A node without a beat for this long has ended. */
const GONE_MS = 25_000
const MAX_NODES = 200

interface NodeListOptions {
  readonly hints: Pick<Hints, 'connected' | 'listen' | 'onConnected' | 'send'>
  /** Display name of this node. */
  readonly name: string
  readonly now?: () => number
}

/** The other nodes that live, by their beats. Times without the bus do not count: nothing can be heard then. */
export class NodeList {
  readonly #options: NodeListOptions
  readonly #now: () => number
  readonly #nodes = new Map<string, { readonly name: string; heard: number }>()
  readonly #stop: () => void
  readonly #beat: NodeJS.Timeout
  #wasConnected = false

  constructor(options: NodeListOptions) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    const { hints } = options
    this.#stop = hints.listen(TOPIC, (node, hint) => {
      if (hint.kind === 'bye') this.#nodes.delete(node)
      else if (hint.kind === 'here') this.#hear(node, hint.name)
    })
    hints.onConnected(() => this.#tell())
    this.#tell()
    this.#beat = setInterval(() => this.#tell(), BEAT_MS).unref()
  }

  /** Names of the other nodes by id. */
  others(): ReadonlyMap<string, string> {
    this.#forgetGone()
    return new Map([...this.#nodes].map(([node, { name }]) => [node, name]))
  }

  /** ms since the last beat of a node; undefined for an unknown node. */
  silence(node: string): number | undefined {
    this.#forgetGone()
    const known = this.#nodes.get(node)
    return known === undefined ? undefined : this.#now() - known.heard
  }

  close(): void {
    clearInterval(this.#beat)
    this.#stop()
    this.#options.hints.send(TOPIC, { kind: 'bye' })
  }

  #tell(): void {
    this.#forgetGone()
    this.#options.hints.send(TOPIC, { kind: 'here', name: this.#options.name })
  }

  #hear(node: string, name: string): void {
    const isNew = !this.#nodes.has(node)
    if (isNew && this.#nodes.size >= MAX_NODES) return
    this.#nodes.set(node, { name, heard: this.#now() })
    // A new node learns at once which nodes exist.
    if (isNew) this.#tell()
  }

  #forgetGone(): void {
    const now = this.#now()
    const isConnected = this.#options.hints.connected
    if (isConnected && !this.#wasConnected) for (const known of this.#nodes.values()) known.heard = now
    this.#wasConnected = isConnected
    if (!isConnected) return
    for (const [node, { heard }] of this.#nodes) if (now - heard > GONE_MS) this.#nodes.delete(node)
  }
}
