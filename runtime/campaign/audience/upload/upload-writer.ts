import type { EventStore } from '#commands/store/port.ts'
import type { Json } from '#schemas/event.ts'
import { uploadRowsStream } from '#schemas/events/audience.ts'
import { ExclusiveWriter } from '../../../log/exclusive-append.ts'
import { LeaseTerm } from '../../../log/lease.ts'
import type { LineFault } from './line-fault.ts'
import { batchesOf, type Packed } from './packed.ts'
import type { UploadState } from './upload-state.ts'

/** A node that writes nothing to an upload for this long has abandoned it, ms. */
const TERM = new LeaseTerm(60_000)

/** Writes the events of one upload under a lease. A node that lost the upload can write nothing more. */
export class UploadWriter extends ExclusiveWriter {
  readonly #now: () => number
  #until = 0

  constructor(store: EventStore, id: string, { end }: Pick<UploadState, 'end'>, now: () => number) {
    super(store, uploadRowsStream(id), end)
    this.#now = now
  }

  /** @throws WrongRevision when another node took the upload */
  async take(isRenewal = false): Promise<void> {
    this.#until = TERM.until(this.#now())
    await this.write([{ type: 'UploadTaken', data: { until: this.#until, isRenewal } }])
  }

  /** @throws WrongRevision when another node took the upload */
  async renew(): Promise<void> {
    if (TERM.isDue({ until: this.#until }, this.#now())) await this.take(true)
  }

  async faults(all: Packed<LineFault>): Promise<void> {
    for (const faults of batchesOf(all)) {
      await this.write([{ type: 'UploadFaults', data: { faults: faults as unknown as Json } }])
      await this.renew()
    }
  }
}
