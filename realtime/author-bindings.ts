import type { ClientRange } from './examine.ts'

/** New client ids of one update: a browser that was offline for months brings one for each time a page was loaded. */
const MAX_NEW_CLIENTS = 500

/** Why the ids in an update are not the sender's to write with. */
type Claim = 'own' | 'foreign' | 'toomany'

/** Which user each Yjs client id of a flow belongs to: whoever used it first, for good. */
export class AuthorBindings {
  readonly #users: Map<number, string>
  constructor(bindings: ReadonlyMap<number, string>) {
    this.#users = new Map(bindings)
  }

  /** From the log: what it says wins. */
  learn(bindings: readonly { client: number; user: string }[]): void {
    for (const { client, user } of bindings) this.#users.set(client, user)
  }

  /** Whether a sender may bring these new structs. */
  claim(sender: string, ranges: readonly ClientRange[]): Claim {
    let unbound = 0
    for (const { client } of ranges) {
      const bound = this.#users.get(client)
      if (bound === undefined) unbound += 1
      else if (bound !== sender) return 'foreign'
    }
    return unbound > MAX_NEW_CLIENTS ? 'toomany' : 'own'
  }

  /** New structs under ids that belong to somebody else. */
  foreign(sender: string, ranges: readonly ClientRange[]): readonly ClientRange[] {
    return ranges.filter(({ client }) => (this.#users.get(client) ?? sender) !== sender)
  }

  /**
   * Binds the client ids of an accepted update that are seen for the first time. Not so in a step 2: where a node crashed
   * before it stored an author's first edits, another may come back with them before their author goes on with the id.
   * Whose own it is shows in its first edit that comes as an update.
   */
  bind(sender: string, ranges: readonly ClientRange[], isStep2: boolean): readonly [number, string][] {
    if (isStep2) return []
    const bindings: [number, string][] = []
    for (const { client } of ranges) {
      if (this.#users.has(client)) continue
      this.#users.set(client, sender)
      bindings.push([client, sender])
    }
    return bindings
  }
}
