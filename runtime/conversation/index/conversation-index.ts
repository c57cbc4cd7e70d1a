import { NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import type { Unrecognized } from '#domain/conversation/turn.ts'
import { SIMULATED_TYPE } from '#schemas/channel-type.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import {
  type Claim,
  CONVERSATION_DAY_PREFIX,
  conversationPart,
  conversationStream,
} from '#schemas/events/conversation.ts'
import { DESK_PLACE_PREFIX } from '#schemas/events/desk.ts'
import { DESK, DeskIndex } from '../../agent/desk/desk-index.ts'
import { type DeskFigureSum, DeskFigures, FIGURES } from '../../agent/figures/desk-figures.ts'
import { AGENTS, AgentIndex } from '../../agent/session/agent-events.ts'
import { FollowedIndex, type IndexDatabase, plain } from '../../log/followed-index.ts'
import { METRICS } from '../../metrics/metric-query.ts'
import type { ConversationFilter, ConversationRecord, OpenCount, UnrecognizedTurn } from '../../port.ts'
import { findConversation, listConversations } from './conversation-page.ts'
import { VISITS, VisitIndex, type VisitSum } from './visit-index.ts'

const PARTS = `
  CREATE TABLE IF NOT EXISTS part (
    conversation TEXT NOT NULL, part INTEGER NOT NULL, base INTEGER NOT NULL, PRIMARY KEY (conversation, part)
  ) STRICT, WITHOUT ROWID;
`

/** Start of each later part of conversations with many turns. */
class PartIndex {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  /** Records a part that begins. */
  continued(conversation: string, { bases }: Readonly<Record<string, Json>>): void {
    const all = bases as readonly number[]
    this.#sql.run('INSERT OR REPLACE INTO part VALUES (?, ?, ?)', conversation, all.length, all.at(-1) ?? 0)
  }

  remove(conversation: string): void {
    this.#sql.run('DELETE FROM part WHERE conversation = ?', conversation)
  }

  /** Number of the newest known part, from 1. */
  newest(conversation: string): number {
    return Number(this.#sql.get('SELECT max(part) AS part FROM part WHERE conversation = ?', conversation)?.part ?? 1)
  }

  /** Stream and revision of an event whose given revision is counted through all parts. */
  at(conversation: string, revision: number): { readonly stream: string; readonly revision: number } {
    const sql = 'SELECT part, base FROM part WHERE conversation = ? AND base < ? ORDER BY part DESC LIMIT 1'
    const { part, base } = this.#sql.get(sql, conversation, revision) ?? { part: 1, base: 0 }
    return { stream: conversationStream(conversation, Number(part)), revision: revision - Number(base) }
  }
}

const UNRECOGNIZED = `
  CREATE TABLE IF NOT EXISTS unrecognized (
    conversation TEXT NOT NULL, turn INTEGER NOT NULL, bot TEXT NOT NULL, time INTEGER NOT NULL, input INTEGER NOT NULL,
    intent TEXT, confidence REAL NOT NULL, PRIMARY KEY (conversation, turn)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS unrecognized_bot ON unrecognized (bot, time);
`

/** Index of the turns whose text was not recognized. */
class UnrecognizedIndex {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  /** Adds a stored turn. */
  turned(
    { id, bot, time }: { readonly id: string; readonly bot: string; readonly time: number },
    { turn, input, unrecognized }: Readonly<Record<string, Json>>,
  ): void {
    if (unrecognized === undefined || unrecognized === null) return
    const { intent, confidence } = unrecognized as unknown as Unrecognized
    const row = [id, Number(turn), bot, time, Number(input), intent, confidence]
    this.#sql.run('INSERT OR REPLACE INTO unrecognized VALUES (?, ?, ?, ?, ?, ?, ?)', ...row)
  }

  remove(conversation: string): void {
    this.#sql.run('DELETE FROM unrecognized WHERE conversation = ?', conversation)
  }

  /** Turns of these bots, newest first. */
  newest(bots: readonly string[], limit: number): readonly UnrecognizedTurn[] {
    const sql = `SELECT conversation, turn, bot, time, input, intent, confidence FROM unrecognized
      WHERE bot IN (SELECT value FROM json_each(?)) ORDER BY time DESC LIMIT ?`
    return this.#sql.all(sql, JSON.stringify(bots), limit) as unknown as readonly UnrecognizedTurn[]
  }
}

const TAGS = `
  CREATE TABLE IF NOT EXISTS conversationtag (
    conversation TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (conversation, tag)
  ) STRICT, WITHOUT ROWID;
`

/** Tags that agents gave conversations. */
class TagIndex {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  tagged(conversation: string, { tags }: Readonly<Record<string, Json>>): void {
    this.remove(conversation)
    for (const tag of tags as readonly string[])
      this.#sql.run('INSERT OR IGNORE INTO conversationtag VALUES (?, ?)', conversation, tag)
  }

  remove(conversation: string): void {
    this.#sql.run('DELETE FROM conversationtag WHERE conversation = ?', conversation)
  }

  /** Tags of the conversations of these bots, by the ids of their people. */
  ofPeople(bots: readonly string[]): ReadonlyMap<string, readonly string[]> {
    const rows = this.#sql.all(
      `SELECT DISTINCT person, tag FROM conversationtag JOIN conversation ON id = conversation
       WHERE bot IN (SELECT value FROM json_each(?))`,
      JSON.stringify(bots),
    )
    const tags = new Map<string, string[]>()
    for (const { person, tag } of rows) {
      const own = tags.get(String(person)) ?? []
      own.push(String(tag))
      tags.set(String(person), own)
    }
    return tags
  }
}

/** An index of another version is rebuilt from the log. */
const VERSION = 16

/** Time during which a due conversation is left to the node that is first for it, ms. */
const OTHERS_MS = 5_000
/** Limit of due conversations that are searched for own ones. */
const MAX_DUE = 5_000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS conversation (
    id TEXT PRIMARY KEY, bot TEXT NOT NULL, channel TEXT NOT NULL, channeltype TEXT NOT NULL, person TEXT NOT NULL,
    status TEXT NOT NULL, release INTEGER NOT NULL, started INTEGER NOT NULL, last INTEGER NOT NULL, ended INTEGER,
    reason TEXT, turns INTEGER NOT NULL, retained INTEGER NOT NULL, due INTEGER, node TEXT, until INTEGER,
    block TEXT, origin TEXT NOT NULL, unstored INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS removed (
    conversation TEXT PRIMARY KEY, gone INTEGER NOT NULL, parts INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS removed_gone ON removed (conversation) WHERE gone = 0;
  CREATE TABLE IF NOT EXISTS daytail (bot TEXT PRIMARY KEY, revision INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS conversation_due ON conversation (due) WHERE due IS NOT NULL;
  CREATE INDEX IF NOT EXISTS conversation_claim ON conversation (until) WHERE until IS NOT NULL;
  CREATE INDEX IF NOT EXISTS conversation_person ON conversation (person, channel);
  CREATE INDEX IF NOT EXISTS conversation_bot ON conversation (bot, started);
  CREATE INDEX IF NOT EXISTS conversation_open ON conversation (bot, status) WHERE status <> 'ended';
  CREATE INDEX IF NOT EXISTS conversation_unstored ON conversation (bot, last) WHERE unstored = 1;
`

/** Index of conversations, their claims and their due times: built from the log, and disposable. */
export class ConversationIndex extends FollowedIndex {
  readonly visits: VisitIndex
  readonly unrecognized: UnrecognizedIndex
  readonly parts: PartIndex
  readonly agents: AgentIndex
  readonly tags: TagIndex
  readonly desk: DeskIndex
  readonly figures: DeskFigures
  #hasAgents: boolean | undefined

  /** `metricsFile`: facts of the figures, which lists can be limited to. */
  constructor(file: string, metricsFile?: string) {
    super(file, {
      version: VERSION,
      schema: [SCHEMA, VISITS, UNRECOGNIZED, PARTS, AGENTS, DESK, FIGURES, TAGS].join(''),
    })
    if (this.sql.get("SELECT 1 FROM meta WHERE key = 'stale'") !== undefined) this.sql.clear()
    if (metricsFile !== undefined) this.sql.run(`ATTACH DATABASE ? AS ${METRICS}`, metricsFile)
    this.visits = new VisitIndex(this.sql)
    this.unrecognized = new UnrecognizedIndex(this.sql)
    this.parts = new PartIndex(this.sql)
    this.agents = new AgentIndex(this.sql)
    this.tags = new TagIndex(this.sql)
    this.desk = new DeskIndex(this.sql)
    this.figures = new DeskFigures(this.sql)
  }

  /** Whether an agent was ever asked for: otherwise no chat with one is looked up. */
  get hasAgents(): boolean {
    this.#hasAgents ??=
      this.sql.get(
        'SELECT 1 FROM agenttalk UNION ALL SELECT 1 FROM deskchat UNION ALL SELECT 1 FROM deskfact LIMIT 1',
      ) !== undefined
    return this.#hasAgents
  }

  protected change(event: StoredEvent): void {
    if (event.stream.startsWith(DESK_PLACE_PREFIX)) {
      this.desk.placed(event)
      this.figures.placed(event)
    } else if (event.stream.startsWith(CONVERSATION_DAY_PREFIX)) this.summed(event)
    else this.#applied(event)
  }

  /**
   * Applies the sums of a removed conversation. Counts that this index already has from its events are not added; an
   * index with only some of them is rebuilt at the next start.
   */
  summed({ stream, revision, hash, data }: StoredEvent): void {
    this.sql.begin()
    const bot = stream.slice(CONVERSATION_DAY_PREFIX.length)
    const id = String(data.conversation)
    this.sql.run('INSERT OR REPLACE INTO daytail (bot, revision, hash) VALUES (?, ?, ?)', bot, revision, hash)
    if (this.isRemoved(id)) return
    const row = this.get(id)
    if (row === undefined) {
      this.visits.addSum(bot, data as unknown as VisitSum)
      if (data.desk !== undefined) this.figures.addSum(bot, data.desk as unknown as DeskFigureSum)
    } else if (row.turns < Number(data.turns))
      this.sql.run("INSERT OR REPLACE INTO meta (key, value) VALUES ('stale', '1')")
    this.visits.close(id)
    this.unrecognized.remove(id)
    this.parts.remove(id)
    this.agents.remove(id)
    this.tags.remove(id)
    this.desk.remove(id)
    this.figures.close(id)
    this.sql.run('DELETE FROM conversation WHERE id = ?', id)
    this.sql.run('INSERT INTO removed (conversation, gone, parts) VALUES (?, 0, ?)', id, plain(data.parts) ?? 1)
  }

  /** A server's log still delivers events of removed streams, until it is scavenged. */
  #applied(event: StoredEvent): void {
    const { stream, type, data, time } = event
    const { id, part } = conversationPart(stream)
    const now = Date.parse(time)
    if (this.isRemoved(id)) return
    if (type === 'ConversationStarted') {
      this.sql.run(
        `INSERT OR IGNORE INTO conversation (id, bot, channel, channeltype, person, status, release, started, last, turns, retained, origin, unstored)
         VALUES (?, ?, ?, ?, ?, 'idle', ?, ?, ?, 0, 0, ?, ?)`,
        ...[id, data.bot, data.channel, data.channeltype, data.person, data.release, now, now].map(plain),
        data.origin === 'agent' || data.origin === 'trial' ? data.origin : 'person',
        data.unstored === true ? 1 : 0,
      )
    }
    if (type === 'ConversationContinued') this.parts.continued(id, data)
    this.#count(id, type, data, now)
    const isTurn = type === 'TurnTaken' || type === 'TurnFailed'
    if (isTurn) this.#turned(id, data, now)
    // Next due time; after an event without one, the clock looks for it once.
    else if ('due' in data) this.setDue(id, typeof data.due === 'number' ? data.due : undefined)
    else if (type === 'ScheduleSkipped') this.setDue(id, 0)
    if (type === 'ConversationMoved') {
      this.sql.run('UPDATE conversation SET release = ? WHERE id = ?', plain(data.release), id)
    }
    if (type.startsWith('Agent')) this.#hasAgents = true
    if (this.hasAgents) {
      this.agents.apply(id, event)
      if (type === 'AgentTagged') this.tags.tagged(id, data)
      this.desk.apply(id, part, event)
      this.figures.apply({ id, part, bot: () => this.get(id)?.bot ?? '' }, event)
    }
    if (type === 'ConversationEnded') {
      this.sql.run(
        `UPDATE conversation SET status = 'ended', ended = ?1, reason = ?2, due = NULL,
           block = CASE WHEN ?2 IN ('timeout', 'person') THEN block END WHERE id = ?3`,
        now,
        plain(data.reason),
        id,
      )
    }
    if (isTurn) return
    const claim = data.claim as Claim | undefined
    if (claim !== undefined || type === 'ConversationEnded') {
      const { node = null, until = null } = claim ?? {}
      this.sql.run('UPDATE conversation SET node = ?, until = ?, last = ? WHERE id = ?', node, until, now, id)
    } else this.sql.run('UPDATE conversation SET last = ? WHERE id = ?', now, id)
  }

  /** One statement: each of them rewrites rows of indexes. */
  #turned(id: string, data: StoredEvent['data'], time: number): void {
    const { node = null, until = null } = (data.claim ?? {}) as Partial<Claim>
    const due = 'due' in data ? plain(data.due) : 0
    this.sql.run(
      `UPDATE conversation SET status = ?, turns = ?, retained = max(retained, ?), release = ?,
         ended = coalesce(ended, ?), reason = coalesce(reason, ?),
         block = CASE WHEN ? IN ('timeout', 'person') THEN block ELSE ? END,
         due = ?, node = ?, until = ?, last = ? WHERE id = ?`,
      plain(data.status),
      plain(data.turn),
      data.retained === true ? 1 : 0,
      plain(data.release),
      data.ended === undefined ? null : time,
      plain(data.ended),
      // The block where it waits, or waited when its person left.
      plain(data.ended),
      plain((data.wait as { readonly block?: Json } | undefined)?.block),
      ...[due, node, until, time, id],
    )
  }

  /** Counts the event at its blocks, before its row changes; the release is that of the turn. */
  #count(id: string, type: string, data: StoredEvent['data'], time: number): void {
    if (type !== 'TurnTaken' && type !== 'TurnFailed' && type !== 'ConversationEnded') return
    const row = this.get(id)
    if (row === undefined) return
    const release = typeof data.release === 'number' ? data.release : row.release
    const of = { id, bot: row.bot, release, channel: row.channeltype, withAgent: row.status === 'agent', time }
    if (type !== 'ConversationEnded' && row.origin !== 'trial') this.unrecognized.turned(of, data)
    // A conversation that an agent began, or a trial, is no success or failure of the bot.
    if (row.origin !== 'person') return
    if (type === 'ConversationEnded') this.visits.ended(of, String(data.reason))
    else this.visits.turned(of, data)
  }

  isRemoved(id: string): boolean {
    return this.sql.get('SELECT 1 FROM removed WHERE conversation = ?', id) !== undefined
  }

  /** End of the sums of a bot, as far as this node has read them. */
  dayTail(bot: string): Tail {
    const row = this.sql.get('SELECT revision, hash FROM daytail WHERE bot = ?', bot)
    return row === undefined ? NO_STREAM : { revision: Number(row.revision), hash: String(row.hash) }
  }

  bots(): readonly string[] {
    return this.sql.all('SELECT DISTINCT bot FROM conversation').map(({ bot }) => String(bot))
  }

  /** Conversations of a bot without events since a moment and without planned ones, oldest first. */
  expired(bot: string, since: number, limit: number): readonly ConversationRecord[] {
    const rows = this.sql.all(
      'SELECT id FROM conversation WHERE bot = ? AND last < ? AND coalesce(due, 0) < ? ORDER BY last LIMIT ?',
      bot,
      since,
      since,
      limit,
    )
    return rows.flatMap(({ id }) => this.get(String(id)) ?? [])
  }

  /** Ended conversations of a bot whose channel stores no messages, without events since a moment and without planned ones. */
  unstored(bot: string, since: number, limit: number): readonly ConversationRecord[] {
    const rows = this.sql.all(
      `SELECT id FROM conversation WHERE unstored = 1 AND bot = ? AND last < ? AND status = 'ended' AND coalesce(due, 0) < ?
       ORDER BY last LIMIT ?`,
      ...[bot, since, since, limit],
    )
    return rows.flatMap(({ id }) => this.get(String(id)) ?? [])
  }

  /** Summed conversations whose streams may still exist, with their number of parts. */
  leftovers(limit: number): readonly { readonly id: string; readonly parts: number }[] {
    const rows = this.sql.all('SELECT conversation AS id, parts FROM removed WHERE gone = 0 LIMIT ?', limit)
    return rows as unknown as readonly { id: string; parts: number }[]
  }

  removedCount(): number {
    return Number(this.sql.get('SELECT count(*) AS n FROM removed')?.n)
  }

  setGone(id: string): void {
    this.sql.run('UPDATE removed SET gone = 1 WHERE conversation = ?', id)
  }

  hasPerson(bot: string, person: string): boolean {
    return this.sql.get('SELECT 1 FROM conversation WHERE person = ? AND bot = ?', person, bot) !== undefined
  }

  setDue(id: string, due: number | undefined): void {
    this.sql.run('UPDATE conversation SET due = ? WHERE id = ?', due ?? null, id)
  }

  /**
   * Conversations whose clock is due, longest overdue first; those of other nodes once they are overdue by more than
   * these nodes need.
   */
  due(now: number, limit: number, isOwn: (id: string) => boolean = () => true): readonly string[] {
    const late = now - OTHERS_MS
    const sql = 'SELECT id, due FROM conversation WHERE due <= ? ORDER BY due LIMIT ?'
    const found: string[] = []
    for (const row of this.sql.each(sql, now, Math.max(limit, MAX_DUE))) {
      const id = String(row.id)
      if (Number(row.due) <= late || isOwn(id)) found.push(id)
      if (found.length === limit) break
    }
    return found
  }

  /** Conversations with an expired claim. */
  claimed(now: number, limit: number): readonly string[] {
    return this.sql
      .all('SELECT id FROM conversation WHERE until < ? ORDER BY until LIMIT ?', now, limit)
      .map(({ id }) => String(id))
  }

  /** Conversations claimed by other nodes. */
  claimedByOthers(node: string): readonly string[] {
    return this.sql
      .all('SELECT id FROM conversation WHERE until IS NOT NULL AND node <> ?', node)
      .map(({ id }) => String(id))
  }

  /** Conversations claimed by one of these nodes. */
  claimedBy(nodes: readonly string[], limit: number): readonly string[] {
    const sql =
      'SELECT id FROM conversation WHERE until IS NOT NULL AND node IN (SELECT value FROM json_each(?)) LIMIT ?'
    return this.sql.all(sql, JSON.stringify(nodes), limit).map(({ id }) => String(id))
  }

  live(channel: string, person: string): string | undefined {
    const row = this.sql.get(
      "SELECT id FROM conversation WHERE person = ? AND channel = ? AND status <> 'ended' ORDER BY started DESC LIMIT 1",
      person,
      channel,
    )
    return row === undefined ? undefined : String(row.id)
  }

  /** Conversations of a person on a channel that have not ended. */
  openOf(person: string): readonly string[] {
    const rows = this.sql.all("SELECT id FROM conversation WHERE person = ? AND status <> 'ended'", person)
    return rows.map(({ id }) => String(id))
  }

  /** All conversations of a person on a channel. */
  ofPerson(person: string): readonly string[] {
    return this.sql.all('SELECT id FROM conversation WHERE person = ?', person).map(({ id }) => String(id))
  }

  get(id: string): ConversationRecord | undefined {
    return findConversation(this.sql, id)
  }

  list(bots: readonly string[], filter: ConversationFilter, page: number, size: number) {
    return listConversations(this.sql, bots, filter, page, size)
  }

  /** Conversations of these bots that have not ended, without trials and simulated numbers. */
  open(bots: readonly string[]): readonly OpenCount[] {
    return this.sql
      .all(
        `SELECT bot, sum(status <> 'agent') AS talking, sum(status = 'agent') AS agents, sum(status = 'agent' AND (
           EXISTS (SELECT 1 FROM deskchat WHERE deskchat.conversation = id AND deskchat.status = 'waiting') OR
           EXISTS (SELECT 1 FROM agenttalk WHERE agenttalk.conversation = id AND closing = 0 AND waiting IS NOT NULL)
         )) AS waiting
         FROM conversation WHERE bot IN (SELECT value FROM json_each(?)) AND status <> 'ended'
           AND origin <> 'trial' AND channeltype <> '${SIMULATED_TYPE}' GROUP BY bot`,
        JSON.stringify(bots),
      )
      .map(row => ({
        bot: String(row.bot),
        talking: Number(row.talking),
        agents: Number(row.agents),
        waiting: Number(row.waiting),
      }))
  }
}
