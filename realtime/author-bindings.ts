import type { ClientRange } from './validate-update.ts'

/** New client ids of one update: a browser that was offline for months brings one for each time a page was loaded. */
const MAX_NEW_CLIENTS = 500

/** Why the ids in an update are not the sender's to write with. */
type Claim = 'own' | 'foreign' | 'toomany'

/** Maps each Yjs client id of a flow to its first user, permanently. */
export class AuthorBindings {
  readonly #users: Map<number, string>
  constructor(bindings: ReadonlyMap<number, string>) {
    this.#users = new Map(bindings)
  }

  /** The log's bindings win. */
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

  /** New structs under client ids of other users. */
  foreign(sender: string, ranges: readonly ClientRange[]): readonly ClientRange[] {
    return ranges.filter(({ client }) => (this.#users.get(client) ?? sender) !== sender)
  }

  /**
   * Binds client ids that first appear in an accepted update. Not in a step 2: after a node crash, another person may
   * resend an author's unstored edits before the author uses the id again. The first edit sent as an update shows the
   * owner.
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
