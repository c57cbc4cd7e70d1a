import { randomUUID } from 'node:crypto'
import { NO_STREAM } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { Json } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { tailOf } from '../../../log/sole-append.ts'

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
  create(upload: UploadPlace, fields: Fields): Promise<string> {
    return this.#write(upload, 'CampaignUploadCreated', fields, false)
  }

  /** Writes nothing when the upload was removed meanwhile. */
  change(upload: UploadPlace, fields: Fields): Promise<string> {
    return this.#write(upload, 'CampaignUploadChanged', fields, true)
  }

  async #write({ id, level, actor }: UploadPlace, type: string, fields: Fields, isChange: boolean): Promise<string> {
    const stream = entityStream('campaignupload', id)
    const seed = randomUUID()
    const author = { seed, actor, time: new Date().toISOString(), correlation: seed, causation: null, isSole: true }
    for (;;) {
      const tail = isChange ? await tailOf(this.#store, stream) : NO_STREAM
      try {
        return (await append(this.#store, stream, tail, [draft(author, type, type, level, { fields })])).position
      } catch (error) {
        if (!isChange || !(error instanceof WrongRevision)) throw error
      }
    }
  }
}
