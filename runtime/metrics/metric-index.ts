import { hash } from 'node:crypto'
import { derivedId } from '#commands/pipeline/append.ts'
import { type EventStore, START } from '#commands/store/port.ts'
import { contributionChange } from '#domain/desk/figures/contribution.ts'
import { contribution, measuresOf, metricKey, metricKeyOf } from '#domain/metrics/contribution.ts'
import { type ConversationFact, foldConversationFact, foldDelivery } from '#domain/metrics/conversation-fact.ts'
import type { StoredEvent } from '#schemas/event.ts'
import {
  CONVERSATION_DAY_PREFIX,
  CONVERSATION_PREFIX,
  conversationPart,
  DELIVERY_PREFIX,
} from '#schemas/events/conversation.ts'
import { deskRevision } from '../agent/desk/desk-index.ts'
import { FollowedIndex } from '../log/followed-index.ts'
import { MetricQuery } from './metric-query.ts'
import { isCounted, type PersonDay, personChanges } from './person-counters.ts'

/** An index of another version is rebuilt from the log. */
const VERSION = 3

/** Time after the end of a conversation within which a new one of the same person reopens it. */
const REOPENING_MS = 72 * 3_600_000

/** Dimensions of the sums over all releases, channels and counted origins, in a list of all counters. */
export const OF_TOTAL = [0, '*', '*'] as const

/** Each counter with its sum: those of `metrictotal` beside those of `metric`. */
export const ALL_COUNTERS = `SELECT bot, what, day, key, bucket, release, channel, origin, n FROM metric
  UNION ALL SELECT bot, what, day, key, bucket, ${OF_TOTAL[0]}, '${OF_TOTAL[1]}', '${OF_TOTAL[2]}', n FROM metrictotal`

/**
 * `metric`: counters of bots; those of persons have the dimensions in their name alone. `metrictotal`: sums of `metric` over
 * releases, channels and the origins that count, for the days of a bot. `metricfact`: conversations whose events exist,
 * each with the names of its measures between spaces. `personday`: a reference count for each person and day, so that
 * removing one of several conversations keeps the person counted.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS metric (
    bot TEXT NOT NULL, what TEXT NOT NULL, day TEXT NOT NULL, key TEXT NOT NULL, bucket INTEGER NOT NULL,
    release INTEGER NOT NULL, channel TEXT NOT NULL, origin TEXT NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (bot, what, day, key, bucket, release, channel, origin)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS metrictotal (
    bot TEXT NOT NULL, what TEXT NOT NULL, day TEXT NOT NULL, key TEXT NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (bot, what, day, key, bucket)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS metricfact (
    conversation TEXT PRIMARY KEY, revision INTEGER NOT NULL, bot TEXT NOT NULL, person TEXT NOT NULL, day TEXT NOT NULL,
    started INTEGER NOT NULL, ended INTEGER, release INTEGER NOT NULL, channel TEXT NOT NULL, origin TEXT NOT NULL,
    measures TEXT NOT NULL, fact TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS metricfact_day ON metricfact (bot, day);
  CREATE INDEX IF NOT EXISTS metricfact_person ON metricfact (bot, person);
  CREATE TABLE IF NOT EXISTS personday (
    bot TEXT NOT NULL, day TEXT NOT NULL, person TEXT NOT NULL, release INTEGER NOT NULL, channel TEXT NOT NULL,
    origin TEXT NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (bot, person, day, release, channel, origin)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS removed (
    conversation TEXT PRIMARY KEY, bot TEXT NOT NULL, person TEXT NOT NULL, day TEXT NOT NULL, started INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS removed_person ON removed (bot, person);
  CREATE TABLE IF NOT EXISTS forgotten (person TEXT PRIMARY KEY, alias TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS definition (
    bot TEXT NOT NULL, day TEXT NOT NULL, version INTEGER NOT NULL, PRIMARY KEY (bot, day, version)
  ) STRICT, WITHOUT ROWID;
`

/** Events that change a fact. */
const OF_FACT: ReadonlySet<string> = new Set([
  ...[
    'ConversationStarted',
    'MessageReceived',
    'TurnTaken',
    'TurnFailed',
    'ConversationMoved',
    'ConversationContinued',
  ],
  ...['AgentRequested', 'AgentConnected', 'RatingAsked', 'ConversationRated', 'ConversationEnded'],
])

type Dimensions = Pick<ConversationFact, 'bot' | 'release' | 'channel' | 'origin'>
type Counts = ReadonlyMap<string, number>

/** Conversations with the same dimensions; counters of persons have none. */
type Group = Omit<Dimensions, 'origin'> & { readonly origin: string }

/** Counters of all conversations of a bot. */
const EVERY = { release: 0, channel: '', origin: '' } as const

/** Figures of a removed conversation. */
interface MetricSum
  extends Pick<ConversationFact, 'version' | 'day' | 'started' | 'release' | 'channel' | 'origin' | 'person' | 'days'> {
  /** The person was forgotten in this conversation, under this id before. */
  readonly forgot?: string
  readonly counts: readonly (readonly [key: string, n: number])[]
}

const ADD = 'INSERT INTO metric VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n'
const DROP_ZERO = `DELETE FROM metric WHERE bot = ? AND what = ? AND day = ? AND key = ? AND bucket = ? AND release = ?
  AND channel = ? AND origin = ? AND n = 0`
const ADD_TOTAL = 'INSERT INTO metrictotal VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n'
const DROP_ZERO_TOTAL =
  'DELETE FROM metrictotal WHERE bot = ? AND what = ? AND day = ? AND key = ? AND bucket = ? AND n = 0'
const KEEP = `INSERT INTO metricfact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  revision = excluded.revision, person = excluded.person, ended = excluded.ended, origin = excluded.origin,
  measures = excluded.measures, fact = excluded.fact`
const ADD_PERSON = 'INSERT INTO personday VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n'

interface FactRow {
  readonly revision: number
  readonly fact: ConversationFact
}

/** A fact as it is kept, with the names of its measures. */
export interface KeptFact extends FactRow {
  readonly measures: string
}

/** Facts that are read together. */
const SLICE = 200

/** Facts kept with their contribution: most events belong to a conversation that had an event a moment ago. */
const MAX_KEPT = 500

/**
 * Figures of conversations: counters that are the sums of the contributions of all conversations. Each event subtracts the
 * contribution of its conversation, changes the fact and adds the new one, in the transaction that moves the position of
 * the index. Built from the log, and disposable.
 */
export class MetricIndex extends FollowedIndex {
  readonly query: MetricQuery
  readonly #contributions = new WeakMap<ConversationFact, Counts>()
  readonly #collected = new Map<string, { readonly dimensions: Group; readonly change: Map<string, number> }>()
  #changes = 0
  readonly #newest = new Map<string, { readonly json: string; readonly fact: ConversationFact }>()

  constructor(file: string) {
    super(file, { version: VERSION, schema: SCHEMA })
    this.query = new MetricQuery(this.sql, () => this.settle())
  }

  /** Follows the log of conversations. */
  followConversations(store: EventStore, failed: (error: unknown) => void): Promise<void> {
    return this.follow(store, {
      name: 'metrics',
      prefixes: [CONVERSATION_PREFIX, CONVERSATION_DAY_PREFIX, DELIVERY_PREFIX],
      // Removed conversations must be known before the log of a server delivers their old events.
      prepare: async () => {
        if (this.position(store.id) === START) await this.#readSums(store)
      },
      failed,
    })
  }

  async #readSums(store: Pick<EventStore, 'readAll'>): Promise<void> {
    for await (const event of store.readAll({ filter: { streamPrefixes: [CONVERSATION_DAY_PREFIX] } })) {
      this.sql.begin()
      this.#summed(event)
    }
  }

  protected change(event: StoredEvent): void {
    this.#changes += 1
    if (event.stream.startsWith(CONVERSATION_DAY_PREFIX)) this.#summed(event)
    else if (event.stream.startsWith(CONVERSATION_PREFIX)) this.#applied(event)
    else if (event.stream.startsWith(DELIVERY_PREFIX)) this.#delivered(event)
  }

  #applied(event: StoredEvent): void {
    const { type, stream, revision: own } = event
    const isForgetting = type === 'PersonForgotten'
    if (!isForgetting && !OF_FACT.has(type)) return
    const { id, part } = conversationPart(stream)
    if (this.#isRemoved(id)) return
    const known = this.#row(id)
    if (isForgetting) {
      if (known !== undefined) this.#forget(known.fact.bot, known.fact.person, aliasOf(event))
      return
    }
    const revision = deskRevision(part, own)
    if (known !== undefined && known.revision >= revision) return
    const folded = foldConversationFact(known?.fact, event)
    if (folded === undefined) return
    const begun = known === undefined ? { ...folded, person: this.#aliasOf(folded) } : folded
    const isEnd = begun.ended !== undefined && known?.fact.ended === undefined
    const fact = isEnd ? { ...begun, reopened: this.#hasFollower(id, begun) } : begun
    this.#store(id, revision, known?.fact, fact)
    if (known === undefined) this.#reopen(id, fact)
  }

  /** The store keeps deliveries after their conversation, so its fact exists. */
  #delivered(event: StoredEvent): void {
    if (event.type !== 'DeliveryReceipt' || event.data.price === undefined) return
    const id = event.stream.slice(DELIVERY_PREFIX.length)
    const known = this.#isRemoved(id) ? undefined : this.#row(id)
    if (known === undefined) return
    const fact = foldDelivery(known.fact, event)
    if (fact !== known.fact) this.#store(id, known.revision, known.fact, fact)
  }

  /** Replaces the figures of a conversation by its sum; a sum of an earlier build has none, and they stay. */
  #summed({ stream, data }: StoredEvent): void {
    const id = String(data.conversation)
    if (this.#isRemoved(id)) return
    const bot = stream.slice(CONVERSATION_DAY_PREFIX.length)
    const known = this.#row(id)
    const sum = data.metrics as unknown as MetricSum | undefined
    if (sum !== undefined) {
      if (known !== undefined) this.#count(known.fact, this.#contributionOf(known.fact), known.fact.days, -1)
      if (sum.forgot !== undefined) this.#forget(bot, sum.forgot, sum.person)
      const person = this.#aliasOf({ bot, person: sum.person })
      this.#count({ ...sum, bot, person }, new Map(sum.counts), sum.days, 1)
      this.#defined(bot, sum.day, sum.version)
      this.#remove(id, { bot, person, day: sum.day, started: sum.started })
      this.#reopen(id, { bot, person, started: sum.started })
    } else {
      const { person = '', day = '', started = 0 } = known?.fact ?? {}
      this.#remove(id, { bot, person, day, started })
    }
    this.sql.run('DELETE FROM metricfact WHERE conversation = ?', id)
  }

  #remove(
    id: string,
    { bot, person, day, started }: Pick<ConversationFact, 'bot' | 'person' | 'day' | 'started'>,
  ): void {
    this.sql.run(
      'INSERT INTO removed (conversation, bot, person, day, started) VALUES (?, ?, ?, ?, ?)',
      ...[id, bot, person, day, started],
    )
    this.#add({ bot, ...EVERY }, new Map([[metricKey({ day, what: 'removed', key: '', bucket: 0 }), 1]]))
  }

  /** The sum of a conversation that is about to be removed; `fact` folded from all its events. */
  sumOf(id: string, fact: ConversationFact, isForgotten: boolean): MetricSum {
    const known = this.#row(id)?.fact
    const { person, reopened, costs } = known ?? { ...fact, person: this.#aliasOf(fact) }
    const whole = { ...fact, person, reopened, costs }
    const { version, day, started, release, channel, origin, days } = whole
    return {
      ...{ version, day, started, release, channel, origin, person, days },
      ...(isForgotten && person !== fact.person ? { forgot: fact.person } : {}),
      counts: [...contribution(whole)],
    }
  }

  /** Number of changes since the index was opened. */
  get changes(): number {
    return this.#changes
  }

  /** One in so many conversations, at least one of them, by chance. */
  sample(oneIn: number): readonly string[] {
    const all = 'SELECT conversation FROM metricfact'
    const found = this.sql.all(`${all} WHERE abs(random() % ?) = 0`, oneIn)
    const rows = found.length > 0 ? found : this.sql.all(`${all} ORDER BY random() LIMIT 1`)
    return rows.map(({ conversation }) => String(conversation))
  }

  /** One in so many days of a bot, at least one of them, of which no conversation was removed. */
  sampleDays(oneIn: number): readonly { readonly bot: string; readonly day: string }[] {
    const days = this.sql.all(
      `SELECT bot, day FROM (SELECT DISTINCT bot, day FROM metricfact) AS kept
       WHERE NOT EXISTS (SELECT 1 FROM removed WHERE removed.bot = kept.bot AND removed.day = kept.day) ORDER BY random()`,
    )
    return days.slice(0, Math.ceil(days.length / oneIn)).map(({ bot, day }) => ({ bot: String(bot), day: String(day) }))
  }

  kept(id: string): KeptFact | undefined {
    const row = this.#row(id)
    const measures = this.sql.get('SELECT measures FROM metricfact WHERE conversation = ?', id)?.measures
    return row && { ...row, measures: String(measures).trim() }
  }

  /** Facts of a day, by their id, after one of them. */
  factsOf(
    bot: string,
    day: string,
    after: string,
  ): readonly { readonly id: string; readonly fact: ConversationFact }[] {
    const rows = this.sql.all(
      'SELECT conversation, fact FROM metricfact WHERE bot = ? AND day = ? AND conversation > ? ORDER BY conversation LIMIT ?',
      ...[bot, day, after, SLICE],
    )
    return rows.map(row => ({ id: String(row.conversation), fact: JSON.parse(String(row.fact)) as ConversationFact }))
  }

  /** Counters of a day that are sums over its conversations. */
  countersOf(bot: string, day: string): ReadonlyMap<string, number> {
    this.settle()
    const rows = this.sql.all(
      `SELECT * FROM (${ALL_COUNTERS}) WHERE bot = ? AND day = ? AND what <> 'active' AND what NOT LIKE 'people%'`,
      ...[bot, day],
    )
    return new Map(
      rows.map(({ what, key, bucket, release, channel, origin, n }) => [
        [what, key, bucket, release, channel, origin].join(' '),
        Number(n),
      ]),
    )
  }

  /** All counters, for comparison. */
  dump(): readonly object[] {
    this.settle()
    return this.sql.all(`${ALL_COUNTERS} ORDER BY bot, what, day, key, bucket, release, channel, origin`)
  }

  #store(id: string, revision: number, before: ConversationFact | undefined, fact: ConversationFact): void {
    const { bot, person, day, started, ended, release, channel, origin } = fact
    if (before === undefined) {
      this.#count(fact, this.#contributionOf(fact), fact.days, 1)
      this.#defined(bot, day, fact.version)
    } else if (before.origin !== origin) {
      this.#count(before, this.#contributionOf(before), before.days, -1)
      this.#count(fact, this.#contributionOf(fact), fact.days, 1)
    } else {
      this.#add(fact, contributionChange(this.#contributionOf(before), this.#contributionOf(fact)))
      for (const one of fact.days) if (!before.days.includes(one)) this.#addPerson(fact, one, 1)
    }
    const { person: _, ...kept } = fact
    const json = JSON.stringify(kept)
    this.sql.run(
      KEEP,
      ...[id, revision, bot, person, day, started, ended ?? null, release, channel, origin],
      ` ${measuresOf(fact).join(' ')} `,
      json,
    )
    this.#newest.delete(id)
    this.#newest.set(id, { json, fact })
    const [oldest = ''] = this.#newest.keys()
    if (this.#newest.size > MAX_KEPT) this.#newest.delete(oldest)
  }

  #contributionOf(fact: ConversationFact): Counts {
    const counts = this.#contributions.get(fact) ?? contribution(fact)
    this.#contributions.set(fact, counts)
    return counts
  }

  /** Adds (1) or subtracts (-1) all that a conversation contributes. */
  #count(of: Dimensions & Pick<ConversationFact, 'person'>, counts: Counts, days: readonly string[], by: 1 | -1): void {
    this.#add(of, by === 1 ? counts : new Map([...counts].map(([key, n]) => [key, -n])))
    for (const day of days) this.#addPerson(of, day, by)
  }

  #add({ bot, release, channel, origin }: Group, change: Counts): void {
    const group = [bot, release, channel, origin].join('\r')
    const counts = this.#collected.get(group) ?? { dimensions: { bot, release, channel, origin }, change: new Map() }
    this.#collected.set(group, counts)
    for (const [name, n] of change) counts.change.set(name, (counts.change.get(name) ?? 0) + n)
  }

  /** Writes the collected changes of counters: most events change the same ones. */
  protected override settle(): void {
    const totals = new Map<string, Map<string, number>>()
    for (const { dimensions, change } of this.#collected.values()) {
      const { bot, release, channel, origin } = dimensions
      const total = totals.get(bot) ?? new Map<string, number>()
      totals.set(bot, total)
      for (const [name, n] of change) {
        if (n === 0) continue
        const { day, what, key, bucket } = metricKeyOf(name)
        const of = [bot, what, day, key, bucket, release, channel, origin] as const
        this.sql.run(ADD, ...of, n)
        if (n < 0) this.sql.run(DROP_ZERO, ...of)
        if (isCounted(origin)) total.set(name, (total.get(name) ?? 0) + n)
      }
    }
    this.#collected.clear()
    for (const [bot, total] of totals)
      for (const [name, n] of total) {
        if (n === 0) continue
        const { day, what, key, bucket } = metricKeyOf(name)
        const of = [bot, what, day, key, bucket] as const
        this.sql.run(ADD_TOTAL, ...of, n)
        if (n < 0) this.sql.run(DROP_ZERO_TOTAL, ...of)
      }
  }

  /**
   * Changes the reference count of a person on a day. The counters of persons change with the first reference and the last
   * one: those of all conversations, and those of the conversation's release, channel and origin.
   */
  #addPerson(of: Dimensions & Pick<ConversationFact, 'person'>, day: string, by: number): void {
    const { bot, person, release, channel, origin } = of
    const own = [bot, person, day, release, channel, origin] as const
    const row = this.sql.get(
      'SELECT n FROM personday WHERE bot = ? AND person = ? AND day = ? AND release = ? AND channel = ? AND origin = ?',
      ...own,
    )
    const [was, is] = [Number(row?.n ?? 0), Number(row?.n ?? 0) + by]
    this.sql.run(ADD_PERSON, bot, day, person, release, channel, origin, by)
    if (is === 0)
      this.sql.run(
        `DELETE FROM personday WHERE bot = ? AND person = ? AND day = ? AND release = ? AND channel = ? AND origin = ? AND n = 0`,
        ...own,
      )
    if (was > 0 === is > 0) return
    const all = this.sql.all(
      'SELECT day, release, channel, origin FROM personday WHERE bot = ? AND person = ?',
      bot,
      person,
    )
    const others = (all as unknown as readonly PersonDay[]).filter(
      one => !(one.day === day && one.release === release && one.channel === channel && one.origin === origin),
    )
    for (const { group, key, n } of personChanges(others, { ...of, day }, is > 0 ? 1 : -1))
      this.#add({ bot, ...group }, new Map([[metricKey(key), n]]))
  }

  #defined(bot: string, day: string, version: number): void {
    this.sql.run('INSERT OR IGNORE INTO definition VALUES (?, ?, ?)', bot, day, version)
  }

  /** Whether the person began another conversation with the bot within 72 h of the end of this one. */
  #hasFollower(id: string, { bot, person, ended = 0 }: ConversationFact): boolean {
    const sql = (table: string) =>
      `SELECT 1 FROM ${table} WHERE bot = ? AND person = ? AND conversation <> ? AND started BETWEEN ? AND ?`
    return ['metricfact', 'removed'].some(
      table => this.sql.get(sql(table), bot, person, id, ended, ended + REOPENING_MS) !== undefined,
    )
  }

  /** Marks the conversations of the person that ended within 72 h before this one began. */
  #reopen(id: string, { bot, person, started }: Pick<ConversationFact, 'bot' | 'person' | 'started'>): void {
    const rows = this.sql.all(
      'SELECT conversation FROM metricfact WHERE bot = ? AND person = ? AND conversation <> ? AND ended BETWEEN ? AND ?',
      ...[bot, person, id, started - REOPENING_MS, started],
    )
    for (const { conversation } of rows) {
      const found = this.#row(String(conversation))
      if (found === undefined || found.fact.reopened) continue
      this.#store(String(conversation), found.revision, found.fact, { ...found.fact, reopened: true })
    }
  }

  /** Replaces the id of a person by a random one, which is the same in all their rows. */
  #forget(bot: string, person: string, alias: string): void {
    const isForgotten = this.sql.get(
      'SELECT 1 FROM forgotten WHERE alias = ? OR person = ?',
      ...[person, hashOf(bot, person)],
    )
    if (person === alias || isForgotten !== undefined) return
    this.sql.run('INSERT OR IGNORE INTO forgotten (person, alias) VALUES (?, ?)', hashOf(bot, person), alias)
    // Sums may have counted days under the random id before: one person is counted there once.
    const days = this.sql.all('SELECT * FROM personday WHERE bot = ? AND person = ?', bot, person)
    for (const { day, release, channel, origin, n } of days) {
      const of = {
        bot,
        release: Number(release),
        channel: String(channel),
        origin: String(origin) as Dimensions['origin'],
      }
      this.#addPerson({ ...of, person }, String(day), -Number(n))
      this.#addPerson({ ...of, person: alias }, String(day), Number(n))
    }
    for (const table of ['metricfact', 'removed'])
      this.sql.run(`UPDATE ${table} SET person = ? WHERE bot = ? AND person = ?`, alias, bot, person)
  }

  #aliasOf({ bot, person }: Pick<ConversationFact, 'bot' | 'person'>): string {
    const row = this.sql.get('SELECT alias FROM forgotten WHERE person = ?', hashOf(bot, person))
    return String(row?.alias ?? person)
  }

  #isRemoved(id: string): boolean {
    return this.sql.get('SELECT 1 FROM removed WHERE conversation = ?', id) !== undefined
  }

  #row(id: string): FactRow | undefined {
    const row = this.sql.get('SELECT revision, person, fact FROM metricfact WHERE conversation = ?', id)
    if (row === undefined) return undefined
    const [json, person] = [String(row.fact), String(row.person)]
    const newest = this.#newest.get(id)
    const isNewest = newest?.json === json && newest.fact.person === person
    const fact = isNewest ? newest.fact : { ...(JSON.parse(json) as ConversationFact), person }
    return { revision: Number(row.revision), fact }
  }
}

const hashOf = (bot: string, person: string): string => hash('sha256', `${bot} ${person}`)

/** Random, since the id of an event is; the same for each reader of the event. */
const aliasOf = ({ id }: StoredEvent): string => derivedId(id, 'forgotten person')
