import type { EventStore } from '#commands/store/port.ts'
import { deliveryStatus, type ReceiptRank, rankOf, type SendAnswer } from '#domain/campaign/delivery.ts'
import type { StoredEvent } from '#schemas/event.ts'
import {
  type Attempt,
  OMITTED,
  type PlannedPage,
  type Receipt,
  type RunPlan,
  runOfStream,
  type SendAnswers,
  type SettledRecipient,
} from '#schemas/events/campaign.ts'
import { FollowedIndex } from '../../log/followed-index.ts'
import { ExclusiveWriter, endOf } from '../../log/stream-aggregate.ts'
import { RunQueries } from './run-queries.ts'

/** An index of another version is rebuilt from the log. */
const VERSION = 2

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS stream (name TEXT PRIMARY KEY, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS run (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, campaign TEXT NOT NULL, portfolio TEXT NOT NULL,
    plan TEXT NOT NULL, planned INTEGER NOT NULL, after TEXT, opened INTEGER NOT NULL, state TEXT, ended INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS run_campaign ON run (campaign);
  CREATE TABLE IF NOT EXISTS run_source (
    run INTEGER NOT NULL, place INTEGER NOT NULL, count INTEGER NOT NULL, omitted INTEGER NOT NULL, PRIMARY KEY (run, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS recipient (
    run INTEGER NOT NULL, n INTEGER NOT NULL, campaign TEXT NOT NULL, contact TEXT NOT NULL, phone TEXT NOT NULL,
    tries INTEGER NOT NULL, answer TEXT, reason TEXT, skipped TEXT, rank INTEGER NOT NULL, failed TEXT,
    status TEXT NOT NULL, due INTEGER NOT NULL, claimed INTEGER, sent INTEGER, delivered INTEGER, seen INTEGER,
    engaged INTEGER, PRIMARY KEY (run, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS recipient_phone ON recipient (phone, claimed);
  CREATE INDEX IF NOT EXISTS recipient_campaign ON recipient (campaign, phone);
  CREATE INDEX IF NOT EXISTS recipient_open ON recipient (run, due, n) WHERE answer IS NULL AND skipped IS NULL;
  CREATE INDEX IF NOT EXISTS recipient_claimed ON recipient (claimed) WHERE claimed IS NOT NULL;
  CREATE TABLE IF NOT EXISTS message (
    id TEXT PRIMARY KEY, run INTEGER NOT NULL, n INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS early (
    message TEXT NOT NULL, status TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (message, status)
  ) STRICT, WITHOUT ROWID;
`

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

  constructor(file: string) {
    super(file, { version: VERSION, schema: SCHEMA })
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
        'INSERT OR IGNORE INTO run (id, campaign, portfolio, plan, planned, opened) VALUES (?, ?, ?, ?, ?, 0)',
        ...[id, plan.campaign, plan.portfolio, JSON.stringify(plan), now],
      )
      return
    }
    const run = this.queries.run(id)
    if (run === undefined) return
    const { seq } = run
    switch (type) {
      case 'RecipientsAdded':
        this.#added(seq, run.campaign, data as unknown as PlannedPage)
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
      case 'RunEnded':
        this.sql.run(
          "UPDATE recipient SET skipped = ?, status = 'skipped' WHERE run = ? AND answer IS NULL AND skipped IS NULL",
          ...[String(data.state), seq],
        )
        this.sql.run('UPDATE run SET state = ?, ended = ? WHERE seq = ?', String(data.state), now, seq)
    }
  }

  #added(run: number, campaign: string, { from, after, rows, source = 0 }: PlannedPage): void {
    const omitted = rows.filter(([, , skipped]) => skipped === OMITTED).length
    this.sql.run(
      `INSERT INTO run_source (run, place, count, omitted) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count, omitted = omitted + excluded.omitted`,
      ...[run, source, rows.length - omitted, omitted],
    )
    for (const [place, [contact, phone, skipped]] of rows.entries())
      this.sql.run(
        `INSERT OR IGNORE INTO recipient (run, n, campaign, contact, phone, tries, skipped, rank, status, due)
         VALUES (?, ?, ?, ?, ?, 0, ?, 0, ?, 0)`,
        ...[run, from + place, campaign, contact, phone, skipped, skipped === null ? 'queuedAtPlatform' : 'skipped'],
      )
    this.sql.run('UPDATE run SET after = ? WHERE seq = ?', after, run)
  }

  #claimed(run: number, n: number, tries: number, now: number): void {
    this.sql.run('UPDATE recipient SET tries = ?, claimed = ? WHERE run = ? AND n = ?', tries, now, run, n)
    this.#set(run, n, { answer: 'claimed', reason: null })
  }

  #answered(run: number, { accepted, refused, unknown }: SendAnswers): void {
    for (const [n, , message, isHeld] of accepted) {
      this.#set(run, n, { answer: isHeld ? 'held' : 'accepted', reason: null })
      this.#known(message, run, n)
    }
    for (const [n, , reason, isFinal] of refused) this.#set(run, n, { answer: isFinal ? 'refused' : null, reason })
    for (const [n, , reason] of unknown) this.#set(run, n, { answer: 'unknown', reason })
  }

  /** Links a message id to its recipient, and applies the receipts that arrived earlier. */
  #known(message: string, run: number, n: number): void {
    this.sql.run('INSERT OR IGNORE INTO message (id, run, n) VALUES (?, ?, ?)', message, run, n)
    for (const { status, time } of this.sql.all('SELECT status, time FROM early WHERE message = ?', message))
      this.#rise(run, n, { status: String(status), time: Number(time), code: null })
    this.sql.run('DELETE FROM early WHERE message = ?', message)
  }

  #received({ receipts }: { readonly receipts: readonly Receipt[] }): void {
    for (const receipt of receipts) {
      const [id = '', n = ''] = receipt.attempt?.split('.') ?? []
      const run = id === '' ? undefined : this.queries.run(id)?.seq
      if (run !== undefined) this.#known(receipt.message, run, Number(n))
      const known = this.queries.recipientOf(receipt.message)
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
  #rise(run: number, n: number, { status, time, code }: Pick<Receipt, 'status' | 'time' | 'code'>): void {
    if (status === 'failed') {
      this.sql.run('UPDATE recipient SET failed = coalesce(failed, ?) WHERE run = ? AND n = ?', code ?? '', run, n)
      this.#restate(run, n)
      return
    }
    const rank = rankOf(status)
    const column = TIME_OF[status]
    if (rank === undefined || column === undefined) return
    this.sql.run(
      `UPDATE recipient SET rank = max(rank, ?), ${column} = coalesce(${column}, ?) WHERE run = ? AND n = ?`,
      ...[rank, time, run, n],
    )
    this.#restate(run, n)
  }

  #skip(run: number, n: number, reason: string): void {
    this.sql.run("UPDATE recipient SET skipped = ?, status = 'skipped' WHERE run = ? AND n = ?", reason, run, n)
  }

  #set(run: number, n: number, { answer, reason }: { answer: SendAnswer; reason: string | null }): void {
    this.sql.run('UPDATE recipient SET answer = ?, reason = ? WHERE run = ? AND n = ?', answer, reason, run, n)
    this.#restate(run, n)
  }

  #restate(run: number, n: number): void {
    const row = this.sql.get('SELECT answer, rank, failed, skipped FROM recipient WHERE run = ? AND n = ?', run, n)
    if (row === undefined || row.skipped !== null) return
    const status = deliveryStatus({
      answer: row.answer as SendAnswer,
      rank: Number(row.rank) as ReceiptRank,
      hasFailed: row.failed !== null,
    })
    this.sql.run('UPDATE recipient SET status = ? WHERE run = ? AND n = ?', status, run, n)
  }
}
