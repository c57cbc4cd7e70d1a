import { randomUUID } from 'node:crypto'
import type { Commands } from '#commands/command-handler.ts'
import { systemCaller } from '#commands/port.ts'
import { type Follower, follow } from '#commands/store/follow.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { ReadModels } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { FileStorage } from '../../storage/storage-port.ts'
import { type Graph, openAccount } from '../meta/graph.ts'
import { type SubmissionEnd, settleSubmission, submitTemplate } from './submit-template.ts'

/** Time after which a submission that another node started and did not finish is resolved here. */
const TAKE_OVER_MS = 2 * 60_000
const CAUGHT_UP_MS = 10_000
const PAGE = 100

interface SubmissionsOptions {
  readonly store: EventStore
  readonly read: ReadModels
  readonly commands: Pick<Commands, 'execute' | 'openFields'>
  readonly storage: Pick<FileStorage, 'read'>
  readonly graph: Graph
  readonly isShared: boolean
  readonly failed: (error: unknown) => void
}

/**
 * Submits templates on request, on the node that got the request. A submission that a stopped node left unfinished is
 * not repeated: its result is read from Meta.
 */
export class Submissions {
  readonly #options: SubmissionsOptions
  readonly #asked = new Set<string>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #running = new Set<Promise<void>>()
  readonly #following: Follower
  #isClosed = false

  constructor(options: SubmissionsOptions) {
    this.#options = options
    this.#following = this.#follow()
  }

  /** Marks a requested submission of this node: it starts when the log delivers the event. */
  admit(id: string): void {
    this.#asked.add(id)
  }

  /** Removes the mark: the event was not written. */
  drop(id: string): void {
    this.#asked.delete(id)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#following.stop()
    await Promise.all(this.#running)
  }

  #follow(): Follower {
    const { store, read, failed } = this.#options
    return follow(store, {
      name: 'template submissions',
      from: async () => {
        const head = await store.head()
        await read.reached(head, CAUGHT_UP_MS)
        const filter = { submission: 'submitting' }
        const { items } = await read.list(SYSTEM_SCOPE, 'template', { page: 1, size: PAGE, filter })
        for (const row of items) this.#later(row.id, row.submitted_at ?? '')
        return head
      },
      filter: { streamPrefixes: ['template-'], types: ['TemplateSubmitted'] },
      event: stored => this.#heard(stored),
      failed,
    })
  }

  #heard({ stream, data }: StoredEvent): void {
    const id = stream.slice(stream.indexOf('-') + 1)
    const started = String((data.fields as JsonObject | undefined)?.submitted_at)
    const isOurs = this.#asked.delete(id) || !this.#options.isShared
    if (isOurs) this.#run(id, started, true)
    else this.#later(id, started)
  }

  #later(id: string, started: string): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer)
        this.#run(id, started, false)
      },
      this.#options.isShared ? TAKE_OVER_MS : 0,
    ).unref()
    this.#timers.add(timer)
  }

  #run(id: string, started: string, isFirst: boolean): void {
    if (this.#isClosed) return
    const work = this.#submit(id, started, isFirst).catch(this.#options.failed)
    this.#running.add(work)
    void work.finally(() => this.#running.delete(work))
  }

  async #submit(id: string, started: string, isFirst: boolean): Promise<void> {
    const { commands, graph, storage } = this.#options
    const fields = await commands.openFields('template', id)
    if (fields?.submission !== 'submitting' || fields.submitted_at !== started) return
    const account = await openAccount(commands, String(fields.metaaccount))
    if (account === undefined) return this.#tell(id, started, { submission: 'failed', error: 'entity.notfound' })
    const parts = { graph, storage, account, fields }
    const end = isFirst ? await submitTemplate(parts) : await settleSubmission(parts, 'template.lost', true)
    await this.#tell(id, started, end)
  }

  async #tell(id: string, started: string, end: SubmissionEnd): Promise<void> {
    const outcome = await this.#options.commands.execute({
      entity: 'template',
      action: 'endsubmission',
      id,
      input: { started, ...end },
      caller: systemCaller(),
      correlation: randomUUID(),
    })
    if (!outcome.ok && outcome.refusal.code !== 'entity.notfound')
      this.#options.failed(new Error(`a submission could not be told of: ${outcome.refusal.code}`))
  }
}
