import { Worker } from 'node:worker_threads'
import type { EventStore, Subscriber, Subscription } from '#commands/store/port.ts'
import type { Json, JsonObject, StoredEvent } from '#schemas/event.ts'
import { ORIGIN_PREFIX } from '#schemas/events/origin.ts'
import { isObject } from '#schemas/json.ts'
import { withoutSettings } from '#schemas/settings.ts'
import type { AccessModel } from './access-model.ts'
import { type FromProjection, type ProjectionData, packed, type ToProjection } from './message.ts'
import { shownPrefixes } from './model-file.ts'
import type { Applied, TokenUse } from './port.ts'
import { FORGOTTEN, type Table } from './table.ts'

const BATCH = 2000
const BATCH_BYTES = 4 * 1024 * 1024
/** Batches under way: one is folded while the next one is already there. */
const CATCHING_UP = 2
/** Ordinary event, roughly. */
const EVENT_BYTES = 600

const sizeOf = (event: StoredEvent): number => {
  const { update } = event.data
  return typeof update === 'string' ? EVENT_BYTES + update.length : EVENT_BYTES
}

/**
 * Batches events for a worker: full batches during catch-up; once live, pending events as soon as the worker is free.
 * `push` returns a promise when the queue is full.
 */
export class Feed {
  readonly #send: (events: readonly StoredEvent[], position: string) => void
  #pending: StoredEvent[] = []
  #bytes = 0
  #underWay = 0
  #events = 0
  #live = false
  #room: (() => void) | undefined
  #empty: (() => void) | undefined

  constructor(send: (events: readonly StoredEvent[], position: string) => void) {
    this.#send = send
  }

  /** Events that are not folded yet. */
  get behind(): number {
    return this.#events
  }

  push(event: StoredEvent): void | Promise<void> {
    this.#pending.push(event)
    this.#bytes += sizeOf(event)
    this.#events += 1
    this.#flush()
    if (!this.#isFull()) return
    return new Promise(resolve => {
      this.#room = resolve
    })
  }

  /** Everything there was has been pushed. */
  live(): void {
    this.#live = true
    this.#flush()
  }

  folded(count: number): void {
    this.#underWay -= 1
    this.#events -= count
    this.#flush()
    if (!this.#isFull()) {
      this.#room?.()
      this.#room = undefined
    }
    if (this.#events === 0) this.#empty?.()
  }

  /** Resolves when everything pushed so far is folded. */
  drained(): Promise<void> {
    if (this.#events === 0) return Promise.resolve()
    return new Promise(resolve => {
      this.#empty = resolve
    })
  }

  #isFull(): boolean {
    return this.#pending.length >= BATCH || this.#bytes >= BATCH_BYTES
  }

  #flush(): void {
    const free = this.#underWay < (this.#live ? 1 : CATCHING_UP)
    const last = this.#pending.at(-1)
    if (last === undefined || !free || !(this.#live || this.#isFull())) return
    const events = this.#pending
    this.#pending = []
    this.#bytes = 0
    this.#underWay += 1
    this.#send(events, last.position)
  }
}

/** Decrypts a personal value of a user; undefined when that user was forgotten. `context` is the place it was made for. */
export type DecryptPersonal = (
  user: string,
  sealed: JsonObject,
  context: string,
) => Promise<Json | undefined> | Json | undefined

const isPersonal = (value: Json | undefined): value is JsonObject => isObject(value) && '$personal' in value

/** An event with its personal values in clear, as far as their key still exists. */
const openPersonal = async (
  event: StoredEvent,
  tables: ReadonlyMap<string, Table>,
  decrypt: DecryptPersonal,
): Promise<StoredEvent> => {
  const dash = event.stream.indexOf('-')
  const id = event.stream.slice(dash + 1)
  const { fields, user } = event.data
  const owner = tables.has(event.stream.slice(0, dash)) ? id : event.stream.startsWith(ORIGIN_PREFIX) ? user : undefined
  if (typeof owner !== 'string' || !isObject(fields)) return event
  const opened: Record<string, Json> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (!isPersonal(value)) continue
    opened[name] = (await decrypt(owner, value, `${event.stream}.${name}`)) ?? { [FORGOTTEN]: true }
  }
  return { ...event, data: { ...event.data, fields: { ...fields, ...opened } } }
}

/** Whether it must be opened before it is folded: most events need not wait for that. */
const hasPersonal = (event: StoredEvent): boolean => {
  const { fields } = event.data
  return isObject(fields) && Object.values(fields).some(isPersonal)
}

interface GenerationOptions {
  readonly file: string
  readonly tables: readonly Table[]
  readonly store: EventStore
  readonly upcast: (event: StoredEvent) => StoredEvent
  readonly decrypt: DecryptPersonal
  readonly access: AccessModel
  /** Caught up and indexed when it was opened. */
  readonly complete: boolean
  readonly applied: (applied: Applied) => void
  /** Its position moved past events that no read model shows. */
  readonly passed: () => void
  /** It has caught up for the first time and can serve. */
  readonly completed: () => void
  /** One line for the operator. */
  readonly log: (line: string) => void
  /** The file is damaged and unusable. */
  readonly broken: (reason: string) => void
}

const RESTART = 500
const MAX_RESTART_MS = 10_000

/** One file of read models with its worker and its subscription; both are started again when they are lost. */
export class Generation {
  readonly file: string
  readonly access: AccessModel
  readonly #options: GenerationOptions
  readonly #tables: ReadonlyMap<string, Table>
  #worker: Worker | undefined
  #feed: Feed
  #subscription: Subscription | undefined
  #position = ''
  /** Everything up to this position was pushed to the worker or filtered out. */
  #passed = ''
  #complete: boolean
  #live = false
  #problem: string | undefined = 'starting'
  #interruption: string | undefined
  #failures = 0
  #closed = false
  #opening: PromiseWithResolvers<void> | undefined
  #closing: (() => void) | undefined

  constructor(options: GenerationOptions) {
    this.#options = options
    this.file = options.file
    this.access = options.access
    this.#complete = options.complete
    this.#tables = new Map(options.tables.map(table => [table.name, table]))
    this.#feed = new Feed(() => undefined)
  }

  /** Resolves when its worker has the file open, rejects when it cannot; after that it keeps itself going. */
  open(): Promise<void> {
    this.#opening = Promise.withResolvers()
    this.#start()
    return this.#opening.promise
  }

  get position(): string {
    return this.#position
  }

  /** Position that queries show. None before the end of a rebuild, which derives a part of the rows. */
  get shown(): string {
    return this.#complete ? this.#position : ''
  }

  get behind(): number {
    return this.#feed.behind
  }

  get complete(): boolean {
    return this.#complete
  }

  /** Why it does not show what the store holds; undefined when it does. */
  get problem(): string | undefined {
    return (
      this.#problem ??
      this.#interruption ??
      (this.#live && this.#complete ? undefined : 'the read models are catching up')
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#subscription?.stop()
    const worker = this.#worker
    if (worker === undefined) return
    await new Promise<void>(resolve => {
      this.#closing = resolve
      this.#post({ kind: 'close' })
    })
  }

  #start(): void {
    const { file, tables, store } = this.#options
    const workerData: ProjectionData = { file, tables, store: store.id }
    const worker = new Worker(new URL('./write/projection-worker.ts', import.meta.url), {
      workerData,
      env: withoutSettings(process.env),
    })
    this.#worker = worker
    this.#feed = new Feed((events, position) => this.#post({ kind: 'batch', events: events.map(packed), position }))
    worker.on('message', (message: FromProjection) => this.#told(message))
    worker.on('error', error => {
      this.#problem = error.message
    })
    worker.on('exit', () => this.#lost(worker))
  }

  tokenUsed(use: TokenUse): void {
    this.#post({ kind: 'tokenused', use })
  }

  #post(message: ToProjection): void {
    this.#worker?.postMessage(message)
  }

  #told(message: FromProjection): void {
    switch (message.kind) {
      case 'opened':
        this.#position = message.checkpoint.position
        this.#passed = ''
        this.access.replace(message.access)
        this.#problem = undefined
        this.#opening?.resolve()
        this.#opening = undefined
        if (!this.#closed) this.#subscribe()
        return
      case 'applied': {
        const { position, touched, notices } = message
        this.#failures = 0
        this.#position = position
        this.access.apply(message.access)
        this.#feed.folded(message.count)
        this.#advance()
        this.#options.applied({ position, touched, notices: this.#live ? notices : [] })
        return
      }
      case 'completed':
        this.access.apply(message.access)
        this.#complete = true
        this.#options.completed()
        this.#options.applied({ position: this.#position, touched: message.touched, notices: [] })
        return
      case 'failed':
        this.#problem = `the read models stopped: ${message.message}`
        if (message.corrupt && this.#opening === undefined) this.#break(message.message)
        return
      case 'closed':
        return
    }
  }

  #subscribe(): void {
    const feed = this.#feed
    let over = false
    let latest = this.#position
    const filter = { streamPrefixes: shownPrefixes(this.#tables.keys()) }
    const pass = (position: string) => {
      if (over) return
      this.#passed = position
      if (this.#advance()) this.#options.passed()
    }
    const subscriber: Subscriber = {
      event: event => {
        if (over) return
        latest = event.position
        try {
          return this.#take(feed, event)
        } catch (error) {
          over = true
          this.#halt(error)
        }
      },
      caughtUp: position => {
        this.#interruption = undefined
        if (!over) this.#caughtUp(feed, latest)
        pass(position)
      },
      passed: pass,
      interrupted: error => {
        this.#interruption = `the store's subscription was lost: ${error.message}`
      },
      ended: error => {
        if (error === undefined || over || this.#closed) return
        over = true
        this.#problem = `the store's subscription was lost: ${error.message}`
        void this.#worker?.terminate()
      },
    }
    this.#subscription = this.#options.store.subscribe(this.#position, subscriber, filter)
  }

  /** Whether its position moved past events that no read model shows. */
  #advance(): boolean {
    if (this.#feed.behind > 0 || this.#passed <= this.#position) return false
    this.#position = this.#passed
    return true
  }

  #take(feed: Feed, event: StoredEvent): void | Promise<void> {
    const lifted = this.#options.upcast(event)
    if (!hasPersonal(lifted)) return feed.push(lifted)
    return openPersonal(lifted, this.#tables, this.#options.decrypt).then(opened => feed.push(opened))
  }

  #caughtUp(feed: Feed, latest: string): void {
    feed.live()
    if (this.#live || feed !== this.#feed) return
    void feed.drained().then(() => {
      if (feed !== this.#feed || this.#live || this.#position < latest) return
      this.#live = true
      if (this.#complete) this.#options.completed()
      else this.#post({ kind: 'complete' })
    })
  }

  /** Stops at an unreadable event: only a newer program continues to fold. */
  #halt(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : String(error)
    this.#options.log(`The read models stopped: ${this.#problem}`)
    void this.#subscription?.stop()
  }

  #break(reason: string): void {
    this.#closed = true
    void this.#subscription?.stop()
    this.#options.broken(reason)
  }

  #lost(worker: Worker): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    this.#live = false
    this.#closing?.()
    if (this.#opening !== undefined) {
      this.#closed = true
      this.#opening.reject(new Error(this.#problem ?? 'the read models could not be opened'))
    }
    if (this.#closed) return
    this.#problem ??= 'the read models stopped'
    if (this.#failures === 0) this.#options.log(`${this.#problem}; they are started again`)
    void this.#subscription?.stop()
    const pause = Math.min(RESTART * 2 ** this.#failures, MAX_RESTART_MS)
    this.#failures += 1
    setTimeout(() => {
      if (!this.#closed) this.#start()
    }, pause).unref()
  }
}
