import { endOf } from '#commands/pipeline/append.ts'
import type { EventStore } from '#commands/store/port.ts'
import { deliveryStatus, type ReceiptRank, rankOf, type SendAnswer } from '#domain/campaign/delivery.ts'
import { roundedMicros } from '#domain/campaign/price.ts'
import type { StoredEvent } from '#schemas/event.ts'
import {
  type Attempt,
  OMITTED,
  type PlannedPage,
  type Receipt,
  type ReceiptPricing,
  type RunPlan,
  runOfStream,
  type SendAnswers,
  type SettledRecipient,
} from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import { FollowedIndex } from '../../log/followed-index.ts'
import { ExclusiveWriter } from '../../log/stream-aggregate.ts'
import { RunQueries, type RunRow } from './run-queries.ts'
import { NEVER_DUE, RUN_INDEX_VERSION, RUN_SCHEMA } from './run-schema.ts'

type ReceiptNews = Pick<Receipt, 'status' | 'time' | 'code' | 'pricing'>

/** Answer to a claim; of a claim itself also its number and time. */
interface AnswerNews {
  readonly answer: SendAnswer
  readonly reason: string | null
  readonly tries?: number
  readonly claimed?: number
}

/** Parts of a delivery that an event brings. */
interface DeliveryNews {
  readonly answer?: SendAnswer
  readonly rank?: ReceiptRank
  readonly hasFailed?: boolean
}

/** Runs whose `seq` stays in memory. */
const MAX_SEQS = 1000

const TIME_OF: Readonly<Record<string, string>> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'seen',
  played: 'seen',
  engaged: 'engaged',
}

/**
 * Index of runs and their recipients: built from their log, safe to delete. Each event of a stream is applied once, in
 * order; receipts may precede the messages they belong to.
 */
export class RunIndex extends FollowedIndex {
  readonly queries: RunQueries
  /** Receipts of messages that Parley did not send. */
  foreign = 0
  /** Runs of this index by their id: `seq` of a run never changes. */
  readonly #seqs = new Map<string, number>()

  constructor(file: string) {
    super(file, { version: RUN_INDEX_VERSION, schema: RUN_SCHEMA })
    this.queries = new RunQueries(this.sql)
  }

  /**
   * The writer of a stream: the index includes the stream's events when this resolves, and own ones when `write` does.
   * @throws Error when the index is more than 10 s behind
   */
  async writerOf(store: EventStore, stream: string): Promise<ExclusiveWriter> {
    const end = await endOf(store, stream)
    await this.reached(end.position)
    return new ExclusiveWriter(store, stream, end, event => {
      this.sql.begin()
      this.change(event)
    })
  }

  /** Ignores events that were applied before. */
  protected change(event: StoredEvent): void {
    if (event.revision !== this.revision(event.stream) + 1) return
    this.sql.run('INSERT OR REPLACE INTO stream (name, revision) VALUES (?, ?)', event.stream, event.revision)
    const run = runOfStream(event.stream)
    if (run === undefined) this.#received(event.data as unknown as { readonly receipts: readonly Receipt[] })
    else this.#happened(run, event)
  }

  /** Last applied revision of a stream. */
  revision(stream: string): number {
    return Number(this.sql.get('SELECT revision FROM stream WHERE name = ?', stream)?.revision ?? 0)
  }

  /** Postpones a recipient, on this node only. */
  postpone(run: number, recipient: number, due: number): void {
    this.sql.begin()
    this.sql.run('UPDATE recipient SET due = ? WHERE run = ? AND n = ?', due, run, recipient)
  }

  #happened(id: string, { type, data, time }: StoredEvent): void {
    const now = Date.parse(time)
    if (type === 'RunPlanned') {
      const plan = data as unknown as RunPlan
      this.sql.run(
        `INSERT OR IGNORE INTO run (id, campaign, portfolio, plan, planned, opened, category, winner)
         VALUES (?, ?, ?, ?, ?, 0, ?, ?)`,
        ...[id, plan.campaign, plan.portfolio, JSON.stringify(plan), now],
        ...[fieldText(plan.template.fields, 'category'), plan.comparison?.winner ?? null],
      )
      return
    }
    const run = this.queries.run(id)
    if (run === undefined) return
    const { seq } = run
    switch (type) {
      case 'RecipientsAdded':
        this.#added(run, data as unknown as PlannedPage)
        return
      case 'RunOpened':
        this.sql.run('UPDATE run SET opened = 1 WHERE seq = ?', seq)
        return
      case 'SendsClaimed':
        for (const [n, tries] of data.attempts as unknown as readonly Attempt[]) this.#claimed(seq, n, tries, now)
        return
      case 'SendsAnswered':
        this.#answered(seq, data as unknown as SendAnswers)
        return
      case 'RecipientsSettled':
        for (const [n, as, reason] of data.rows as unknown as readonly SettledRecipient[])
          if (as === 'skipped') this.#skip(seq, n, reason)
          else this.#set(seq, n, { answer: 'refused', reason })
        return
      case 'WinnerChosen':
        this.sql.run('UPDATE run SET winner = ? WHERE seq = ?', String(data.winner), seq)
        this.sql.run("UPDATE recipient SET due = 0 WHERE run = ? AND variant = 'rest' AND due = ?", seq, NEVER_DUE)
        return
      case 'RunEnded':
        this.sql.run(
          "UPDATE recipient SET skipped = ?, status = 'skipped' WHERE run = ? AND answer IS NULL AND skipped IS NULL",
          ...[String(data.state), seq],
        )
        this.sql.run('UPDATE run SET state = ?, ended = ? WHERE seq = ?', String(data.state), now, seq)
        this.#chooseAll(run)
    }
  }

  #added({ seq, campaign, plan, winner }: RunRow, { from, after, rows, source = 0 }: PlannedPage): void {
    const category = fieldText(plan.template.fields, 'category')
    const omitted = rows.filter(([, , skipped]) => skipped === OMITTED).length
    this.sql.run(
      `INSERT INTO run_source (run, place, count, omitted) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count, omitted = omitted + excluded.omitted`,
      ...[seq, source, rows.length - omitted, omitted],
    )
    for (const [place, [contact, phone, skipped, country = '', variant = '']] of rows.entries()) {
      const before = this.sql.get('SELECT 1 FROM recipient WHERE campaign = ? AND phone = ?', campaign, phone)
      const due = variant === 'rest' && winner === null ? NEVER_DUE : 0
      this.sql.run(
        `INSERT OR IGNORE INTO recipient (run, n, campaign, contact, phone, tries, skipped, rank, status, due, current,
           variant, country, category, type, billable, currency, micros)
         VALUES (?, ?, ?, ?, ?, 0, ?, 0, ?, ?, ?, ?, ?, ?, '', -1, '', 0)`,
        ...[seq, from + place, campaign, contact, phone, skipped, skipped === null ? 'queuedAtPlatform' : 'skipped'],
        ...[due, before === undefined ? 1 : 0, variant, country, category],
      )
      if (before !== undefined) this.#choose(campaign, phone)
    }
    this.sql.run('UPDATE run SET after = ? WHERE seq = ?', after, seq)
  }

  /** Finds the recipient of a number that counts for its campaign. */
  #choose(campaign: string, phone: string): void {
    const best = this.sql.get(
      'SELECT run, n FROM recipient WHERE campaign = ? AND phone = ? ORDER BY skipped IS NULL DESC, run DESC LIMIT 1',
      ...[campaign, phone],
    )
    if (best === undefined) return
    this.sql.run(
      `UPDATE recipient SET current = (run = ?1 AND n = ?2)
       WHERE campaign = ?3 AND phone = ?4 AND current <> (run = ?1 AND n = ?2)`,
      ...[Number(best.run), Number(best.n), campaign, phone],
    )
  }

  /** The only run of a campaign counts for all of its numbers. */
  #chooseAll({ seq, campaign }: RunRow): void {
    if (this.sql.get('SELECT 1 FROM run WHERE campaign = ? AND seq <> ?', campaign, seq) === undefined) return
    for (const { phone } of this.sql.all('SELECT phone FROM recipient WHERE run = ? AND skipped IS NOT NULL', seq))
      this.#choose(campaign, String(phone))
  }

  #claimed(run: number, n: number, tries: number, now: number): void {
    this.#set(run, n, { answer: 'claimed', reason: null, tries, claimed: now })
  }

  #answered(run: number, { accepted, refused, unknown }: SendAnswers): void {
    for (const [n, , message, isHeld] of accepted) {
      this.#set(run, n, { answer: isHeld ? 'held' : 'accepted', reason: null })
      this.#known(message, run, n)
    }
    for (const [n, , reason, isFinal] of refused) this.#set(run, n, { answer: isFinal ? 'refused' : null, reason })
    for (const [n, , reason] of unknown) this.#set(run, n, { answer: 'unknown', reason })
  }

  /** Links a message id to its recipient, and applies the receipts that arrived earlier. False: it was linked before. */
  #known(message: string, run: number, n: number): boolean {
    if (this.sql.run('INSERT OR IGNORE INTO message (id, run, n) VALUES (?, ?, ?)', message, run, n) === 0) return false
    const early = this.sql.all('SELECT status, time FROM early WHERE message = ?', message)
    for (const { status, time } of early) this.#rise(run, n, { status: String(status), time: Number(time), code: null })
    if (early.length > 0) this.sql.run('DELETE FROM early WHERE message = ?', message)
    return true
  }

  #seqOf(id: string): number | undefined {
    const seq = this.#seqs.get(id) ?? this.queries.run(id)?.seq
    if (seq === undefined) return undefined
    if (this.#seqs.size >= MAX_SEQS) this.#seqs.clear()
    this.#seqs.set(id, seq)
    return seq
  }

  #received({ receipts }: { readonly receipts: readonly Receipt[] }): void {
    for (const receipt of receipts) {
      const [id = '', n = ''] = receipt.attempt?.split('.') ?? []
      const run = id === '' ? undefined : this.#seqOf(id)
      const isNew = run !== undefined && this.#known(receipt.message, run, Number(n))
      const known = isNew ? { run, n: Number(n) } : this.queries.recipientOf(receipt.message)
      if (known !== undefined) this.#rise(known.run, known.n, receipt)
      else if (receipt.status === 'engaged')
        this.sql.run(
          'INSERT OR IGNORE INTO early (message, status, time) VALUES (?, ?, ?)',
          ...[receipt.message, receipt.status, receipt.time],
        )
      else this.foreign += 1
    }
  }

  /** A later receipt never lowers the rank of an earlier one. */
  #rise(run: number, n: number, { status, time, code, pricing }: ReceiptNews): void {
    if (pricing !== undefined) this.#priced(run, n, pricing)
    if (status === 'failed') {
      const next = this.#statusWith(run, n, { hasFailed: true })
      this.sql.run(
        'UPDATE recipient SET failed = coalesce(failed, ?), status = coalesce(?, status) WHERE run = ? AND n = ?',
        ...[code ?? '', next, run, n],
      )
      return
    }
    const rank = rankOf(status)
    const column = TIME_OF[status]
    if (rank === undefined || column === undefined) return
    const next = this.#statusWith(run, n, { rank })
    this.sql.run(
      `UPDATE recipient SET rank = max(rank, ?), ${column} = coalesce(${column}, ?), status = coalesce(?, status)
       WHERE run = ? AND n = ?`,
      ...[rank, time, next, run, n],
    )
  }

  /** Stores a price as its receipt has it. The first value of each part counts. */
  #priced(run: number, n: number, { category = '', type = '', billable, amount = '', currency = '' }: ReceiptPricing) {
    const micros = currency === '' ? undefined : roundedMicros(amount)
    this.sql.run(
      `UPDATE recipient SET category = iif(?1 = '', category, ?1), type = iif(type = '', ?2, type),
         billable = iif(billable = -1, ?3, billable), micros = iif(currency = '', ?4, micros),
         currency = iif(currency = '', ?5, currency) WHERE run = ?6 AND n = ?7`,
      ...[category.toLowerCase(), type, billable === undefined ? -1 : Number(billable)],
      ...[micros ?? 0, micros === undefined ? '' : currency, run, n],
    )
  }

  #skip(run: number, n: number, reason: string): void {
    this.sql.run("UPDATE recipient SET skipped = ?, status = 'skipped' WHERE run = ? AND n = ?", reason, run, n)
    const row = this.sql.get('SELECT campaign, phone FROM recipient WHERE run = ? AND n = ?', run, n)
    if (row !== undefined) this.#choose(String(row.campaign), String(row.phone))
  }

  #set(run: number, n: number, { answer, reason, tries, claimed }: AnswerNews): void {
    this.sql.run(
      `UPDATE recipient SET answer = ?, reason = ?, status = coalesce(?, status), tries = coalesce(?, tries),
         claimed = coalesce(?, claimed) WHERE run = ? AND n = ?`,
      ...[answer, reason, this.#statusWith(run, n, { answer }), tries ?? null, claimed ?? null, run, n],
    )
  }

  /** Status of a recipient with a new part of its delivery; null for a skipped one, which keeps its status. */
  #statusWith(run: number, n: number, news: DeliveryNews): string | null {
    const row = this.sql.get('SELECT answer, rank, failed, skipped FROM recipient WHERE run = ? AND n = ?', run, n)
    if (row === undefined || row.skipped !== null) return null
    return deliveryStatus({
      answer: news.answer === undefined ? (row.answer as SendAnswer) : news.answer,
      rank: Math.max(Number(row.rank), news.rank ?? 0) as ReceiptRank,
      hasFailed: row.failed !== null || news.hasFailed === true,
    })
  }
}
