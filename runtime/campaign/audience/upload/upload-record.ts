import { randomUUID } from 'node:crypto'
import { type Draft, NO_STREAM } from '#commands/integrity/hash-chain.ts'
import { append } from '#commands/pipeline/append.ts'
import { draft } from '#commands/pipeline/author.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Json } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { appendAtEnd } from '../../../log/exclusive-append.ts'

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
