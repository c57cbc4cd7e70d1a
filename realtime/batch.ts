import * as Y from 'yjs'
import type { FlowEdit } from '#commands/flow/flow-log.ts'
import { foldSummaries } from '#domain/flow/diff/fold-summary.ts'
import { mergedUpdates } from '#domain/flow/document/merged-updates.ts'
import type { FlowEdited } from '#schemas/events/flow.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import { beyondStored } from './beyond-stored.ts'

interface Entry {
  readonly update: Uint8Array
  readonly authors: readonly string[]
  readonly bindings: readonly [number, string][]
  readonly summary: FlowSummary
}

/** Edits accepted since the last append began: the next event of the flow. */
export class Batch {
  /** Grows by one for each batch of a room; durable in this order. */
  readonly number: number
  /** Client ids with new structs by connection, those of several updates counted for each. */
  readonly clients = new Map<object, number>()
  #entries: Entry[] = []
  #began = false

  constructor(number: number) {
    this.number = number
  }

  /** Nothing was ever accepted into it. */
  get empty(): boolean {
    return !this.#began
  }

  get updates(): readonly Uint8Array[] {
    return this.#entries.map(({ update }) => update)
  }

  add(update: Uint8Array, authors: Iterable<string>, bindings: Iterable<[number, string]>, summary: FlowSummary): void {
    this.#began = true
    this.#entries.push({ update, authors: [...authors], bindings: [...bindings], summary })
  }

  /** Another node stored this: removes content that a person sent to both nodes after a reconnect. */
  leaveOut(stored: Uint8Array): void {
    this.#entries = this.#entries.flatMap(entry => {
      const update = beyondStored(entry.update, stored)
      return update === undefined ? [] : [{ ...entry, update }]
    })
  }

  /** Undefined when others have stored all of it. */
  edit(): FlowEdit | undefined {
    if (this.updates.length === 0) return undefined
    const update = mergedUpdates(this.updates)
    const authors = [...new Set(this.#entries.flatMap(entry => entry.authors))]
    const bindings = new Map(this.#entries.flatMap(entry => entry.bindings))
    return {
      actor: authors[0] ?? null,
      update,
      authors,
      bindings: [...bindings].map(([client, user]) => ({ client, user })),
      ranges: rangesOf(update),
      summary: foldSummaries(this.#entries.map(({ summary }) => summary)),
    }
  }
}

/** The clock ranges [from, to) of new structs in an update, by client id. */
const rangesOf = (update: Uint8Array): FlowEdited['ranges'] => {
  const { from, to } = Y.parseUpdateMeta(update)
  return [...to].map(([client, end]) => ({ client, from: from.get(client) ?? 0, to: end }))
}
