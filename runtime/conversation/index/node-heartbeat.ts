import { hash } from 'node:crypto'
import type { Hints } from '#realtime/cluster/hints.ts'

const TOPIC = 'talk'
const BEAT_MS = 5_000
/** ms without a heartbeat after which a node that sent some before no longer runs turns. */
const SILENT_MS = 15_000

const weight = (node: string, key: string): string => hash('sha256', `${node} ${key}`)

export type HeartbeatBus = Pick<Hints, 'listen' | 'send' | 'connected'>

/**
 * Liveness of the other nodes. A node without any heartbeat may only be unreachable: its claims hold until they expire.
 * No node counts as silent unless the bus was connected all the time.
 */
export class NodeHeartbeat {
  readonly #hints: HeartbeatBus | undefined
  readonly #node: string
  readonly #now: () => number
  /** ms since 1970 of the last heartbeat of each node. */
  readonly #heard = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  readonly #stop: (() => void) | undefined
  #connectedSince: number | undefined

  constructor(hints: HeartbeatBus | undefined, node: string, now: () => number) {
    this.#hints = hints
    this.#node = node
    this.#now = now
    const beat = () => {
      this.#look()
      hints?.send(TOPIC, { kind: 'talking', node })
    }
    this.#stop = hints?.listen(TOPIC, (_sender, hint) => {
      if (hint.kind !== 'talking') return
      const isNew = !this.#heard.has(hint.node)
      this.#heard.set(hint.node, now())
      // A new node learns at once which nodes exist.
      if (isNew) beat()
    })
    beat()
    this.#timer = setInterval(beat, BEAT_MS).unref()
  }

  /** Nodes whose heartbeats stopped. */
  silent(): readonly string[] {
    this.#look()
    const oldest = this.#now() - SILENT_MS
    if (this.#connectedSince === undefined || this.#connectedSince > oldest) return []
    return [...this.#heard].flatMap(([node, at]) => (at < oldest ? [node] : []))
  }

  /** Whether this node is the first for a key among the nodes with heartbeats (rendezvous hashing). */
  isFirstFor(key: string): boolean {
    const oldest = this.#now() - SILENT_MS
    const own = weight(this.#node, key)
    return [...this.#heard].every(([node, at]) => node === this.#node || at < oldest || weight(node, key) < own)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#stop?.()
  }

  #look(): void {
    if (this.#hints?.connected !== true) this.#connectedSince = undefined
    else this.#connectedSince ??= this.#now()
  }
}
