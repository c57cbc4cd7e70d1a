/** Conversations of persons on channels whose id is remembered until the index has it. */
const MAX_OPENED = 10_000

/** What was opened on this node a moment ago: the index may not have it yet. */
export class OpenedHere {
  readonly #opened = new Map<string, string>()

  add(channel: string, person: string, id: string): void {
    this.#opened.set(`${channel} ${person}`, id)
    if (this.#opened.size > MAX_OPENED) this.#opened.delete(this.#opened.keys().next().value ?? '')
  }

  find(channel: string, person: string): string | undefined {
    return this.#opened.get(`${channel} ${person}`)
  }
}
