import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredEvent } from '#schemas/event.ts'
import {
  type EventStore,
  type Filter,
  type ReadAll,
  type ReadStream,
  START,
  StoreUnavailable,
  type StreamMetadata,
} from '../port.ts'
import {
  type Chunk,
  fromPosition,
  type ReadRequest,
  type ReadResult,
  type StoredRow,
  toEvent,
  toPosition,
} from './message.ts'
import { WorkerChannel } from './worker-channel.ts'

export const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** The reading half of the embedded store. */
export class EmbeddedLog implements Pick<EventStore, 'id' | 'read' | 'readAll' | 'revision' | 'head' | 'metadata'> {
  readonly id: string
  private readonly reads: WorkerChannel<ReadRequest, ReadResult>
  private readonly decode: (row: StoredRow) => StoredEvent

  constructor(id: string, reads: WorkerChannel<ReadRequest, ReadResult>, decode = toEvent) {
    this.id = id
    this.reads = reads
    this.decode = decode
  }

  async *read(stream: string, options: ReadStream = {}): AsyncIterable<StoredEvent> {
    const backwards = options.direction === 'backwards'
    let from = options.from ?? null
    let left = options.limit ?? NO_LIMIT
    while (left > 0) {
      const { rows, next } = await this.chunk({ kind: 'stream', stream, backwards, from, limit: left })
      for (const row of rows) yield this.decode(row)
      if (next === null) return
      left -= rows.length
      from = next
    }
  }

  async *readAll({ after = START, limit = NO_LIMIT, filter = {} }: ReadAll = {}): AsyncIterable<StoredEvent> {
    let left = limit
    if (left < 1) return
    let coming = this.logChunk(fromPosition(after), null, left, filter)
    for (;;) {
      const { rows, next, head } = await coming
      left -= rows.length
      if (next !== null) coming = ahead(this.logChunk(next, head, left, filter))
      for (const row of rows) yield this.decode(row)
      if (next === null) return
    }
  }

  async revision(stream: string): Promise<number> {
    return Number(await this.ask({ kind: 'revision', stream }))
  }

  async head(): Promise<string> {
    return toPosition(Number(await this.ask({ kind: 'head' })))
  }

  async metadata(stream: string): Promise<StreamMetadata> {
    const answer = await this.ask({ kind: 'metadata', stream })
    return typeof answer === 'object' && !('rows' in answer) ? answer : {}
  }

  logChunk(after: number, upTo: number | null, limit: number, filter: Filter): Promise<Chunk> {
    const { streamPrefixes = [], types = [] } = filter
    return this.chunk({ kind: 'log', after, upTo, limit, streamPrefixes, types })
  }

  async close(): Promise<void> {
    await this.reads.close()
  }

  private async chunk(request: ReadRequest): Promise<Chunk> {
    const answer = await this.ask(request)
    if (typeof answer === 'object' && 'rows' in answer) return answer
    throw new TypeError(`A ${request.kind} request is answered with events`)
  }

  private ask(request: ReadRequest): Promise<ReadResult> {
    return new Promise((resolve, reject) => this.reads.send(request, 0, { resolve, reject }))
  }
}

/** Prefetches a chunk; awaiting it still throws its error, and nothing has to await it. */
function ahead<T>(coming: Promise<T>): Promise<T> {
  coming.catch(() => undefined)
  return coming
}

const DEADLINE = 120_000

/**
 * Read-only events of a folder, also while a gateway writes them. Data that is invalid JSON is returned as empty, so
 * that a hash check can name the event. @throws StoreCorrupt or StoreUnavailable with one line
 */
export async function openEmbeddedLog(folder: string): Promise<EmbeddedLog> {
  const file = join(folder, 'events.sqlite')
  if (!existsSync(file)) throw new StoreUnavailable(`There is no ${file}`)
  const script = new URL('read-worker.ts', import.meta.url)
  const lost = () => undefined
  const { channel, id } = await WorkerChannel.open<ReadRequest, ReadResult>({ script, file, deadline: DEADLINE, lost })
  return new EmbeddedLog(id, channel, toEventOrEmpty)
}

function toEventOrEmpty(row: StoredRow): StoredEvent {
  try {
    return toEvent(row)
  } catch {
    const [position, stream, revision, id, type, version, time, actor, correlation, causation, level, hash] = row
    return toEvent([
      position,
      stream,
      revision,
      id,
      type,
      version,
      time,
      actor,
      correlation,
      causation,
      level,
      hash,
      '{}',
    ])
  }
}
