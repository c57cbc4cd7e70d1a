/** Limit of conversation ids that are remembered until the index has them. */
const MAX_OPENED = 10_000

/** Cache of conversations opened on this node, until the index contains them. */
export class RecentlyOpenedCache {
  readonly #opened = new Map<string, string>()

  add(channel: string, person: string, id: string): void {
    this.#opened.set(`${channel} ${person}`, id)
    if (this.#opened.size > MAX_OPENED) this.#opened.delete(this.#opened.keys().next().value ?? '')
  }

  find(channel: string, person: string): string | undefined {
    return this.#opened.get(`${channel} ${person}`)
  }
}
