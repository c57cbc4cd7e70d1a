import * as Y from 'yjs'
import { createFlow } from '#domain/flow/document/document.ts'
import { DOCUMENT_STEPS, meteredLoad, UPDATE_STEPS } from '#domain/flow/document/integration-cost.ts'

/** Unused for this long, a document is folded, ms: longer than a pause during drawing. */
const QUIET_MS = 3_000

/** Updates that are kept as they came while a document is folded. */
const MAX_PENDING_UPDATES = 100

/**
 * The document of a room. As objects it takes some thirty times the memory of its bytes, and in most open rooms nobody
 * draws at the moment: while nobody does it is kept as one update.
 */
export class RoomDocument {
  #doc: Y.Doc | undefined
  #state: readonly Uint8Array[] = []
  readonly #quiet: NodeJS.Timeout
  #steps: number

  /** `steps`: cost of opening it (domain/flow/document/integration-cost.ts). */
  constructor(doc: Y.Doc, quietMs = QUIET_MS, steps = 0) {
    this.#doc = doc
    this.#steps = steps
    this.#quiet = setTimeout(() => this.#fold(), quietMs).unref()
  }

  /** Do not keep the result: it may be folded later. */
  get open(): Y.Doc {
    this.#quiet.refresh()
    this.#doc ??= createFlow(...this.#state)
    this.#state = []
    return this.#doc
  }

  get folded(): boolean {
    return this.#doc === undefined
  }

  /** Steps that the next update may take beyond those of its structs. */
  get allowance(): number {
    return Math.max(0, Math.min(UPDATE_STEPS, DOCUMENT_STEPS - this.#steps))
  }

  /** An accepted update has taken these steps: so does every opening of the document from now on. */
  spend(steps: number): void {
    this.#steps += steps
  }

  /** Applies an edit of others; only queues it while folded. */
  take(update: Uint8Array): void {
    if (this.#doc === undefined && this.#state.length < MAX_PENDING_UPDATES) this.#state = [...this.#state, update]
    else {
      const doc = this.open
      this.spend(meteredLoad(() => Y.applyUpdate(doc, update, 'log')))
    }
  }

  /** Takes these updates as the whole document; nothing is made of them before they are used. */
  replace(state: readonly Uint8Array[]): void {
    this.#doc?.destroy()
    this.#doc = undefined
    this.#state = state
  }

  destroy(): void {
    clearTimeout(this.#quiet)
    this.#doc?.destroy()
  }

  #fold(): void {
    if (this.#doc === undefined) return
    this.#state = [Y.encodeStateAsUpdate(this.#doc)]
    this.#doc.destroy()
    this.#doc = undefined
  }
}
