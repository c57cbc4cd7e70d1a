import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { StoredEvent } from '#schemas/event.ts'
import { isolatedEnv } from '../../isolated-env.ts'
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
  DATA,
  fromFailure,
  fromPosition,
  isFailure,
  type ReadRequest,
  type ReadResult,
  type StoredRow,
  toEvent,
  toPosition,
} from './message.ts'
import type { FromWorker, Numbered, ToWorker } from './serve.ts'

/** Called exactly once; after the deadline called `reject`, a late answer still calls `resolve`. */
interface Waiting<Result> {
  resolve(result: Result): void
  reject(error: Error): void
}

interface Sent<Result> extends Waiting<Result> {
  readonly since: number
  readonly size: number
  expired: boolean
}

/** Limit of pending bytes; further requests are refused to protect memory. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024
const CLOSING = 10_000

export const READER = new URL('./read-worker.ts', import.meta.url)

interface ChannelOptions {
  readonly script: URL
  readonly file: string
  /** Milliseconds until a request without an answer fails as StoreUnavailable. */
  readonly deadline: number
  /** The worker ended, not by `close()`. All pending requests were rejected. */
  lost(error: StoreUnavailable): void
}

/** Requests to one worker, many to a message, answered in the order they were sent. */
export class WorkerChannel<Request, Result extends object | number> {
  private readonly worker: Worker
  private readonly options: ChannelOptions
  private readonly waiting = new Map<number, Sent<Result>>()
  private readonly clock: NodeJS.Timeout
  private outbox: Numbered<Request>[] = []
  private size = 0
  private count = 0
  private over: StoreUnavailable | null = null
  private closing = false

  private constructor(worker: Worker, options: ChannelOptions) {
    this.worker = worker
    this.options = options
    worker.on('message', (message: FromWorker<Result>) => this.receive(message))
    worker.on('error', error => this.lose(`The store's worker failed (${error.message})`))
    worker.on('exit', () => this.lose("The store's worker ended"))
    this.clock = setInterval(() => this.expire(), Math.min(1000, options.deadline / 4)).unref()
  }

  /** @returns the channel and the worker's ready message */
  static async open<Request, Result extends object | number>(options: ChannelOptions) {
    const worker = new Worker(options.script, { workerData: { file: options.file }, env: isolatedEnv() })
    const first = await firstMessage<FromWorker<Result>>(worker, options.deadline)
    if ('failed' in first) throw fromFailure(first.failed)
    const id = 'ready' in first ? first.ready : ''
    return { channel: new WorkerChannel<Request, Result>(worker, options), id }
  }

  /** @param size roughly, in bytes */
  send(request: Request, size: number, waiting: Waiting<Result>): void {
    const refusal = this.refusal(size)
    if (refusal) {
      waiting.reject(refusal)
      return
    }
    // Sends all requests of this event loop turn together: waking the worker costs more than a request.
    if (this.outbox.length === 0) setImmediate(() => this.flush())
    this.size += size
    const number = ++this.count
    this.waiting.set(number, {
      resolve: result => waiting.resolve(result),
      reject: error => waiting.reject(error),
      since: performance.now(),
      size,
      expired: false,
    })
    this.outbox.push({ number, request })
  }

  /** Answers earlier requests first. */
  async close(): Promise<void> {
    if (this.closing) return
    this.flush()
    this.closing = true
    if (!this.over) {
      const ended = new Promise(resolve => this.worker.once('exit', resolve))
      this.post(null)
      const timer = setTimeout(() => this.worker.terminate(), CLOSING)
      await ended
      clearTimeout(timer)
    }
    clearInterval(this.clock)
  }

  private refusal(size: number): StoreUnavailable | null {
    if (this.closing) return new StoreUnavailable('The store is closed')
    if (this.over) return this.over
    return this.size + size > MAX_PENDING_BYTES ? new StoreUnavailable('The store is too busy') : null
  }

  private flush(): void {
    if (this.outbox.length === 0 || this.over) return
    this.post(this.outbox)
    this.outbox = []
  }

  private post(message: ToWorker<Request>): void {
    this.worker.postMessage(message)
  }

  private receive(message: FromWorker<Result>): void {
    if (!('answers' in message)) return
    for (const { number, result } of message.answers) {
      const sent = this.waiting.get(number)
      if (!sent) continue
      this.waiting.delete(number)
      this.size -= sent.size
      if (!isFailure(result)) sent.resolve(result)
      else if (!sent.expired) sent.reject(fromFailure(result))
    }
  }

  private expire(): void {
    const since = performance.now() - this.options.deadline
    for (const sent of this.waiting.values()) {
      if (sent.since > since) return
      if (sent.expired) continue
      sent.expired = true
      sent.reject(new StoreUnavailable(`The store did not answer within ${this.options.deadline} ms`))
    }
  }

  private lose(reason: string): void {
    if (this.over) return
    this.over = new StoreUnavailable(reason)
    clearInterval(this.clock)
    for (const sent of this.waiting.values()) if (!sent.expired) sent.reject(this.over)
    this.waiting.clear()
    if (!this.closing) this.options.lost(this.over)
  }
}

/** @throws StoreUnavailable when the worker says nothing in time or ends before it does */
async function firstMessage<Message>(worker: Worker, deadline: number): Promise<Message> {
  const { promise, resolve, reject } = Promise.withResolvers<Message>()
  const fail = (reason: string) => reject(new StoreUnavailable(`The store did not open (${reason})`))
  const ended = () => fail('its worker ended')
  const failed = (error: Error) => fail(error.message)
  const timer = setTimeout(() => fail(`no answer within ${deadline} ms`), deadline)
  worker.once('message', resolve).once('error', failed).once('exit', ended)
  try {
    return await promise
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    clearTimeout(timer)
    worker.off('error', failed).off('exit', ended)
  }
}

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
  const lost = () => undefined
  const { channel, id } = await WorkerChannel.open<ReadRequest, ReadResult>({
    script: READER,
    file,
    deadline: DEADLINE,
    lost,
  })
  return new EmbeddedLog(id, channel, toEventOrEmpty)
}

function toEventOrEmpty(row: StoredRow): StoredEvent {
  try {
    return toEvent(row)
  } catch {
    return toEvent(row.with(DATA, '{}') as unknown as StoredRow)
  }
}
