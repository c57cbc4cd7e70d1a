import * as Y from 'yjs'
import type { FlowEdit } from '#commands/flow/flow-log.ts'
import { foldSummaries } from '#domain/flow/fold-summary.ts'
import type { FlowEdited } from '#schemas/events/flow.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'

/** What has been accepted since the last append began: the next event of the flow. */
export class Batch {
  /** Grows by one for each batch of a room; durable in this order. */
  readonly number: number
  readonly #updates: Uint8Array[] = []
  readonly #authors = new Set<string>()
  readonly #bindings = new Map<number, string>()
  readonly #summaries: FlowSummary[] = []

  constructor(number: number) {
    this.number = number
  }

  get empty(): boolean {
    return this.#updates.length === 0
  }

  get updates(): readonly Uint8Array[] {
    return this.#updates
  }

  add(update: Uint8Array, authors: Iterable<string>, bindings: Iterable<[number, string]>, summary: FlowSummary): void {
    this.#updates.push(update)
    for (const author of authors) this.#authors.add(author)
    for (const [client, user] of bindings) this.#bindings.set(client, user)
    this.#summaries.push(summary)
  }

  edit(): FlowEdit {
    const update = this.#updates.length === 1 && this.#updates[0] ? this.#updates[0] : Y.mergeUpdates(this.#updates)
    const authors = [...this.#authors]
    return {
      actor: authors[0] ?? null,
      update,
      authors,
      bindings: [...this.#bindings].map(([client, user]) => ({ client, user })),
      ranges: rangesOf(update),
      summary: foldSummaries(this.#summaries),
    }
  }
}

/** The clock ranges [from, to) of new structs in an update, by client id. */
export const rangesOf = (update: Uint8Array): FlowEdited['ranges'] => {
  const { from, to } = Y.parseUpdateMeta(update)
  return [...to].map(([client, end]) => ({ client, from: from.get(client) ?? 0, to: end }))
}
