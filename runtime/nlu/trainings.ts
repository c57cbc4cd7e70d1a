import type { Commands } from '#commands/command-handler.ts'
import { systemCommand } from '#commands/port.ts'
import { type Follower, follow } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { NluData } from '#domain/nlu/project-data.ts'
import type { TrainingStage } from '#domain/nlu/train-model.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { Hints } from '#realtime/cluster/hints.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { FileType } from '#schemas/field/file-type.ts'
import { callerOf } from '../isolation/pooled-work.ts'
import type { WorkPool } from '../isolation/work.ts'
import type { FileStorage } from '../storage/storage-port.ts'
import type { ModelCache } from './model-cache.ts'
import { trainInPool } from './nlu-jobs.ts'
import { dataHash, PROJECT_ENTITIES, type ProjectEntity, projectContent } from './project-content.ts'
import { endStories, startStories } from './train-stories.ts'

/** Maximum parallel trainings of a node, and waiting ones. */
const MAX_RUNNING = 2
const MAX_WAITING = 10
/** Without a connection to other nodes: time after which an unfinished training of another node is taken over. */
const TAKE_OVER_MS = 5 * 60_000
/** With a connection: silence before the takeover. Random, so that one node takes it first and the others hear it. */
const SILENT_MS = { least: 12_000, more: 6_000 }
const BEAT_MS = 2_000
const TOPIC = 'training'

const EVENTS = { NluProject: 'nluproject', Brain: 'brain' } as const
const VERBS = ['TrainingStarted', 'TrainingCancelled', 'Removed'] as const
const TYPES = Object.keys(EVENTS).flatMap(type => VERBS.map(verb => type + verb))

interface Training {
  readonly entity: ProjectEntity
  readonly id: string
  /** `training_started_at`: identifies one training of the project. */
  readonly started: string
  readonly abort: AbortController
  progress: number
  /** When each stage began, ms since the node started. */
  readonly stages: { readonly stage: TrainingStage; readonly began: number }[]
}

/** A training on another node. */
interface WatchedTraining {
  readonly entity: ProjectEntity
  readonly id: string
  readonly started: string
  /** ms since the node started: the last hint about it, and the time of the takeover without a connection. */
  heard: number
  readonly until: number
  /** ms of silence until the takeover. */
  readonly silence: number
}

const keyOf = ({ id, started }: { readonly id: string; readonly started: string }): string => `${id} ${started}`

/** Progress of a training on this node. */
export interface TrainingProgress {
  /** From 0 to 1. */
  readonly progress: number
  /** Started stages with their seconds so far; the last one is running. */
  readonly stages: readonly { readonly stage: TrainingStage; readonly seconds: number }[]
  /** Number of trainings before it in the queue; null when it is running. */
  readonly waiting: number | null
}

const seconds = (ms: number): number => Math.round(ms / 100) / 10

interface TrainingsOptions {
  readonly store: EventStore
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'execute'>
  readonly storage: FileStorage
  readonly work: WorkPool
  readonly cache: ModelCache
  readonly hints: Pick<Hints, 'listen' | 'send' | 'connected'>
  /** Other nodes train too. */
  readonly isShared: boolean
  readonly failed: (error: unknown) => void
}

/**
 * Trainings of a node, driven by the log: the node that got the request starts the training and sends hints about it;
 * others take it over when the hints stop. Duplicate trainings give the same model, and the first result counts.
 */
export class Trainings {
  readonly #options: TrainingsOptions
  readonly #trainings = new Map<string, Training>()
  readonly #waiting: Training[] = []
  readonly #asked = new Set<string>()
  readonly #apart = new Set<string>()
  readonly #watched = new Map<string, WatchedTraining>()
  readonly #beat: NodeJS.Timeout
  readonly #stopListening: () => void
  readonly #following: Follower
  #running = 0
  #isClosed = false

  constructor(options: TrainingsOptions) {
    this.#options = options
    this.#stopListening = options.hints.listen(TOPIC, (_node, hint) => {
      if (hint.kind !== 'training') return
      for (const training of hint.trainings) {
        const watched = this.#watched.get(keyOf(training))
        if (watched !== undefined) watched.heard = performance.now()
      }
    })
    this.#beat = setInterval(() => this.#tellOthers(), BEAT_MS).unref()
    this.#following = this.#follow()
  }

  /** Returns false when the queue is full. An accepted training starts on this node. */
  admit(id: string): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false
    this.#asked.add(id)
    return true
  }

  /** Trainings of a project are left to `trainApart`, or no longer. */
  setApart(id: string, isApart: boolean): void {
    if (isApart) this.#apart.add(id)
    else this.#apart.delete(id)
  }

  /** Trains a project outside of the queue. Returns the input of `finishtraining`; undefined when nothing was trained. */
  async trainApart(id: string, started: string): Promise<JsonObject | undefined> {
    const data = await projectContent(this.#options.read, 'nluproject', id)
    const training: Training = {
      entity: 'nluproject',
      id,
      started,
      abort: new AbortController(),
      progress: 0,
      stages: [],
    }
    return data && this.#trained(training, data)
  }

  /** Undefined for trainings that are not on this node. */
  progress(id: string): TrainingProgress | undefined {
    const training = this.#trainings.get(id)
    if (training === undefined) {
      const place = this.#waiting.findIndex(each => each.id === id)
      return place < 0 ? undefined : { progress: 0, stages: [], waiting: place + this.#running }
    }
    const { progress, stages } = training
    const ends = [...stages.slice(1).map(({ began }) => began), performance.now()]
    const told = stages.map(({ stage, began }, at) => ({ stage, seconds: seconds((ends[at] ?? began) - began) }))
    return { progress, stages: told, waiting: null }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#beat)
    this.#stopListening()
    for (const { abort } of this.#trainings.values()) abort.abort()
    await this.#following.stop()
  }

  #follow(): Follower {
    const { store, read, failed } = this.#options
    return follow(store, {
      name: 'trainings',
      from: async () => {
        const head = await store.head()
        await read.reached(head, 10_000)
        // Trainings that a stopped node left unfinished.
        for (const entity of PROJECT_ENTITIES) {
          const filter = { training_status: 'started' }
          const { items } = await read.list(SYSTEM_SCOPE, entity, { page: 1, size: 100, filter })
          for (const row of items) this.#noticed(entity, row.id, String(row.training_started_at))
        }
        return head
      },
      filter: { types: TYPES },
      event: stored => this.#heard(stored),
      failed,
    })
  }

  #heard({ type, stream, data }: StoredEvent): void {
    const id = stream.slice(stream.indexOf('-') + 1)
    const entity = type.startsWith('Brain') ? EVENTS.Brain : EVENTS.NluProject
    const fields = data.fields as JsonObject | undefined
    if (type.endsWith('TrainingStarted')) this.#noticed(entity, id, String(fields?.training_started_at))
    else this.#cancel(id)
  }

  #cancel(id: string): void {
    this.#trainings.get(id)?.abort.abort()
    const at = this.#waiting.findIndex(training => training.id === id)
    if (at >= 0) this.#waiting.splice(at, 1)
  }

  #noticed(entity: ProjectEntity, id: string, started: string): void {
    if (this.#apart.has(id)) return
    const isOurs = this.#asked.delete(id) || !this.#options.isShared
    if (isOurs) {
      this.#add(entity, id, started)
      return
    }
    const heard = performance.now()
    const silence = SILENT_MS.least + Math.random() * SILENT_MS.more
    this.#watched.set(keyOf({ id, started }), { entity, id, started, heard, until: heard + TAKE_OVER_MS, silence })
  }

  /** Sends hints about own trainings, and takes over those whose hints stopped. */
  #tellOthers(): void {
    const { hints, failed } = this.#options
    const own = [...this.#trainings.values(), ...this.#waiting].map(({ id, started }) => ({ id, started }))
    if (own.length > 0) hints.send(TOPIC, { kind: 'training', trainings: own })
    const now = performance.now()
    for (const [key, watched] of this.#watched) {
      // While disconnected this node cannot receive hints, so the silence does not count.
      if (!hints.connected) watched.heard = now
      const isLate = hints.connected ? now - watched.heard >= watched.silence : now >= watched.until
      if (!isLate) continue
      this.#watched.delete(key)
      const { entity, id, started } = watched
      void this.#isUnderWay(entity, id, started).then(is => {
        if (is) this.#add(entity, id, started)
      }, failed)
    }
  }

  async #isUnderWay(entity: ProjectEntity, id: string, started: string): Promise<boolean> {
    const row = await this.#options.read.detail(SYSTEM_SCOPE, entity, id)
    return row?.training_status === 'started' && row.training_started_at === started
  }

  #add(entity: ProjectEntity, id: string, started: string): void {
    if (this.#isClosed) return
    this.#waiting.push({ entity, id, started, abort: new AbortController(), progress: 0, stages: [] })
    this.#next()
  }

  #next(): void {
    while (this.#running < MAX_RUNNING && !this.#isClosed) {
      const training = this.#waiting.shift()
      if (training === undefined) return
      this.#running += 1
      this.#trainings.set(training.id, training)
      void this.#train(training)
        .catch(error => {
          this.#options.failed(error)
          // Nothing was stored, so that the training can be repeated.
          if (!this.#isClosed) return this.#fail(training, 'storage')
        })
        .catch(this.#options.failed)
        .finally(() => {
          this.#running -= 1
          if (this.#trainings.get(training.id) === training) this.#trainings.delete(training.id)
          this.#next()
        })
    }
  }

  async #train(training: Training): Promise<void> {
    const { read } = this.#options
    const { entity, id } = training
    await read.reached(await this.#options.store.head(), 10_000)
    const data = await projectContent(read, entity, id)
    if (data === undefined) return
    await this.#startStories(training)
    const finished = await this.#trained(training, data)
    if (finished === undefined) return
    await this.#endStories(training, null)
    await this.#tell(training, 'finishtraining', finished)
  }

  /** Trains and stores a model. Returns the input of `finishtraining`; undefined when there is none. */
  async #trained(training: Training, data: NluData): Promise<JsonObject | undefined> {
    const { read, cache } = this.#options
    const began = performance.now()
    const { entity, id, started, abort } = training
    const onProgress = (part: number, stage: TrainingStage) => {
      training.progress = part
      if (training.stages.at(-1)?.stage !== stage) training.stages.push({ stage, began: performance.now() })
    }
    const row = await read.detail(SYSTEM_SCOPE, entity, id)
    const from = callerOf({ hierarchylevel: row?.hierarchylevel ?? null }, id)
    const trained = await trainInPool({ pool: this.#options.work, from, signal: abort.signal }, data, onProgress)
    // A node that shuts down leaves the training to another one.
    if (this.#isClosed) return undefined
    // The cancelling command already changed the project.
    if (abort.signal.aborted) return void (await this.#endStories(training, 'cancelled'))
    if (!trained.ok) return void (await this.#fail(training, trained.code))
    const { bytes, hash, report, evaluation } = trained
    // No upload type fits a model; it is never downloaded.
    const file = await this.#keep(bytes, `${hash}.model`, 'application/zip')
    cache.add(hash, bytes)
    const figures = { ...report, seconds: seconds(performance.now() - began), bytes: bytes.length }
    const evaluated = await this.#keep(evaluation, `${hash}.json`, 'application/json')
    return { started, hash, file, evaluation: evaluated, data: dataHash(data), figures }
  }

  async #fail(training: Training, code: string): Promise<void> {
    await this.#endStories(training, code)
    await this.#tell(training, 'failtraining', { started: training.started, code })
  }

  async #startStories({ entity, id, started }: Training): Promise<void> {
    if (entity === 'nluproject') await startStories(this.#options, { project: id, started })
  }

  async #endStories({ entity, id, started }: Training, code: string | null): Promise<void> {
    if (entity === 'nluproject') await endStories(this.#options, { project: id, started }, code)
  }

  async #keep(bytes: Uint8Array<ArrayBuffer>, name: string, type: FileType): Promise<string> {
    const { storage } = this.#options
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const { id } = await storage.put({ content, name, type, owner: '' })
    await storage.keep(id)
    return id
  }

  async #tell({ entity, id }: Training, action: string, input: JsonObject): Promise<void> {
    const { commands, failed } = this.#options
    const outcome = await commands.execute(systemCommand({ entity, action, id, input }))
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound')
      failed(new Error(`a training could not be told of: ${outcome.refusal.code}`))
  }
}
