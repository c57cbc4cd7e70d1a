import type { Tail } from '#commands/integrity/hash-chain.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { Json } from '#schemas/event.ts'
import { uploadRowsStream } from '#schemas/events/audience.ts'
import { appendFacts } from '../../../log/sole-append.ts'
import type { LineFault } from './plan-upload.ts'

/** A node that writes nothing to an upload for this long has abandoned it. */
const LEASE_MS = 60_000
const RENEWED_MS = 15_000
const FAULTS_TOGETHER = 2000

/** Raised when another node processes the upload, or will. */
export class TakenOver extends Error {
  override readonly name = 'TakenOver'
}

/** Writes the events of one upload at exact revisions, so that a node that lost the upload can write nothing more. */
export class UploadWriter {
  readonly #store: EventStore
  readonly #stream: string
  readonly #now: () => number
  #tail: Tail
  #taken = 0

  constructor(store: EventStore, id: string, tail: Tail, now: () => number) {
    this.#store = store
    this.#stream = uploadRowsStream(id)
    this.#tail = tail
    this.#now = now
  }

  async take(isRenewal: boolean): Promise<void> {
    this.#taken = this.#now()
    await this.write({ type: 'UploadTaken', data: { until: this.#taken + LEASE_MS, isRenewal } })
  }

  async renew(): Promise<void> {
    if (this.#now() - this.#taken >= RENEWED_MS) await this.take(true)
  }

  async faults(all: readonly LineFault[]): Promise<void> {
    for (let at = 0; at < all.length; at += FAULTS_TOGETHER) {
      const faults = all.slice(at, at + FAULTS_TOGETHER) as unknown as Json
      await this.write({ type: 'UploadFaults', data: { faults } })
    }
  }

  /** Returns the position. @throws TakenOver */
  async write(fact: { readonly type: string; readonly data: Readonly<Record<string, Json>> }): Promise<string> {
    try {
      const { revision, hash, position } = await appendFacts(this.#store, this.#stream, this.#tail, [fact])
      this.#tail = { revision, hash }
      return position
    } catch (error) {
      if (error instanceof WrongRevision) throw new TakenOver('another node works on the upload')
      throw error
    }
  }
}
