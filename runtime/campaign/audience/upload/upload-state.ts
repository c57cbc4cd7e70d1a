import { randomUUID } from 'node:crypto'
import {
  append,
  appendAtEnd,
  type Draft,
  draft,
  NO_EVENTS,
  NO_STREAM,
  type StreamEnd,
} from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { uploadRowsStream } from '#schemas/events/campaign.ts'
import { entityStream } from '#schemas/events/entity.ts'
import type { Language } from '#schemas/language.ts'
import { LeaseTerm } from '../../../log/lease.ts'
import { ExclusiveWriter, streamAggregate } from '../../../log/stream-aggregate.ts'
import { batchesOf, type Packed } from './packed.ts'
import type { UploadRules } from './plan-job.ts'
import type { LineFault } from './read-file.ts'

/** Input with which an upload started. */
export interface Received {
  readonly campaign: string
  readonly profile: string | null
  readonly level: string
  readonly file: string
  readonly rules: UploadRules
  readonly actor: string | null
  readonly language: Language
}

/** State of an upload, folded from its stream. */
export interface UploadState {
  readonly end: StreamEnd
  readonly received: Received | undefined
  /** ms since 1970 until which a node processes it. */
  readonly until: number
  /** Number of nodes that started it. */
  readonly takes: number
  /** Final fields. */
  readonly result: JsonObject | undefined
}

const fold = (state: UploadState, { type, data }: StoredEvent): UploadState => {
  if (type === 'UploadReceived') return { ...state, received: data as unknown as Received }
  if (type === 'UploadTaken')
    return { ...state, until: Number(data.until), takes: state.takes + (data.isRenewal === true ? 0 : 1) }
  if (type === 'UploadCompleted' || type === 'UploadFailed') return { ...state, result: data.fields as JsonObject }
  return state
}

const initial: UploadState = { end: NO_EVENTS, received: undefined, until: 0, takes: 0, result: undefined }

export const readUploadState = (store: EventStore, id: string): Promise<UploadState> =>
  streamAggregate(store, { initial, fold }).load(uploadRowsStream(id))

type Fields = Readonly<Record<string, Json>>

interface UploadPlace {
  readonly id: string
  readonly level: string
  readonly actor: string | null
}

/** Writes the state of uploads as events of the entity `campaignupload`. */
export class UploadRecord {
  readonly #store: EventStore

  constructor(store: EventStore) {
    this.#store = store
  }

  /** Returns the position. */
  async create(upload: UploadPlace, fields: Fields): Promise<string> {
    const stream = entityStream('campaignupload', upload.id)
    const created = draftOf(upload, 'CampaignUploadCreated', fields)
    return (await append(this.#store, stream, NO_STREAM, [created])).position
  }

  /** Returns the position. */
  async change(upload: UploadPlace, fields: Fields): Promise<string> {
    const stream = entityStream('campaignupload', upload.id)
    return (await appendAtEnd(this.#store, stream, [draftOf(upload, 'CampaignUploadChanged', fields)])).position
  }
}

const draftOf = ({ level, actor }: UploadPlace, type: string, fields: Fields): Draft => {
  const seed = randomUUID()
  const author = { seed, actor, time: new Date().toISOString(), correlation: seed, causation: null, isSole: true }
  return draft(author, type, type, level, { fields })
}

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
