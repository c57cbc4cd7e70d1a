import type { FlowEvent, FlowLog } from '#commands/flow/flow-log.ts'
import type { LoggedEdit } from '#commands/flow/logged-edit.ts'
import type { EditWriter } from './persist-edits.ts'

/** Edits taken from hints of which the log has yet to tell; as many are remembered. */
const MAX_HINTED = 1_000

interface CatchUpOptions {
  readonly flow: string
  /** Up to which revision the document holds everything. */
  readonly complete: number
  readonly log: Pick<FlowLog, 'since'>
  readonly journal: EditWriter
  readonly listener: {
    /** Someone else's edit, the next one of the flow. */
    edit(edit: LoggedEdit): void
    /** An announced edit is not the next one here: the log is read. */
    gap(): void
    failed(error: unknown): void
  }
}

/** A whole edit stored by another node; without `edit` it only announces a revision to read. */
interface HintedEdit {
  readonly revision: number
  readonly edit?: LoggedEdit | undefined
}

/**
 * Brings into an open room what others append to its flow, each edit once and in the log's order: from what the log's
 * subscription and other nodes tell where that follows on what is here, else by reading what lies between.
 */
export class CatchUp {
  readonly #options: CatchUpOptions
  readonly #journal: EditWriter
  /** Beyond it the document lacks pieces of an edit that is not complete yet. */
  #complete: number
  /** Last announced revision. */
  #newest = 0
  #isStopped = false
  #reading: Promise<void> | undefined
  /** revision → hash of edits taken from hints: the log must say the same. */
  readonly #hinted = new Map<number, string>()

  constructor(options: CatchUpOptions) {
    this.#options = options
    this.#journal = options.journal
    this.#complete = options.complete
  }

  /** Up to which revision the document holds everything. */
  get complete(): number {
    return this.#complete
  }

  /** An event from the log, own ones included. */
  told(event: FlowEvent): void {
    const hinted = this.#hinted.get(event.revision)
    this.#hinted.delete(event.revision)
    if (hinted !== undefined && hinted !== event.hash) this.#fail(new Error('a hint was not what the log holds'))
    else if (this.#isNews(event.revision) && !this.#journal.isOwn(event.id))
      this.#takeOrRead(event.revision, event.edit)
  }

  /** An edit stored by another node. */
  hinted({ revision, edit }: HintedEdit): void {
    if (!this.#isNews(revision)) return
    if (edit !== undefined && this.#follows(revision)) this.#remember(edit)
    this.#takeOrRead(revision, () => edit)
  }

  /** The own append is in the log; reads events announced after it. */
  stored(): void {
    this.#complete = this.#journal.head.revision
    if (this.#isNews(this.#newest)) this.start()
  }

  /** Reads what was appended while the room was being opened. */
  start(): void {
    this.read().catch(error => this.#fail(error))
  }

  /** Reads what the log holds and the document lacks, up to an own append that is under way. */
  read(): Promise<void> {
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Ignores later edits. */
  stop(): void {
    this.#isStopped = true
  }

  #isNews(revision: number): boolean {
    return !this.#isStopped && revision > this.#journal.head.revision
  }

  #follows(revision: number): boolean {
    return revision === this.#journal.head.revision + 1
  }

  #takeOrRead(revision: number, edit: () => LoggedEdit | undefined): void {
    this.#newest = Math.max(this.#newest, revision)
    let next: LoggedEdit | undefined
    try {
      next = this.#follows(revision) ? edit() : undefined
      if (next !== undefined) this.#take(next)
    } catch (error) {
      this.#fail(error)
      return
    }
    if (next !== undefined) return
    if (this.#reading === undefined) this.#options.listener.gap()
    this.start()
  }

  #take(edit: LoggedEdit): void {
    this.#options.listener.edit(edit)
    this.#journal.head = { revision: edit.revision, hash: edit.hash }
    this.#complete = edit.revision
  }

  #remember({ revision, hash }: LoggedEdit): void {
    this.#hinted.set(revision, hash)
    const [oldest] = this.#hinted.keys()
    if (this.#hinted.size > MAX_HINTED && oldest !== undefined) this.#hinted.delete(oldest)
  }

  /** Repeats while newer revisions are announced during the read. */
  async #readOn(): Promise<void> {
    for (;;) {
      const before = this.#journal.head.revision
      const isAtOwn = await this.#readOnce()
      const isBehind = this.#isNews(this.#newest)
      if (isAtOwn || !isBehind || this.#journal.head.revision === before) return
    }
  }

  /** True when it ends before an own append, whose answer is still to come. */
  async #readOnce(): Promise<boolean> {
    const { flow, log } = this.#options
    for await (const edit of log.since(flow, this.#complete)) {
      if (this.#isStopped) return false
      if (edit.eventIds.some(id => this.#journal.isOwn(id))) return true
      if (edit.isCut === true) {
        if (this.#isNews(edit.revision)) this.#journal.head = { revision: edit.revision, hash: edit.hash }
      } else if (edit.revision > this.#complete) this.#take(edit)
    }
    return false
  }

  #fail(error: unknown): void {
    this.#options.listener.failed(error)
  }
}
