import * as Y from 'yjs'
import { createFlow } from '#domain/flow/document.ts'

/** Unused for this long, a document is folded, ms: longer than somebody who draws stops to think. */
const QUIET_MS = 3_000

/**
 * The document of a room. As objects it takes some thirty times the memory of its bytes, and in most open rooms nobody
 * draws at the moment: while nobody does it is kept as one update.
 */
export class RoomDocument {
  #doc: Y.Doc | undefined
  #state: Uint8Array | undefined
  readonly #quiet: NodeJS.Timeout

  constructor(doc: Y.Doc, quietMs = QUIET_MS) {
    this.#doc = doc
    this.#quiet = setTimeout(() => this.#fold(), quietMs).unref()
  }

  /** For use at once: whoever keeps it may hold one that was folded meanwhile. */
  get open(): Y.Doc {
    this.#quiet.refresh()
    this.#doc ??= createFlow(...(this.#state === undefined ? [] : [this.#state]))
    this.#state = undefined
    return this.#doc
  }

  get folded(): boolean {
    return this.#doc === undefined
  }

  replace(doc: Y.Doc): void {
    this.#doc?.destroy()
    this.#doc = doc
    this.#state = undefined
    this.#quiet.refresh()
  }

  destroy(): void {
    clearTimeout(this.#quiet)
    this.#doc?.destroy()
  }

  #fold(): void {
    if (this.#doc === undefined) return
    this.#state = Y.encodeStateAsUpdate(this.#doc)
    this.#doc.destroy()
    this.#doc = undefined
  }
}
