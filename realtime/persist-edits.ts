import { randomUUID } from 'node:crypto'
import * as Y from 'yjs'
import type { FlowEdit, FlowLog } from '#commands/flow/flow-log.ts'
import type { Tail } from '#commands/pipeline/append.ts'
import { WrongRevision } from '#commands/store/port.ts'
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
class Batch {
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

/** Least time between the starts of two appends of one room. */
const SPACING_MS = 50

/** A batch as the log has it now. */
export interface StoredBatch extends Tail {
  /** Revision that it was appended behind. */
  readonly after: number
  readonly edit: FlowEdit
}

interface JournalListener {
  /** Another writer appended first: its events are read and applied before the own append is retried. */
  overtaken(): Promise<void>
  /** Without `written` when other nodes had stored all of the batch before. */
  durable(batch: number, written: StoredBatch | undefined): void
  failed(error: unknown): void
}

/** Appends what a room accepts, one event at a time, in the order of acceptance. */
export class EditWriter {
  head: Tail
  readonly #flow: string
  readonly #log: Pick<FlowLog, 'append'>
  readonly #listener: JournalListener
  #open = new Batch(1)
  #inFlight: Batch | undefined
  #inFlightId = ''
  #lastStart = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #idle: (() => void)[] = []
  #stopped = false

  constructor(flow: string, log: Pick<FlowLog, 'append'>, { revision, hash }: Tail, listener: JournalListener) {
    this.#flow = flow
    this.#log = log
    // Nothing else of the loaded flow: its document would stay in memory until the first edit.
    this.head = { revision, hash }
    this.#listener = listener
  }

  /** The batch that what is accepted now becomes durable with. */
  get batch(): Batch {
    return this.#open
  }

  /** Number of the newest batch that is not durable yet, 0 when everything is. */
  get pending(): number {
    if (!this.#open.empty) return this.#open.number
    return this.#inFlight?.number ?? 0
  }

  /** Updates accepted and not yet durable, oldest first. */
  get unstored(): readonly Uint8Array[] {
    return [...(this.#inFlight?.updates ?? []), ...this.#open.updates]
  }

  /** Another node's edit is in the log: the same content is not stored again here. */
  learn(stored: Uint8Array): void {
    this.#inFlight?.leaveOut(stored)
    this.#open.leaveOut(stored)
  }

  /** Whether an event seen in the log is the append under way. */
  isOwn(eventId: string): boolean {
    return this.#inFlightId === eventId
  }

  /** To be called after something was added to `batch`. */
  wake(): void {
    if (this.#stopped || this.#inFlight !== undefined || this.#open.empty || this.#timer !== undefined) return
    const wait = Math.max(0, this.#lastStart + SPACING_MS - performance.now())
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#append()
    }, wait)
  }

  /** Resolves when everything accepted so far is durable, or the journal has failed. */
  async settled(): Promise<void> {
    while (this.pending !== 0 && !this.#stopped) await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#wakeIdle()
  }

  async #append(): Promise<void> {
    if (this.#stopped) return
    const batch = this.#open
    this.#open = new Batch(batch.number + 1)
    this.#inFlight = batch
    this.#inFlightId = randomUUID()
    this.#lastStart = performance.now()
    try {
      const stored = await this.#appendUntilFirst(batch)
      this.#inFlight = undefined
      this.#inFlightId = ''
      this.#listener.durable(batch.number, stored)
    } catch (error) {
      this.stop()
      this.#listener.failed(error)
      return
    }
    this.#wakeIdle()
    this.wake()
  }

  async #appendUntilFirst(batch: Batch): Promise<StoredBatch | undefined> {
    for (;;) {
      const { revision: after } = this.head
      const edit = batch.edit()
      if (edit === undefined) return undefined
      try {
        const { revision, hash } = await this.#log.append(this.#flow, this.head, edit, this.#inFlightId)
        this.head = { revision, hash }
        return { ...this.head, after, edit }
      } catch (error) {
        if (!(error instanceof WrongRevision) || this.#stopped) throw error
        await this.#listener.overtaken()
      }
    }
  }

  #wakeIdle(): void {
    const waiting = this.#idle
    this.#idle = []
    for (const resolve of waiting) resolve()
  }
}
