import type { Examined } from './examine.ts'

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

  /** Who wrote an update's new structs; the sender is named in any case. Binds client ids seen for the first time. */
  attribute(
    sender: string,
    { ranges }: Examined,
  ): { authors: ReadonlySet<string>; bindings: readonly [number, string][] } {
    const authors = new Set([sender])
    const bindings: [number, string][] = []
    for (const { client } of ranges) {
      const bound = this.#users.get(client)
      if (bound === undefined) {
        this.#users.set(client, sender)
        bindings.push([client, sender])
      } else authors.add(bound)
    }
    return { authors, bindings }
  }
}
