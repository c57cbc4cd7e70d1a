import * as Y from 'yjs'
import type { FlowEdit } from '#commands/flow/flow-log.ts'
import { foldSummaries } from '#domain/flow/diff/fold-summary.ts'
import { mergedUpdates } from '#domain/flow/document/snapshot.ts'
import type { FlowEdited } from '#schemas/events/flow.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'

/**
 * The part of an update that a stored one lacks; undefined when nothing remains. Both were validated: the writer of the
 * stored one had everything before it.
 */
const beyondStored = (update: Uint8Array, stored: Uint8Array): Uint8Array | undefined => {
  const { to } = Y.parseUpdateMeta(stored)
  const { from } = Y.parseUpdateMeta(update)
  const overlaps = [...from].some(([client, clock]) => clock < (to.get(client) ?? 0))
  // Edits of concurrent authors share no structs.
  if (from.size > 0 && !overlaps) return update
  const { structs, ds } = Y.decodeUpdate(update)
  const isOld = ({ id, length }: (typeof structs)[number]) => id.clock + length <= (to.get(id.client) ?? 0)
  if (structs.every(isOld) && deletesAll(Y.decodeUpdate(stored).ds, ds)) return undefined
  return overlaps ? Y.diffUpdate(update, Y.encodeStateVector(to)) : update
}

type DeleteSet = ReturnType<typeof Y.decodeUpdate>['ds']

const deletesAll = (stored: DeleteSet, wanted: DeleteSet): boolean => {
  for (const [client, ranges] of wanted.clients) {
    const held = stored.clients.get(client) ?? []
    const isHeld = ({ clock, len }: { clock: number; len: number }) =>
      held.some(range => range.clock <= clock && range.clock + range.len >= clock + len)
    if (!ranges.every(isHeld)) return false
  }
  return true
}

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
