import { setImmediate as breathe } from 'node:timers/promises'
import type { Release, TurnSettings } from '#domain/conversation/release.ts'
import { changeOf, mayDiffer, type ReleaseChange } from '#domain/rehearsal/changed-blocks.ts'
import type { AskedModels, PathStep, Recording } from '#domain/rehearsal/recording.ts'
import type { End, Place } from '#domain/rehearsal/walk.ts'
import type { UnknownReason } from '#schemas/api/rehearsal.ts'
import { REHEARSAL } from '../../isolation/jobs.ts'
import type { WorkCaller, WorkPool } from '../../isolation/work.ts'
import type { ConversationRecord, RecordedConversation } from '../../port.ts'
import type { RehearsedConversation } from './rehearsal-job.ts'

/** ms for a whole rehearsal, and for one conversation in all its runs. */
const WHOLE_MS = 60_000
const ONE_MS = 3_000
/** Conversations that one job runs. */
const BATCH = 20
/** Conversations that a group names. */
const MAX_NAMED = 100
const MAX_GROUPS = 200
/** ms until a job is tried again for which no process was free. */
const BUSY_MS = 250

/** Conversations whose paths part behind one block, with one pair of ends. */
export interface RehearsalGroup {
  readonly parts: Place
  readonly today: End
  readonly after: End
  count: number
  readonly conversations: ConversationRecord[]
  /** Conversations that left a block by an output, today and after, by `dialog block output`. */
  readonly ways: Map<string, { readonly step: PathStep; today: number; after: number }>
}

/** `late`: its time was over; `failed`: no process could run it. */
type RehearsalState = 'running' | 'done' | 'stopped' | 'late' | 'failed'

interface RehearsalSource {
  /** Newest first. */
  readonly conversations: readonly ConversationRecord[]
  readonly published: Release
  readonly draft: Release
  readonly settings: TurnSettings
  readonly releaseOf: (number: number) => Promise<Release>
  readonly models: AskedModels
  /** Undefined: it cannot be run again. */
  readonly recorded: (id: string) => Promise<RecordedConversation | undefined>
}

interface Waiting {
  readonly record: ConversationRecord
  readonly recording: Recording
}

interface RanRelease {
  readonly release: Release
  /** To what is published, and to the draft. */
  readonly changes: readonly ReleaseChange[]
}

/** Key of the group of an outcome. */
const keyOf = (parts: Place, today: End, after: End): string =>
  JSON.stringify([parts.dialog, parts.block, today.kind, today.block, after.kind, after.block])

/** Recorded conversations run through a draft, while they are counted. */
export class Rehearsal {
  readonly bot: string
  readonly user: string
  readonly source: RehearsalSource
  readonly groups = new Map<string, RehearsalGroup>()
  readonly unknown = new Map<UnknownReason, number>()
  state: RehearsalState = 'running'
  same = 0
  /** The same end by other blocks. */
  ways = 0
  elsewhere = 0
  /** Of those that end elsewhere: how many a person took over, today and after. */
  readonly handed = { today: 0, after: 0 }
  /** ms since 1970 */
  readonly began = Date.now()
  used = Date.now()
  ended: number | undefined
  readonly #pool: WorkPool
  readonly #from: WorkCaller
  readonly #stop = new AbortController()
  readonly #releases = new Map<number, RanRelease>()

  constructor(
    given: { readonly bot: string; readonly user: string; readonly source: RehearsalSource },
    pool: WorkPool,
    from: WorkCaller,
  ) {
    this.bot = given.bot
    this.user = given.user
    this.source = given.source
    this.#pool = pool
    this.#from = from
  }

  get total(): number {
    return this.source.conversations.length
  }

  get done(): number {
    return this.unknown.values().reduce((sum, count) => sum + count, this.same + this.ways + this.elsewhere)
  }

  stop(): void {
    if (this.state === 'running') this.#finish('stopped')
    this.#stop.abort()
  }

  /** Runs to the end, to the deadline, or until it is stopped. Never rejects. */
  async run(failed: (error: unknown) => void): Promise<void> {
    const timer = setTimeout(() => {
      if (this.state === 'running') this.#finish('late')
      this.#stop.abort()
    }, WHOLE_MS)
    timer.unref()
    try {
      await this.#all()
      if (this.state === 'running') this.#finish('done')
    } catch (error) {
      failed(error)
      if (this.state === 'running') this.#finish('failed')
    } finally {
      clearTimeout(timer)
    }
  }

  /** Runs one conversation again, with what was said. Undefined: it cannot be run. */
  async open(record: ConversationRecord): Promise<RehearsedConversation | undefined> {
    const { release: recorded } = await this.#ofRelease(record.release)
    const known = await this.source.recorded(record.id)
    const recording = await known?.recording(recorded, this.source.models)
    if (recording === undefined) return undefined
    const found: RehearsedConversation[] = []
    await this.#job(recorded, [recording], one => found.push(one), true)
    return found[0]
  }

  #finish(state: RehearsalState): void {
    this.state = state
    this.ended = Date.now()
  }

  /** Reads the next conversations while a process runs those before them. */
  async #all(): Promise<void> {
    const { conversations } = this.source
    const batches = new Map<number, Waiting[]>()
    let running: Promise<void> = Promise.resolve()
    for (let at = 0; at < conversations.length && this.state === 'running'; at += BATCH) {
      const [found] = await Promise.all([this.#read(conversations.slice(at, at + BATCH)), running])
      running = this.#runFull(batches, found)
    }
    await running
    for (const [release, batch] of batches) await this.#batch(release, batch)
  }

  /** Conversations that have to be run; the others are counted at once. */
  async #read(records: readonly ConversationRecord[]): Promise<readonly Waiting[]> {
    const read = await Promise.all(records.map(({ id }) => this.source.recorded(id)))
    const found: Waiting[] = []
    for (const [place, record] of records.entries()) {
      const waiting = await this.#waiting(record, read[place])
      if (this.state !== 'running') return []
      if (waiting === 'record') this.#countUnknown(waiting)
      else if (waiting === 'same') this.same += 1
      else found.push(waiting)
      await breathe()
    }
    return found
  }

  async #waiting(
    record: ConversationRecord,
    known: RecordedConversation | undefined,
  ): Promise<Waiting | 'same' | 'record'> {
    if (known === undefined) return 'record'
    const { release, changes } = await this.#ofRelease(record.release)
    if (!changes.some(change => mayDiffer(change, known.path))) return 'same'
    const recording = await known.recording(release, this.source.models)
    return recording === undefined ? 'record' : { record, recording }
  }

  /** Runs the batches that these conversations fill. */
  async #runFull(batches: Map<number, Waiting[]>, found: readonly Waiting[]): Promise<void> {
    const full: (readonly [release: number, batch: readonly Waiting[]])[] = []
    for (const waiting of found) {
      const { release } = waiting.record
      const batch = [...(batches.get(release) ?? []), waiting]
      batches.set(release, batch)
      if (batch.length < BATCH) continue
      batches.delete(release)
      full.push([release, batch])
    }
    for (const [release, batch] of full) await this.#batch(release, batch)
  }

  /** A release that conversations ran, with its changes to what is published and to the draft. */
  async #ofRelease(number: number): Promise<RanRelease> {
    const known = this.#releases.get(number)
    if (known !== undefined) return known
    const { published, draft, settings } = this.source
    const release = await this.source.releaseOf(number)
    const toPublished = changeOf(release, published, settings)
    const isPublished = !toPublished.isEverywhere && [...toPublished.blocks.values()].every(({ size }) => size === 0)
    const ran = {
      // A process gets each flow once.
      release: isPublished ? published : release,
      changes: [toPublished, changeOf(release, draft, settings)],
    }
    this.#releases.set(number, ran)
    return ran
  }

  async #batch(release: number, batch: readonly Waiting[]): Promise<void> {
    const { release: recorded } = await this.#ofRelease(release)
    const records = new Map(batch.map(({ record, recording }) => [recording.id, record]))
    let left = batch.map(({ recording }) => recording)
    while (left.length > 0 && this.state === 'running') {
      const code = await this.#job(recorded, left, one => {
        const record = records.get(one.id)
        if (record !== undefined) this.#count(record, one)
        left = left.filter(({ id }) => id !== one.id)
      })
      if (this.state !== 'running' || left.length === 0) return
      if (code === 'work.busy') await new Promise(again => setTimeout(again, BUSY_MS).unref())
      else {
        // The conversation that ran then took too long, or too much.
        this.#countUnknown('time')
        left = left.slice(1)
      }
    }
  }

  async #job(
    recorded: Release,
    recordings: readonly Recording[],
    onDone: (one: RehearsedConversation) => void,
    detailed = false,
  ): Promise<string | undefined> {
    const { published, draft, settings } = this.source
    const result = await this.#pool.run(
      REHEARSAL,
      { recorded, published, draft, settings, recordings, detailed },
      {
        from: this.#from,
        ms: detailed ? ONE_MS : Math.max(1, this.began + WHOLE_MS - Date.now()),
        partMs: recordings.map(() => ONE_MS),
        onPart: onDone,
        ...(detailed ? {} : { signal: this.#stop.signal }),
      },
    )
    if (!result.ok) return result.code
    if (result.value !== undefined) onDone(result.value)
    return undefined
  }

  #countUnknown(why: UnknownReason): undefined {
    this.unknown.set(why, (this.unknown.get(why) ?? 0) + 1)
  }

  #count(record: ConversationRecord, { outcome, today, after }: RehearsedConversation): void {
    if (this.state !== 'running') return
    if (outcome.kind === 'unknown') return void this.#countUnknown(outcome.why)
    if (outcome.kind === 'same') this.same += 1
    else if (outcome.kind === 'way') this.ways += 1
    else {
      this.elsewhere += 1
      this.handed.today += Number(outcome.today.kind === 'agent')
      this.handed.after += Number(outcome.after.kind === 'agent')
      this.#group(record, outcome, { today, after })
    }
  }

  #group(
    record: ConversationRecord,
    { parts, today, after }: { readonly parts: Place; readonly today: End; readonly after: End },
    paths: { readonly today: readonly PathStep[]; readonly after: readonly PathStep[] },
  ): void {
    const key = keyOf(parts, today, after)
    if (!this.groups.has(key) && this.groups.size >= MAX_GROUPS) return
    const known = this.groups.get(key)
    const group: RehearsalGroup = known ?? { parts, today, after, count: 0, conversations: [], ways: new Map() }
    this.groups.set(key, group)
    group.count += 1
    if (group.conversations.length < MAX_NAMED) group.conversations.push(record)
    for (const side of ['today', 'after'] as const) {
      const steps = new Map(paths[side].map(step => [`${step.dialog} ${step.block} ${step.out}`, step]))
      for (const [name, step] of steps) {
        const way = group.ways.get(name) ?? { step, today: 0, after: 0 }
        way[side] += 1
        group.ways.set(name, way)
      }
    }
  }
}

/** ms until an unused rehearsal is forgotten. */
const LIFE_MS = 30 * 60_000
/** Rehearsals of a node; the least recently used one is forgotten. */
const MAX_HELD = 50

/** The rehearsals of a node: one for each person. They are never stored. */
export class Rehearsals {
  readonly #held = new Map<string, Rehearsal>()

  /** The rehearsal of the same person ends. */
  add(id: string, rehearsal: Rehearsal): void {
    const now = Date.now()
    for (const [other, { user, used }] of this.#held)
      if (user === rehearsal.user || now - used > LIFE_MS) this.#remove(other)
    const [oldest] = [...this.#held].sort(([, one], [, other]) => one.used - other.used)
    if (this.#held.size >= MAX_HELD && oldest !== undefined) this.#remove(oldest[0])
    this.#held.set(id, rehearsal)
  }

  get(id: string, user: string): Rehearsal | undefined {
    const held = this.#held.get(id)
    if (held?.user !== user) return undefined
    held.used = Date.now()
    return held
  }

  #remove(id: string): void {
    this.#held.get(id)?.stop()
    this.#held.delete(id)
  }
}
