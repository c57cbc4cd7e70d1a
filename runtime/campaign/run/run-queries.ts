import { templateFor, winnerIn } from '#domain/campaign/comparison.ts'
import type { MessagePrice } from '#domain/campaign/price.ts'
import type { RecipientState } from '#schemas/api/campaign.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { RunPlan, Variant } from '#schemas/events/campaign.ts'
import { fieldText } from '#schemas/json.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'
import type { PersonDigests } from '../audience/audience.ts'
import { reasonOf, stateOf } from './run-schema.ts'

/** A run, as stored in the index. `seq` numbers the runs of this index. */
export interface RunRow {
  readonly seq: number
  readonly id: string
  readonly campaign: string
  readonly plan: RunPlan
  /** ms since 1970 */
  readonly planned: number
  /** Position in the audience up to which recipients were added; null before the first rows. */
  readonly after: string | null
  readonly isOpened: boolean
  /** Final state; null until the run ends. */
  readonly state: string | null
  readonly ended: number | null
  /** Of a comparison, once it is chosen. */
  readonly winner: 'a' | 'b' | null
}

/** A recipient that may get a message. */
export interface OpenRecipient {
  readonly n: number
  readonly contact: string
  readonly phone: string
  readonly tries: number
  /** ISO 3166 of the number; empty in runs of older versions. */
  readonly country: string
  /** Part of a comparison; empty without one. */
  readonly variant: Variant | ''
}

export interface RecipientRow extends OpenRecipient {
  readonly run: string
  readonly status: string
  readonly reason: string | null
  readonly claimed: number | null
  readonly sent: number | null
  readonly delivered: number | null
  readonly seen: number | null
  readonly engaged: number | null
}

/** Number of recipients with the same status, state and reason. */
export interface StatusCount {
  readonly status: string
  readonly state: RecipientState
  readonly reason: string | null
  readonly count: number
  /** Number of those that the provider holds. */
  readonly held: number
}

/** Messages of one day that a provider accepted, with equal price data. */
export interface CostCount {
  /** Days since 1970, UTC. */
  readonly day: number
  readonly country: string
  readonly category: string
  readonly type: string
  /** Null until a receipt says it. */
  readonly isBillable: boolean | null
  /** Currency of the prices in receipts; empty without any. */
  readonly currency: string
  readonly micros: number
  readonly count: number
}

const variantIn = (row: Readonly<Record<string, unknown>>) => String(row.variant) as Variant | ''

const openRecipient = (row: Readonly<Record<string, unknown>>): OpenRecipient => ({
  n: numberOf(row.n),
  contact: String(row.contact),
  phone: String(row.phone),
  tries: numberOf(row.tries),
  country: String(row.country),
  variant: variantIn(row),
})

const shownRecipient = (row: Readonly<Record<string, unknown>>): RecipientRow => ({
  run: String(row.runid),
  ...openRecipient(row),
  status: String(row.status),
  reason: nullable(row.why, String),
  claimed: nullable(row.claimed, Number),
  sent: nullable(row.sent, Number),
  delivered: nullable(row.delivered, Number),
  seen: nullable(row.seen, Number),
  engaged: nullable(row.engaged, Number),
})

const DAY_MS = 86_400_000
const REASON = reasonOf('recipient')
const STATE = stateOf('recipient')

/** Plans that stay in memory. */
const MAX_PLANS = 50

/** A run, or all of a campaign. */
interface Counted {
  readonly campaign: string
  readonly run?: number | undefined
}

const scopeOf = ({ campaign, run }: Counted): string => (run === undefined ? campaign : String(run))

const marksOf = (values: readonly string[]): string => values.map(() => '?').join(', ')
const numberOf = (value: unknown): number => Number(value ?? 0)
const nullable = <T>(value: unknown, read: (value: unknown) => T): T | null =>
  value === null || value === undefined ? null : read(value)

/** Queries over the index of runs. */
export class RunQueries {
  readonly #index: IndexDatabase
  /** Plans by run: they never change. */
  readonly #plans = new Map<number, RunPlan>()

  constructor(index: IndexDatabase) {
    this.#index = index
  }

  run(id: string): RunRow | undefined {
    const [row] = this.#runs('WHERE id = ?', id)
    return row
  }

  /** Sorted newest first. */
  runsOf(campaign: string): readonly RunRow[] {
    return this.#runs('WHERE campaign = ? ORDER BY seq DESC LIMIT 200', campaign)
  }

  #runs(where: string, value: string): readonly RunRow[] {
    return this.#index.all(`SELECT * FROM run ${where}`, value).map(row => ({
      seq: numberOf(row.seq),
      id: String(row.id),
      campaign: String(row.campaign),
      plan: this.#planOf(numberOf(row.seq), row.plan),
      planned: numberOf(row.planned),
      after: nullable(row.after, String),
      isOpened: row.opened === 1,
      state: nullable(row.state, String),
      ended: nullable(row.ended, Number),
      winner: winnerIn(row),
    }))
  }

  /** The chosen template of a comparison; null before that. */
  winner(run: number): 'a' | 'b' | null {
    return winnerIn(this.#index.get('SELECT winner FROM run WHERE seq = ?', run) ?? {})
  }

  #planOf(seq: number, text: unknown): RunPlan {
    const plan = this.#plans.get(seq) ?? (JSON.parse(String(text)) as RunPlan)
    if (this.#plans.size >= MAX_PLANS) this.#plans.clear()
    this.#plans.set(seq, plan)
    return plan
  }

  recipientOf(message: string): { readonly run: number; readonly n: number } | undefined {
    const row = this.#index.get('SELECT run, n FROM message WHERE id = ?', message)
    return row === undefined ? undefined : { run: numberOf(row.run), n: numberOf(row.n) }
  }

  /** The campaign, the run and the number of a message's recipient. */
  addresseeOf(
    message: string,
  ): { readonly campaign: string; readonly run: string; readonly phone: string } | undefined {
    const row = this.#index.get(
      `SELECT run.id AS id, run.campaign AS campaign, recipient.phone AS phone FROM message JOIN recipient USING (run, n)
       JOIN run ON run.seq = message.run WHERE message.id = ?`,
      message,
    )
    return row && { campaign: String(row.campaign), run: String(row.id), phone: String(row.phone) }
  }

  /** The campaign, the run and the template of a message. */
  campaignOf(
    message: string,
  ):
    | { readonly id: string; readonly run: string; readonly template: string; readonly price: MessagePrice }
    | undefined {
    const found = this.sentMessage(message)
    if (found === undefined) return undefined
    const { plan, run, fields, price } = found
    return { id: plan.campaign, run, template: fieldText(fields, 'templateName'), price }
  }

  /** The contact of a message, when it was claimed (ms), its run, and the fields of its template. */
  sentMessage(message: string):
    | {
        readonly contact: string
        readonly claimed: number
        readonly run: string
        readonly plan: RunPlan
        readonly fields: JsonObject
        readonly price: MessagePrice
      }
    | undefined {
    const row = this.#index.get(
      `SELECT contact, claimed, variant, run.seq AS seq, run.id AS run, plan, winner, country,
         recipient.category AS category, billable, currency, micros
       FROM message JOIN recipient USING (run, n) JOIN run ON run.seq = message.run WHERE message.id = ?`,
      message,
    )
    if (row === undefined) return undefined
    const plan = this.#planOf(numberOf(row.seq), row.plan)
    const chosen = templateFor(variantIn(row), winnerIn(row))
    return {
      contact: String(row.contact),
      claimed: numberOf(row.claimed),
      run: String(row.run),
      plan,
      fields: (chosen === 'b' ? plan.comparison?.template : undefined)?.fields ?? plan.template.fields,
      price: {
        ...{ country: String(row.country), category: String(row.category), currency: String(row.currency) },
        ...{ billable: row.billable === -1 ? null : row.billable === 1, micros: numberOf(row.micros) },
      },
    }
  }

  /** The last message delivered to a person, if it was after `since` (ms). */
  deliveredTo(person: PersonDigests, since: number): string | undefined {
    const row = this.#index.get(
      `SELECT message.id AS id FROM recipient JOIN message USING (run, n)
       WHERE phone IN (${marksOf(person)}) AND claimed >= ? AND coalesce(delivered, seen) >= ?
       ORDER BY claimed DESC LIMIT 1`,
      ...[...person, since - DAY_MS, since],
    )
    return row === undefined ? undefined : String(row.id)
  }

  /** Recipients that may be claimed now, in order. */
  due(run: number, now: number, limit: number): readonly OpenRecipient[] {
    return this.#index
      .all(
        `SELECT n, contact, phone, tries, country, variant FROM recipient
         WHERE run = ? AND due <= ? AND answer IS NULL AND skipped IS NULL ORDER BY due, n LIMIT ?`,
        ...[run, now, limit],
      )
      .map(openRecipient)
  }

  /** Recipients of a run by their source, and how many of it minus lists left out. */
  sources(run: number): readonly { readonly place: number; readonly count: number; readonly omitted: number }[] {
    return this.#index
      .all('SELECT place, count, omitted FROM run_source WHERE run = ? ORDER BY place', run)
      .map(row => ({ place: numberOf(row.place), count: numberOf(row.count), omitted: numberOf(row.omitted) }))
  }

  /** When the next recipient may be claimed (ms); undefined when none is left. */
  nextDue(run: number): number | undefined {
    const row = this.#index.get(
      'SELECT min(due) AS due FROM recipient WHERE run = ? AND answer IS NULL AND skipped IS NULL',
      run,
    )
    return nullable(row?.due, Number) ?? undefined
  }

  /** Claims without an answer. */
  unanswered(run: number): readonly (readonly [n: number, tries: number])[] {
    return this.#index
      .all("SELECT n, tries FROM recipient WHERE run = ? AND answer = 'claimed'", run)
      .map(row => [numberOf(row.n), numberOf(row.tries)] as const)
  }

  size(run: number): number {
    return numberOf(this.#index.get('SELECT count(*) AS n FROM recipient WHERE run = ?', run)?.n)
  }

  /** Whether a run has at least `count` recipients. */
  hasAtLeast(run: number, count: number): boolean {
    return this.#index.get('SELECT 1 FROM recipient WHERE run = ? AND n = ?', run, count - 1) !== undefined
  }

  /** The first claims of a run, up to `count`, and the time of the last of them (ms). */
  begun(run: number, count: number): { readonly claims: number; readonly at: number } {
    const row = this.#index.get(
      `SELECT count(*) AS claims, max(claimed) AS at
       FROM (SELECT claimed FROM recipient WHERE run = ? AND claimed IS NOT NULL ORDER BY claimed LIMIT ?)`,
      ...[run, count],
    )
    return { claims: numberOf(row?.claims), at: numberOf(row?.at) }
  }

  /** Those of these numbers that a run has. */
  numbersIn(run: number, phones: readonly string[]): ReadonlySet<string> {
    return this.#existing('phone = value AND run = ?', phones, run)
  }

  /** Why a number failed in a run, and when it was claimed (ms). */
  failureIn(run: string, phone: string): { readonly reason: string; readonly claimed: number } | undefined {
    const row = this.#index.get(
      `SELECT ${REASON} AS why, claimed FROM recipient
       WHERE phone = ? AND run = (SELECT seq FROM run WHERE id = ?) AND status = 'failed'`,
      ...[phone, run],
    )
    return row && { reason: String(row.why ?? ''), claimed: numberOf(row.claimed) }
  }

  /** Those of these numbers that any run of a campaign sent, or may have sent, a message to. */
  sentTo(campaign: string, phones: readonly string[]): ReadonlySet<string> {
    return this.#existing('campaign = ? AND phone = value AND answer IS NOT NULL AND tries > 0', phones, campaign)
  }

  #existing(where: string, phones: readonly string[], value: string | number): ReadonlySet<string> {
    const rows = this.#index.all(
      `SELECT value AS phone FROM json_each(?) WHERE EXISTS (SELECT 1 FROM recipient WHERE ${where})`,
      ...[JSON.stringify(phones), value],
    )
    return new Set(rows.map(({ phone }) => String(phone)))
  }

  /** Time of the last send to a person after a moment (ms), over all campaigns; `category` narrows it. */
  lastSentTo(person: PersonDigests, since: number, category?: string): number | undefined {
    const row = this.#index.get(
      `SELECT max(claimed) AS at FROM recipient JOIN run ON run.seq = recipient.run
       WHERE phone IN (${marksOf(person)}) AND claimed > ? AND answer IN ('claimed', 'accepted', 'held', 'unknown')
       AND (? = '' OR run.category = ?)`,
      ...[...person, since, category ?? '', category ?? ''],
    )
    return nullable(row?.at, Number) ?? undefined
  }

  /** As `lastSentTo` for each of these people, by place; without those that no send was to. */
  lastSends(people: readonly PersonDigests[], since: number, category = ''): ReadonlyMap<number, number> {
    // Cross joins keep the order of the tables.
    const rows = this.#index.all(
      `SELECT given.key AS place, max(claimed) AS at FROM json_each(?) AS given
       CROSS JOIN json_each(given.value) AS spelling
       CROSS JOIN recipient ON recipient.phone = spelling.value AND claimed > ?
         AND answer IN ('claimed', 'accepted', 'held', 'unknown')
       CROSS JOIN run ON run.seq = recipient.run AND (? = '' OR run.category = ?) GROUP BY given.key`,
      ...[JSON.stringify(people), since, category, category],
    )
    return new Map(rows.map(row => [numberOf(row.place), numberOf(row.at)]))
  }

  /** The campaign that sent to a person last, after a moment (ms). */
  lastCampaignTo(person: PersonDigests, since: number): string | undefined {
    const row = this.#index.get(
      `SELECT campaign FROM recipient
       WHERE phone IN (${marksOf(person)}) AND claimed > ? AND answer IN ('claimed', 'accepted', 'held', 'unknown')
       ORDER BY claimed DESC LIMIT 1`,
      ...[...person, since],
    )
    return nullable(row?.campaign, String) ?? undefined
  }

  /** Numbers that a portfolio sent to after a moment, and the time of the first send (ms). */
  reached(portfolio: string, since: number): { readonly numbers: number; readonly oldest: number } {
    const row = this.#index.get(
      `SELECT count(DISTINCT phone) AS numbers, min(claimed) AS oldest FROM recipient JOIN run ON run.seq = recipient.run
       WHERE claimed > ? AND portfolio = ? AND answer IN ('claimed', 'accepted', 'held', 'unknown')`,
      ...[since, portfolio],
    )
    return { numbers: numberOf(row?.numbers), oldest: numberOf(row?.oldest) }
  }

  /** When the numbers that a portfolio sent to after a moment leave the last 24 hours, by minute (ms). */
  leaving(portfolio: string, since: number): readonly { readonly at: number; readonly count: number }[] {
    return this.#index
      .all(
        `SELECT minute, count(*) AS count FROM (
           SELECT max(claimed) / 60000 AS minute FROM recipient JOIN run ON run.seq = recipient.run
           WHERE claimed > ? AND portfolio = ? AND answer IN ('claimed', 'accepted', 'held', 'unknown') GROUP BY phone
         ) GROUP BY minute ORDER BY minute`,
        ...[since, portfolio],
      )
      .map(row => ({ at: (numberOf(row.minute) + 1) * 60_000 + DAY_MS, count: numberOf(row.count) }))
  }

  /** Recipients of a run with a status, in order, starting after `after`. */
  withStatus(run: number, status: string, after: number, limit: number): readonly OpenRecipient[] {
    return this.#index
      .all(
        'SELECT n, contact, phone, tries, country, variant FROM recipient WHERE run = ? AND status = ? AND n > ? ORDER BY n LIMIT ?',
        ...[run, status, after, limit],
      )
      .map(openRecipient)
  }

  /** Counts of a run, or of a campaign, in which each number counts once; of one part of a comparison with `variant`. */
  counts(of: Counted, variant?: Variant): readonly StatusCount[] {
    return this.#index
      .all(
        `SELECT status, state, reason, sum(count) AS count, sum(count * held) AS held FROM figure
         WHERE scope = ? AND count > 0 AND (? = '' OR variant = ?) GROUP BY status, state, reason`,
        ...[scopeOf(of), variant ?? '', variant ?? ''],
      )
      .map(row => ({
        status: String(row.status),
        state: String(row.state) as RecipientState,
        reason: row.reason === '' ? null : String(row.reason),
        count: numberOf(row.count),
        held: row.state === 'accepted' ? numberOf(row.held) : 0,
      }))
  }

  /** Accepted messages by day, country and the price data of their receipts. */
  costs(of: Counted): readonly CostCount[] {
    return this.#index.all('SELECT * FROM cost WHERE scope = ? AND count > 0', scopeOf(of)).map(row => ({
      day: numberOf(row.day),
      country: String(row.country),
      category: String(row.category),
      type: String(row.type),
      isBillable: row.billable === -1 ? null : row.billable === 1,
      currency: String(row.currency),
      micros: numberOf(row.micros),
      count: numberOf(row.count),
    }))
  }

  /** Outcome of a campaign for each of these numbers: state and reason of the newest run that sent to it. */
  resultsOf(
    campaign: string,
    phones: readonly string[],
  ): ReadonlyMap<string, { readonly state: RecipientState; readonly reason: string | null }> {
    const rows = this.#index.all(
      `SELECT phone, ${STATE} AS state, ${REASON} AS why, max((skipped IS NULL) * 1000000000 + run) FROM recipient
       WHERE campaign = ? AND phone IN (SELECT value FROM json_each(?)) GROUP BY phone`,
      ...[campaign, JSON.stringify(phones)],
    )
    return new Map(
      rows.map(row => [
        String(row.phone),
        { state: String(row.state) as RecipientState, reason: nullable(row.why, String) },
      ]),
    )
  }

  /** The last engagement of each of these numbers with any campaign (ms). */
  engagedAt(phones: readonly string[]): ReadonlyMap<string, number> {
    const rows = this.#index.all(
      `SELECT phone, max(engaged) AS at FROM recipient
       WHERE phone IN (SELECT value FROM json_each(?)) AND engaged IS NOT NULL GROUP BY phone`,
      JSON.stringify(phones),
    )
    return new Map(rows.map(row => [String(row.phone), numberOf(row.at)]))
  }

  /** Messages claimed per minute since a moment (ms). */
  rate(campaign: string, since: number): readonly { readonly at: number; readonly count: number }[] {
    return this.#index
      .all(
        'SELECT minute, count FROM minute WHERE campaign = ? AND minute >= ? AND count > 0 ORDER BY minute',
        ...[campaign, Math.ceil(since / 60_000)],
      )
      .map(row => ({ at: numberOf(row.minute) * 60_000, count: numberOf(row.count) }))
  }

  recipients(
    of: Counted,
    filter: { readonly status: string; readonly reason: string },
    page: { readonly offset: number; readonly limit: number },
  ): { readonly rows: readonly RecipientRow[]; readonly total: number } {
    const among = of.run === undefined ? 'run IN (SELECT seq FROM run WHERE campaign = ?) AND current' : 'run = ?'
    const narrowed = [filter.status, filter.status, filter.reason, filter.reason]
    const total = this.#index.get(
      `SELECT sum(count) AS total FROM figure WHERE scope = ? AND (? = '' OR status = ?) AND (? = '' OR reason = ?)`,
      ...[scopeOf(of), ...narrowed],
    )?.total
    const rows = this.#index.all(
      `SELECT *, ${REASON} AS why, (SELECT id FROM run WHERE seq = recipient.run) AS runid FROM recipient
       WHERE ${among} AND (? = '' OR status = ?) AND (? = '' OR ${REASON} = ?) ORDER BY run, n LIMIT ? OFFSET ?`,
      ...[of.run ?? of.campaign, ...narrowed, page.limit, page.offset],
    )
    return { total: numberOf(total), rows: rows.map(shownRecipient) }
  }

  /** The recipients of a campaign with these numbers, each once. */
  recipientsWith(campaign: string, phones: readonly string[]): readonly RecipientRow[] {
    return this.#index
      .all(
        `SELECT *, ${REASON} AS why, (SELECT id FROM run WHERE seq = recipient.run) AS runid FROM recipient
         WHERE campaign = ? AND phone IN (SELECT value FROM json_each(?)) AND current ORDER BY run, n`,
        ...[campaign, JSON.stringify(phones)],
      )
      .map(shownRecipient)
  }
}
