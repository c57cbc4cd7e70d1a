import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { NO_STREAM, type Tail } from '#commands/integrity/hash-chain.ts'
import type { Json, StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_DAY_PREFIX, conversationPart } from '#schemas/events/conversation.ts'
import { AgentIndex } from '../agent/agent-index.ts'
import type { ConversationFilter, ConversationRecord } from '../port.ts'
import { findConversation, listConversations, type ReadConversations } from './list-conversations.ts'
import { PartIndex } from './part-index.ts'
import { UnrecognizedIndex } from './unrecognized-index.ts'
import { VisitIndex, type VisitSum } from './visit-index.ts'

/** An index of another version is made again from the log. */
const VERSION = 9

const TABLES = [
  'meta',
  'conversation',
  'removed',
  'daytail',
  'visit',
  'visitcount',
  'answertime',
  'unrecognized',
  'part',
  'agenttalk',
]

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS conversation (
    id TEXT PRIMARY KEY, bot TEXT NOT NULL, channel TEXT NOT NULL, channeltype TEXT NOT NULL, person TEXT NOT NULL,
    status TEXT NOT NULL, release INTEGER NOT NULL, started INTEGER NOT NULL, last INTEGER NOT NULL, ended INTEGER,
    reason TEXT, turns INTEGER NOT NULL, retained INTEGER NOT NULL, due INTEGER, node TEXT, until INTEGER,
    block TEXT
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
`

/** Which conversations there are, who runs them and when the clock is due: read from their log, and as disposable. */
export class ConversationIndex {
  readonly #database: DatabaseSync
  readonly visits: VisitIndex
  readonly unrecognized: UnrecognizedIndex
  readonly parts: PartIndex
  readonly agents: AgentIndex
  readonly #statements = new Map<string, StatementSync>()
  readonly #read: ReadConversations = {
    get: (sql, ...values) => this.#prepared(sql).get(...values),
    all: (sql, ...values) => this.#prepared(sql).all(...values),
  }
  #isOpen = false

  constructor(file: string) {
    this.#database = new DatabaseSync(file)
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    if (this.#database.prepare('PRAGMA user_version').get()?.user_version !== VERSION) {
      this.#clear()
    }
    this.#database.exec(SCHEMA)
    if (this.#get("SELECT 1 FROM meta WHERE key = 'stale'") !== undefined) {
      this.#statements.clear()
      this.#clear()
      this.#database.exec(SCHEMA)
    }
    this.visits = new VisitIndex(this.#database)
    this.unrecognized = new UnrecognizedIndex(this.#database)
    this.parts = new PartIndex(this.#database)
    this.agents = new AgentIndex(this.#database)
  }

  #clear(): void {
    for (const table of TABLES) this.#database.exec(`DROP TABLE IF EXISTS ${table}`)
    this.#database.exec(`PRAGMA user_version = ${VERSION}`)
  }

  position(store: string): string {
    const row = this.#get('SELECT value FROM meta WHERE key = ?', `position ${store}`)
    return typeof row?.value === 'string' ? row.value : ''
  }

  apply(store: string, event: StoredEvent): void {
    this.#begin()
    if (event.stream.startsWith(CONVERSATION_DAY_PREFIX)) this.summed(event)
    else this.#applied(event)
    this.#run('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)', `position ${store}`, event.position)
  }

  /**
   * Takes what is kept of a conversation that is removed. Counts that this index has of its events already are not added;
   * where it had only some of them it is made again at the next start.
   */
  summed({ stream, revision, hash, data }: StoredEvent): void {
    this.#begin()
    const bot = stream.slice(CONVERSATION_DAY_PREFIX.length)
    const id = String(data.conversation)
    this.#run('INSERT OR REPLACE INTO daytail (bot, revision, hash) VALUES (?, ?, ?)', bot, revision, hash)
    if (this.isRemoved(id)) return
    const row = this.get(id)
    if (row === undefined) this.visits.addSum(bot, data as unknown as VisitSum)
    else if (row.turns < Number(data.turns)) this.#run("INSERT OR REPLACE INTO meta (key, value) VALUES ('stale', '1')")
    this.visits.close(id)
    this.unrecognized.remove(id)
    this.parts.remove(id)
    this.agents.remove(id)
    this.#run('DELETE FROM conversation WHERE id = ?', id)
    this.#run('INSERT INTO removed (conversation, gone, parts) VALUES (?, 0, ?)', id, plain(data.parts) ?? 1)
  }

  #begin(): void {
    if (this.#isOpen) return
    this.#database.exec('BEGIN')
    this.#isOpen = true
    setImmediate(() => this.flush())
  }

  /** A server's log still tells of streams that were removed, until it is scavenged. */
  #applied(event: StoredEvent): void {
    const { stream, type, data, time } = event
    const { id } = conversationPart(stream)
    const now = Date.parse(time)
    if (this.isRemoved(id)) return
    if (type === 'ConversationStarted') {
      this.#run(
        `INSERT OR IGNORE INTO conversation (id, bot, channel, channeltype, person, status, release, started, last, turns, retained)
         VALUES (?, ?, ?, ?, ?, 'idle', ?, ?, ?, 0, 0)`,
        ...[id, data.bot, data.channel, data.channeltype, data.person, data.release, now, now].map(plain),
      )
    }
    if (type === 'ConversationContinued') this.parts.continued(id, data)
    if (type === 'TurnTaken' || type === 'TurnFailed') {
      this.#run(
        `UPDATE conversation SET status = ?, turns = ?, retained = max(retained, ?), release = ?,
           ended = coalesce(ended, ?), reason = coalesce(reason, ?),
           block = CASE WHEN ? IN ('timeout', 'person') THEN block ELSE ? END WHERE id = ?`,
        plain(data.status),
        plain(data.turn),
        data.retained === true ? 1 : 0,
        plain(data.release),
        data.ended === undefined ? null : now,
        plain(data.ended),
        // Where it waits, or waited when its person was gone.
        plain(data.ended),
        plain((data.wait as { readonly block?: Json } | undefined)?.block),
        id,
      )
    }
    // When the clock comes next; an event that does not say so has it looked for once.
    if ('due' in data) this.setDue(id, typeof data.due === 'number' ? data.due : undefined)
    else if (type === 'TurnTaken' || type === 'TurnFailed' || type === 'ScheduleSkipped') this.setDue(id, 0)
    if (type === 'ConversationMoved') {
      this.#run('UPDATE conversation SET release = ? WHERE id = ?', plain(data.release), id)
    }
    this.#count(id, type, data, now)
    this.agents.apply(id, event)
    if (type === 'ConversationEnded') {
      this.#run(
        "UPDATE conversation SET status = 'ended', ended = ?, reason = ?, due = NULL WHERE id = ?",
        now,
        plain(data.reason),
        id,
      )
    }
    const claim = data.claim as { readonly node: string; readonly until: number } | undefined
    const ends = type === 'TurnTaken' || type === 'TurnFailed' || type === 'ConversationEnded'
    if (claim !== undefined || ends) {
      this.#run(
        'UPDATE conversation SET node = ?, until = ? WHERE id = ?',
        claim?.node ?? null,
        claim?.until ?? null,
        id,
      )
    }
    this.#run('UPDATE conversation SET last = ? WHERE id = ?', now, id)
  }

  /** What the event did at the blocks; the release is that of the turn. */
  #count(id: string, type: string, data: StoredEvent['data'], time: number): void {
    if (type !== 'TurnTaken' && type !== 'TurnFailed' && type !== 'ConversationEnded') return
    const row = this.get(id)
    if (row === undefined) return
    const of = { id, bot: row.bot, release: row.release, channel: row.channeltype, time }
    if (type === 'ConversationEnded') this.visits.ended(of, String(data.reason))
    else {
      this.visits.turned(of, data)
      this.unrecognized.turned(of, data)
    }
  }

  isRemoved(id: string): boolean {
    return this.#get('SELECT 1 FROM removed WHERE conversation = ?', id) !== undefined
  }

  /** Where the sums of a bot end, as far as this node knows. */
  dayTail(bot: string): Tail {
    const row = this.#get('SELECT revision, hash FROM daytail WHERE bot = ?', bot)
    return row === undefined ? NO_STREAM : { revision: Number(row.revision), hash: String(row.hash) }
  }

  bots(): readonly string[] {
    return this.#all('SELECT DISTINCT bot FROM conversation').map(({ bot }) => String(bot))
  }

  /** Conversations of a bot in which nothing happened since a moment and nothing is planned, the oldest first. */
  expired(bot: string, since: number, limit: number): readonly ConversationRecord[] {
    const rows = this.#all(
      'SELECT id FROM conversation WHERE bot = ? AND last < ? AND coalesce(due, 0) < ? ORDER BY last LIMIT ?',
      bot,
      since,
      since,
      limit,
    )
    return rows.flatMap(({ id }) => this.get(String(id)) ?? [])
  }

  /** Conversations that are summed up and whose streams may still be there, with how many parts they have. */
  leftovers(limit: number): readonly { readonly id: string; readonly parts: number }[] {
    const rows = this.#all('SELECT conversation AS id, parts FROM removed WHERE gone = 0 LIMIT ?', limit)
    return rows as unknown as readonly { id: string; parts: number }[]
  }

  removedCount(): number {
    return Number(this.#get('SELECT count(*) AS n FROM removed')?.n)
  }

  setGone(id: string): void {
    this.#run('UPDATE removed SET gone = 1 WHERE conversation = ?', id)
  }

  hasPerson(bot: string, person: string): boolean {
    return this.#get('SELECT 1 FROM conversation WHERE person = ? AND bot = ?', person, bot) !== undefined
  }

  setDue(id: string, due: number | undefined): void {
    this.#run('UPDATE conversation SET due = ? WHERE id = ?', due ?? null, id)
  }

  /** Those whose clock is due, the latest of them first. */
  due(now: number, limit: number): readonly string[] {
    return this.#all('SELECT id FROM conversation WHERE due <= ? ORDER BY due LIMIT ?', now, limit).map(({ id }) =>
      String(id),
    )
  }

  /** Those whose claim is past its end. */
  claimed(now: number, limit: number): readonly string[] {
    return this.#all('SELECT id FROM conversation WHERE until < ? ORDER BY until LIMIT ?', now, limit).map(({ id }) =>
      String(id),
    )
  }

  /** All that other nodes hold. */
  claimedByOthers(node: string): readonly string[] {
    return this.#all('SELECT id FROM conversation WHERE until IS NOT NULL AND node <> ?', node).map(({ id }) =>
      String(id),
    )
  }

  /** Those that one of these nodes holds. */
  claimedBy(nodes: readonly string[], limit: number): readonly string[] {
    const sql =
      'SELECT id FROM conversation WHERE until IS NOT NULL AND node IN (SELECT value FROM json_each(?)) LIMIT ?'
    return this.#all(sql, JSON.stringify(nodes), limit).map(({ id }) => String(id))
  }

  live(channel: string, person: string): string | undefined {
    const row = this.#get(
      "SELECT id FROM conversation WHERE person = ? AND channel = ? AND status <> 'ended' ORDER BY started DESC LIMIT 1",
      person,
      channel,
    )
    return row === undefined ? undefined : String(row.id)
  }

  get(id: string): ConversationRecord | undefined {
    return findConversation(this.#read, id)
  }

  list(bots: readonly string[], filter: ConversationFilter, page: number, size: number) {
    return listConversations(this.#read, bots, filter, page, size)
  }

  flush(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#database.exec('COMMIT')
  }

  close(): void {
    this.flush()
    this.#database.close()
  }

  #prepared(sql: string): StatementSync {
    const held = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, held)
    return held
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#prepared(sql).run(...values)
  }

  #get(sql: string, ...values: (string | number | null)[]) {
    return this.#prepared(sql).get(...values)
  }

  #all(sql: string, ...values: (string | number | null)[]) {
    return this.#prepared(sql).all(...values)
  }
}

const plain = (value: Json | undefined): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : null
