import { createHash, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { appendAtEnd } from '#commands/pipeline/append.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import { TimeSlicer } from '#commands/time-slicer.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject } from '#schemas/event.ts'
import { uploadRowsStream } from '#schemas/events/campaign.ts'
import type { Language } from '#schemas/language.ts'
import type { FieldError } from '#schemas/refusal.ts'
import { CONTACT_REJECTS } from '../../../isolation/jobs.ts'
import { answerOf, callerOf, FileNotRead } from '../../../isolation/pooled-work.ts'
import type { WorkPool } from '../../../isolation/work.ts'
import { isExpired } from '../../../log/lease.ts'
import { exclusiveDrafts } from '../../../log/stream-aggregate.ts'
import type { FileStorage } from '../../../storage/storage-port.ts'
import { openOptOutLists } from '../../optout/opt-outs.ts'
import { chunksOf } from '../audience.ts'
import type { StoredAudience } from '../open-audience.ts'
import { batchesOf, Packer } from './packed.ts'
import type { UploadRules } from './plan-job.ts'
import { NO_STEPS, planUpload, type Steps, type UploadPlan } from './plan-upload.ts'
import type { LineFault } from './read-file.ts'
import { type Received, readUploadState, type UploadRecord, type UploadState, UploadWriter } from './upload-state.ts'

const LOOK_MS = 15_000
const BUSY_MS = 2_000
/** Interval in which the lease is renewed while a process plans, ms. */
const RENEW_MS = 15_000
/** Nodes that may start an upload without finishing it; then it fails. */
const MAX_TAKES = 5
/** Numbers that are looked up together. */
const COUNTED_TOGETHER = 256
/** Faults that are packed together. */
const FAULTS_TOGETHER = 500
/** Retention of originals and their faults, ms. */
const KEPT_MS = 30 * 86_400_000

interface UploadParts {
  /** Writes to the console's log, where uploads are on record. */
  readonly record: UploadRecord
  /** Store of the audiences. */
  readonly store: EventStore
  readonly audience: StoredAudience
  readonly storage: FileStorage
  readonly read: ReadModels
  readonly work: WorkPool
  /** No other node processes uploads. */
  readonly isAlone: boolean
  readonly failed: (error: unknown) => void
  /** Text of an error in a language. */
  readonly textOf: (error: FieldError, language: Language) => string
  readonly now?: () => number
  /** Pause of a stored file before it asks again for a process, ms. */
  readonly busyMs?: number
}

/** An uploaded file. */
interface GivenFile {
  readonly campaign: string
  readonly profile: string | null
  readonly level: string
  readonly name: string
  readonly bytes: Buffer
  readonly rules: UploadRules
  readonly actor: string | null
  readonly language: Language
}

interface UploadCounts {
  readonly [count: string]: number
  readonly read: number
  readonly valid: number
  readonly invalid: number
  readonly dropped: number
  readonly duplicate: number
  readonly repeated: number
  readonly suppressed: number
  readonly added: number
}

interface UploadOutcome {
  readonly status: 'succeeded' | 'partial' | 'failed'
  readonly counts: UploadCounts
  readonly error: FieldError | undefined
  /** The first 100, by line. */
  readonly faults: readonly LineFault[]
}

/** This node shuts down: another one resumes the upload. */
class NodeClosed extends Error {
  override readonly name = 'NodeClosed'
}

const LOST: FieldError = { path: 'file', code: 'format', params: { rule: 'uploadlost' } }

/** Adds files to audiences: stores each first, then one node processes it; another resumes it if that one stops. */
export class Uploads {
  readonly #parts: UploadParts
  readonly #running = new Map<string, Promise<void>>()
  readonly #looking: NodeJS.Timeout
  readonly #closing = new AbortController()

  constructor(parts: UploadParts) {
    this.#parts = parts
    this.#looking = setInterval(() => void this.#look(false).catch(parts.failed), LOOK_MS).unref()
    void this.#look(parts.isAlone).catch(parts.failed)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#looking)
    await Promise.all(this.#running.values())
  }

  /** The earlier added upload of the same bytes to the same campaign. */
  earlier({ campaign, bytes }: Pick<GivenFile, 'campaign' | 'bytes'>) {
    return this.#parts.audience.index.uploadWith(campaign, this.#digest(campaign, bytes))
  }

  /**
   * Computes the outcome of a file without storing it.
   * @throws FileNotRead when no process was free in time, or the signal was aborted
   */
  async try(
    given: Pick<GivenFile, 'campaign' | 'bytes' | 'rules'> & { readonly signal: AbortSignal },
  ): Promise<UploadOutcome> {
    const { campaign, rules, signal } = given
    return this.#outcomeOf(await this.#plan(given, signal, async () => undefined), campaign, rules)
  }

  /** Stores a file and starts processing it. Returns the id and the position of its record. */
  async receive(given: GivenFile): Promise<{ readonly id: string; readonly position: string }> {
    const { storage, store, audience, record } = this.#parts
    const { campaign, profile, level, name, bytes, rules, actor, language } = given
    const id = randomUUID()
    const content = await audience.sealBytes(campaign, id, bytes)
    const { id: file } = await storage.put({ content, name: id, type: 'text/plain', owner: actor ?? '' })
    await storage.keep(file)
    const data = { campaign, profile, level, file, rules, actor, language, digest: this.#digest(campaign, bytes) }
    const stream = uploadRowsStream(id)
    const received = { type: 'UploadReceived', data: data as unknown as JsonObject }
    await appendAtEnd(store, stream, exclusiveDrafts(stream, [received], actor))
    const holder = (await this.#holderOf(campaign)).isList ? { contactlist: campaign } : { campaign }
    const fields = { campaignuploadprofile: profile, ...holder, name, status: 'received' }
    const position = await record.create({ id, level, actor }, fields)
    this.#begin(id)
    return { id, position }
  }

  /**
   * Rejected lines of an upload as separated values; undefined when they are no longer stored.
   * @throws FileNotRead when no process was free in time, or the signal was aborted
   */
  async rejects(
    id: string,
    { language, signal }: { readonly language: Language; readonly signal: AbortSignal },
  ): Promise<Uint8Array | undefined> {
    const { store, storage, audience, work } = this.#parts
    const { received } = await this.#stateOf(id)
    const kept = received && (await storage.read(received.file))
    const bytes = received && kept && (await audience.openBytes(received.campaign, id, kept.content))
    if (received === undefined || bytes === undefined) return undefined
    const faults = new Packer<LineFault>(FAULTS_TOGETHER)
    const slices = new TimeSlicer()
    for await (const { type, data } of store.read(uploadRowsStream(id))) {
      if (type === 'UploadFaults') faults.push(data.faults as unknown as readonly LineFault[])
      if (slices.isOver) await slices.next()
    }
    const { level, campaign, rules } = received
    const task = { bytes, faults: faults.values(), header: rules.mapping?.header !== false, language }
    const from = callerOf({ hierarchylevel: level }, campaign)
    return answerOf(await work.run(CONTACT_REJECTS, task, { from, signal }))
  }

  /** Removes expired originals. Returns their number. */
  async sweep(): Promise<number> {
    const { audience, storage, store } = this.#parts
    const left = audience.index.oldOriginals(new Date(this.#now() - KEPT_MS).toISOString())
    for (const { upload, file } of left) {
      await storage.remove(file)
      const stream = uploadRowsStream(upload)
      await appendAtEnd(store, stream, exclusiveDrafts(stream, [{ type: 'OriginalRemoved', data: {} }]))
    }
    return left.length
  }

  /** @throws NodeClosed */
  #endIfClosed(): void {
    if (this.#closing.signal.aborted) throw new NodeClosed()
  }

  #now(): number {
    return this.#parts.now?.() ?? Date.now()
  }

  #digest(campaign: string, bytes: Buffer): string {
    return this.#parts.audience.digest(`file ${campaign} ${createHash('sha256').update(bytes).digest('hex')}`)
  }

  #begin(id: string): void {
    if (this.#closing.signal.aborted || this.#running.has(id)) return
    const work = this.#work(id)
      .catch(error => {
        // Another node works on it, or will; a later look starts it again.
        const isExpected = error instanceof WrongRevision || error instanceof NodeClosed || error instanceof FileNotRead
        if (!isExpected) this.#parts.failed(error)
      })
      .finally(() => this.#running.delete(id))
    this.#running.set(id, work)
  }

  /** Starts uploads that no node processes. `all`: also those claimed by another node, which no longer runs. */
  async #look(all: boolean): Promise<void> {
    const { read } = this.#parts
    for (const status of ['received', 'running']) {
      const { items } = await read.list(SYSTEM_SCOPE, 'campaignupload', { page: 1, size: 100, filter: { status } })
      for (const { id } of items) {
        if (this.#running.has(id)) continue
        const state = await this.#stateOf(id)
        if (all || state.result !== undefined || isExpired(state, this.#now())) this.#begin(id)
      }
    }
  }

  #stateOf(id: string): Promise<UploadState> {
    return readUploadState(this.#parts.store, id)
  }

  async #work(id: string): Promise<void> {
    const state = await this.#stateOf(id)
    const { received } = state
    if (received === undefined) return
    const upload = { id, level: received.level, actor: received.actor }
    if (state.result !== undefined)
      return void (await this.#parts.record.change(upload, this.#withAdded(id, state.result)))
    const writer = new UploadWriter(this.#parts.store, id, state, () => this.#now())
    await writer.take()
    const started = new Date(this.#now()).toISOString()
    const isHopeless = state.takes >= MAX_TAKES
    const end = isHopeless ? this.#lost(received) : await this.#endOf(id, received, writer, started)
    const finished = new Date(this.#now()).toISOString()
    const fields = { ...end, started, finished, time_taken: Date.parse(finished) - Date.parse(started) }
    await this.#parts.record.change(upload, await this.#settle(id, writer, fields))
  }

  /** Processes the upload. Returns its final fields. */
  async #endOf(id: string, received: Received, writer: UploadWriter, started: string): Promise<JsonObject> {
    const { storage, audience, record } = this.#parts
    const { campaign, rules, language } = received
    const upload = { id, level: received.level, actor: received.actor }
    const kept = await storage.read(received.file)
    const bytes = kept && (await audience.openBytes(campaign, id, kept.content))
    if (bytes === undefined) return this.#lost(received)
    let told = ''
    const renewing = setInterval(() => void writer.renew().catch(() => undefined), RENEW_MS).unref()
    const plan = await this.#planWhenFree({ campaign, bytes, rules }, async steps => {
      this.#endIfClosed()
      await writer.renew()
      const now = JSON.stringify(steps)
      if (now !== told) await record.change(upload, { status: 'running', started, ...steps })
      told = now
    }).finally(() => clearInterval(renewing))
    const outcome = await this.#outcomeOf(plan, campaign, rules)
    await writer.faults(plan.faults)
    if (outcome.status !== 'failed') await this.#writeRows(campaign, plan, writer)
    const message = outcome.error === undefined ? null : this.#parts.textOf(outcome.error, language)
    return { status: outcome.status, ...outcome.counts, ...plan.steps, error_message: message }
  }

  /** Writes the contacts of a plan. A batch is sealed while the store writes the one before. */
  async #writeRows(campaign: string, plan: UploadPlan, writer: UploadWriter): Promise<void> {
    let writing: Promise<unknown> = Promise.resolve()
    for (const contacts of batchesOf(plan.contacts)) {
      this.#endIfClosed()
      await writer.renew()
      const { rows } = await this.#parts.audience.seal(campaign, contacts)
      await writing
      writing = Promise.all(
        Array.from(chunksOf(rows), chunk => writer.write([{ type: 'UploadRows', data: { rows: chunk } }])),
      )
      // Awaited with the next batch.
      writing.catch(() => undefined)
    }
    await writing
  }

  /** Counts only the contacts that this upload added: others may have added the same ones first. */
  #withAdded(id: string, fields: JsonObject): JsonObject {
    return { ...fields, added: fields.status === 'failed' ? 0 : this.#parts.audience.index.addedBy(id) }
  }

  #lost({ language }: Received): JsonObject {
    return { status: 'failed', error_message: this.#parts.textOf(LOST, language) }
  }

  /** Writes the end, which moves the rows into the audience. Returns the fields to put on record. */
  async #settle(id: string, writer: UploadWriter, fields: JsonObject): Promise<JsonObject> {
    const isFailed = fields.status === 'failed'
    const position = await writer.write([{ type: isFailed ? 'UploadFailed' : 'UploadCompleted', data: { fields } }])
    await this.#parts.audience.reached(position)
    return this.#withAdded(id, fields)
  }

  /** Plans a stored file, which waits for a free process. */
  async #planWhenFree(
    file: Pick<GivenFile, 'campaign' | 'bytes' | 'rules'>,
    going: (steps: Steps) => Promise<void>,
  ): Promise<UploadPlan> {
    const { signal } = this.#closing
    for (;;)
      try {
        return await this.#plan(file, signal, going)
      } catch (error) {
        if (!(error instanceof FileNotRead) || signal.aborted) throw error
        await going(NO_STEPS)
        await setTimeout(this.#parts.busyMs ?? BUSY_MS, undefined, { signal }).catch(() => this.#endIfClosed())
      }
  }

  /** The campaign or list of an audience. */
  async #holderOf(id: string) {
    const { read } = this.#parts
    const list = await read.detail(SYSTEM_SCOPE, 'contactlist', id)
    if (list !== undefined)
      return { isList: true, name: list.name, level: list.hierarchylevel ?? null, metaaccount: '' }
    const row = await read.detail(SYSTEM_SCOPE, 'campaign', id)
    const { name = null, hierarchylevel: level = null, metaaccount } = row ?? {}
    return { isList: false, name, level, metaaccount: metaaccount ?? '' }
  }

  async #plan(
    { campaign, bytes, rules }: Pick<GivenFile, 'campaign' | 'bytes' | 'rules'>,
    signal: AbortSignal,
    going: (steps: Steps) => Promise<void>,
  ): Promise<UploadPlan> {
    const { work } = this.#parts
    const { name, level } = await this.#holderOf(campaign)
    const known = { id: campaign, name }
    const from = callerOf({ hierarchylevel: level }, campaign)
    return planUpload(bytes, rules, { work, from, signal, campaign: known, going })
  }

  async #outcomeOf(plan: UploadPlan, campaign: string, rules: UploadRules): Promise<UploadOutcome> {
    const { audience, read: models } = this.#parts
    const { isList, level, metaaccount } = await this.#holderOf(campaign)
    const optOuts = openOptOutLists(models)
    const lists = isList ? await optOuts.over(level) : await optOuts.ofCampaign(campaign, metaaccount)
    let [present, suppressed] = [0, 0]
    const slices = new TimeSlicer()
    for (const contacts of batchesOf(plan.contacts))
      for (let at = 0; at < contacts.length; at += COUNTED_TOGETHER) {
        const people = contacts.slice(at, at + COUNTED_TOGETHER).map(({ phone }) => audience.digestsOf({ phone }))
        present += audience.index.contactsIn(campaign, people).size
        suppressed += audience.index.suppressions.suppressedAmong({ lists, category: 'marketing' }, people).size
        if (slices.isOver) await slices.next()
      }
    const isStopped = plan.error !== undefined || (plan.invalid > 0 && !rules.partial)
    const { read, valid, invalid, dropped, repeated } = plan
    const duplicate = repeated + present
    const added = isStopped ? 0 : plan.contacts.count - present
    const stopped: FieldError = { path: '', code: 'format', params: { rule: 'uploadinvalid', count: invalid } }
    return {
      status: isStopped ? 'failed' : invalid > 0 ? 'partial' : 'succeeded',
      counts: { read, valid, invalid, dropped, duplicate, repeated, suppressed, added },
      error: plan.error ?? (isStopped ? stopped : undefined),
      faults: plan.firstFaults,
    }
  }
}
