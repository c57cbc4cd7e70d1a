import type { DeskState } from '#domain/desk/place.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { type ReleasedWhy, userOfPlace } from '#schemas/events/desk.ts'
import { type IndexDatabase, plain } from '../../log/followed-index.ts'

export const DESK = `
  CREATE TABLE IF NOT EXISTS deskchat (
    conversation TEXT NOT NULL, n INTEGER NOT NULL, queue TEXT NOT NULL, status TEXT NOT NULL, since INTEGER NOT NULL,
    queued INTEGER NOT NULL, priority INTEGER NOT NULL, holder TEXT, slot TEXT, assigned INTEGER, first INTEGER,
    answered INTEGER NOT NULL DEFAULT 0, unanswered INTEGER, said INTEGER NOT NULL, snoozeduntil INTEGER, returned TEXT,
    closed INTEGER, reason TEXT, lastholder TEXT, lastheld INTEGER, freed TEXT, revision INTEGER NOT NULL,
    PRIMARY KEY (conversation, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS deskchat_status ON deskchat (status, queue);
  CREATE INDEX IF NOT EXISTS deskchat_holder ON deskchat (holder) WHERE holder IS NOT NULL;
  CREATE INDEX IF NOT EXISTS deskchat_closed ON deskchat (queue, closed) WHERE closed IS NOT NULL;
  CREATE TABLE IF NOT EXISTS deskplace (
    user TEXT PRIMARY KEY, state TEXT NOT NULL, reason TEXT, since INTEGER NOT NULL, until INTEGER,
    lastauto INTEGER NOT NULL DEFAULT 0, lastassigned INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deskslot (
    slot TEXT PRIMARY KEY, user TEXT NOT NULL, conversation TEXT NOT NULL, n INTEGER NOT NULL, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS deskslot_user ON deskslot (user);
`

/** Grows with each event of a conversation, over its parts. */
export const deskRevision = (part: number, revision: number): number => (part - 1) * 1_000_000 + revision

/** A chat at Parley's own desk. Times are ms since 1970. */
export interface DeskRow {
  readonly conversation: string
  readonly n: number
  readonly bot: string
  readonly channel: string
  readonly channeltype: string
  /** Id of the person's key. */
  readonly person: string
  readonly queue: string
  readonly status: 'waiting' | 'held' | 'snoozed' | 'closed'
  readonly since: number
  readonly queued: number
  readonly priority: number
  readonly holder: string | null
  readonly slot: string | null
  readonly assigned: number | null
  readonly answered: number
  readonly unanswered: number | null
  readonly said: number
  readonly snoozeduntil: number | null
  readonly returned: ReleasedWhy | null
  readonly closed: number | null
  readonly reason: string | null
  /** Reservation that it gave up last. */
  readonly freed: string | null
  readonly lastholder: string | null
  /** When its last holder held it last; null: now, or never. */
  readonly lastheld: number | null
  readonly revision: number
}

interface PlaceRow {
  readonly user: string
  readonly state: DeskState
  readonly reason: string | null
  readonly since: number
  readonly until: number | null
  readonly lastauto: number
  readonly lastassigned: number
}

interface SlotRow {
  readonly slot: string
  readonly user: string
  readonly conversation: string
  readonly n: number
  readonly at: number
}

const COLUMNS = `d.*, c.bot, c.channel, c.channeltype, c.person`
const FROM = 'FROM deskchat d JOIN conversation c ON c.id = d.conversation'
const OPEN = `status <> 'closed'`
/** The same, by the index of statuses. */
const OPENED = `status IN ('waiting', 'held', 'snoozed')`

/** Filter of a list of chats; a member that is absent does not filter. */
interface DeskFilter {
  readonly bots: readonly string[]
  readonly statuses?: readonly DeskRow['status'][]
  /** Only chats of these queues, or held by `orHolder`. */
  readonly queues?: readonly string[]
  readonly orHolder?: string
  readonly holder?: string
  readonly queue?: string
  readonly channeltype?: string
}

type Values = (string | number)[]

/** Part of an open chat that counts and lists of chats need. */
type OpenChat = Pick<DeskRow, 'conversation' | 'bot' | 'queue' | 'status' | 'holder' | 'lastholder'>

/** Events that begin a chat at the desk. */
const BEGINS: ReadonlySet<string> = new Set(['AgentQueued', 'AgentAssigned'])

/** Index of the chats at Parley's own desk and of its agents: built from the log, and disposable. */
export class DeskIndex {
  readonly #sql: IndexDatabase
  #isUsed: boolean | undefined
  /** Open chats, until the next event of a chat. */
  #open: readonly OpenChat[] | undefined

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  /** Whether a chat has ever been at the desk: nothing is looked up for the others. */
  get isUsed(): boolean {
    this.#isUsed ??= this.#sql.get('SELECT 1 FROM deskchat LIMIT 1') !== undefined
    return this.#isUsed
  }

  apply(conversation: string, part: number, { type, data, time, revision: own }: StoredEvent): void {
    if (BEGINS.has(type)) this.#isUsed = true
    if (!this.isUsed) return
    this.#open = undefined
    const at = Date.parse(time)
    const n = Number(data.n)
    const revision = deskRevision(part, own)
    const run = (sql: string, ...values: Values) => this.#sql.run(sql, ...values)
    const change = (set: string, ...values: Values) =>
      run(`UPDATE deskchat SET ${set} WHERE conversation = ? AND n = ? AND ${OPEN}`, ...values, conversation, n)
    const close = (reason: string) =>
      run(
        `UPDATE deskchat SET status = 'closed', closed = ?, reason = ?, lastholder = coalesce(holder, lastholder),
           lastheld = CASE WHEN holder IS NULL THEN lastheld ELSE ? END, holder = NULL, freed = slot, slot = NULL, snoozeduntil = NULL
         WHERE conversation = ? AND ${OPEN}`,
        ...[at, reason, at, conversation],
      )
    const put = (status: string, since: number) =>
      run(
        `INSERT OR IGNORE INTO deskchat (conversation, n, queue, status, since, queued, priority, said, unanswered, revision)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[conversation, n, String(data.queue), status, since, at, Number(data.priority ?? 0), at, at, revision],
      )
    switch (type) {
      case 'AgentQueued':
        put('waiting', typeof data.since === 'number' ? data.since : at)
        change(
          `status = 'waiting', queue = ?, queued = ?, priority = ?, holder = NULL, slot = NULL, snoozeduntil = NULL`,
          ...[String(data.queue), at, Number(data.priority ?? 0)],
        )
        break
      case 'AgentAssigned':
        put('held', at)
        change(
          `status = 'held', holder = ?, slot = ?, assigned = ?, first = coalesce(first, ?), answered = 0, returned = NULL,
             snoozeduntil = NULL`,
          ...[String(data.user), String(data.slot), at, at],
        )
        break
      case 'AgentReleased':
        change(
          `status = 'waiting', lastholder = coalesce(holder, lastholder), lastheld = ?, holder = NULL, freed = slot,
             slot = NULL, snoozeduntil = NULL, returned = ?`,
          ...[at, String(data.why)],
        )
        break
      case 'AgentSnoozed':
        change(`status = 'snoozed', freed = slot, slot = NULL, snoozeduntil = NULLIF(?, 0)`, Number(data.until ?? 0))
        break
      case 'AgentWoken':
        change(`status = 'held', snoozeduntil = NULL, slot = ?`, String(data.slot ?? ''))
        break
      case 'AgentPrioritized':
        change('priority = ?', Number(data.priority))
        break
      case 'AgentMoved':
        change('queue = ?', String(data.queue))
        break
      case 'AgentSaid':
        if (data.comment !== true) change('answered = 1, unanswered = NULL, said = ?', at)
        break
      case 'MessageReceived':
        run(
          `UPDATE deskchat SET unanswered = coalesce(unanswered, ?), said = ? WHERE conversation = ? AND ${OPEN}`,
          ...[at, at, conversation],
        )
        break
      case 'AgentLeft':
        close(String(data.key ?? data.reason))
        break
      case 'TurnTaken':
      case 'TurnFailed':
        if (data.status !== 'agent') close('person')
        break
      case 'ConversationEnded':
        close(String(data.reason))
        break
      default:
    }
    run(`UPDATE deskchat SET revision = ? WHERE conversation = ? AND ${OPEN}`, revision, conversation)
    if (n > 0) run('UPDATE deskchat SET revision = ? WHERE conversation = ? AND n = ?', revision, conversation, n)
  }

  /** Applies an event of an agent's places. */
  placed({ stream, type, data, time }: StoredEvent): void {
    const user = userOfPlace(stream)
    const at = Date.parse(time)
    switch (type) {
      case 'AgentStateChanged':
        this.#sql.run(
          `INSERT INTO deskplace (user, state, reason, since, until) VALUES (?1, ?2, ?3, ?4, ?5)
           ON CONFLICT (user) DO UPDATE SET state = ?2, reason = ?3, since = ?4, until = ?5`,
          ...[user, String(data.state), plain(data.reason), at, plain(data.until)],
        )
        break
      case 'SlotTaken':
        this.#sql.run(
          'INSERT OR REPLACE INTO deskslot (slot, user, conversation, n, at) VALUES (?, ?, ?, ?, ?)',
          ...[String(data.slot), user, String(data.conversation), Number(data.n), at],
        )
        this.#sql.run(
          `INSERT INTO deskplace (user, state, since, lastauto, lastassigned) VALUES (?1, 'offline', ?2, ?3, ?2)
           ON CONFLICT (user) DO UPDATE SET lastassigned = ?2, lastauto = CASE WHEN ?3 > 0 THEN ?3 ELSE lastauto END`,
          ...[user, at, data.auto === true ? at : 0],
        )
        break
      case 'SlotFreed':
        this.#sql.run('DELETE FROM deskslot WHERE slot = ?', String(data.slot))
        break
      default:
    }
  }

  remove(conversation: string): void {
    this.#open = undefined
    this.#sql.run('DELETE FROM deskchat WHERE conversation = ?', conversation)
  }

  /** The newest chat of a conversation. */
  get(conversation: string): DeskRow | undefined {
    return this.#one(`SELECT ${COLUMNS} ${FROM} WHERE d.conversation = ? ORDER BY d.n DESC LIMIT 1`, conversation)
  }

  waitingIn(queue: string): readonly DeskRow[] {
    return this.#rows(`SELECT ${COLUMNS} ${FROM} WHERE d.status = 'waiting' AND d.queue = ?`, queue)
  }

  /** Queues in which chats wait. */
  waitedIn(): readonly string[] {
    return this.#sql.all(`SELECT DISTINCT queue FROM deskchat WHERE status = 'waiting'`).map(row => String(row.queue))
  }

  /** Place of a waiting chat in the order of its queue, from 1; 0: it does not wait. */
  position(conversation: string): number {
    const found = this.#sql.get(
      `SELECT count(*) AS n FROM deskchat d JOIN deskchat o ON o.queue = d.queue AND o.status = 'waiting'
         AND (-o.priority, o.since, o.conversation) <= (-d.priority, d.since, d.conversation)
       WHERE d.conversation = ? AND d.status = 'waiting'`,
      conversation,
    )
    return Number(found?.n)
  }

  /** Open chats of a queue. */
  openIn(queue: string): number {
    return Number(this.#sql.get(`SELECT count(*) AS n FROM deskchat WHERE ${OPENED} AND queue = ?`, queue)?.n)
  }

  /** Chats of a queue that are open. */
  rowsIn(queue: string): readonly DeskRow[] {
    return this.#rows(`SELECT ${COLUMNS} ${FROM} WHERE d.${OPENED} AND d.queue = ?`, queue)
  }

  /** All open chats. */
  open(): readonly OpenChat[] {
    this.#open ??= this.#sql.all(
      `SELECT d.conversation, c.bot, d.queue, d.status, d.holder, d.lastholder ${FROM} WHERE d.${OPENED}`,
    ) as unknown as readonly OpenChat[]
    return this.#open
  }

  /** All chats with a holder. */
  held(): readonly DeskRow[] {
    return this.#rows(`SELECT ${COLUMNS} ${FROM} WHERE d.holder IS NOT NULL`)
  }

  /** The user who had a person of a bot last since a moment. */
  lastHolder(person: string, bot: string, since: number): string | undefined {
    const row = this.#sql.get(
      `SELECT d.lastholder ${FROM} WHERE c.person = ? AND c.bot = ? AND d.closed >= ? AND d.lastholder IS NOT NULL
       ORDER BY d.closed DESC LIMIT 1`,
      ...[person, bot, since],
    )
    return row === undefined ? undefined : String(row.lastholder)
  }

  /** ms between the first assignment and the end of the newest closed chats of a queue. */
  handled(queue: string, since: number, limit: number): readonly number[] {
    const sql = `SELECT closed - first AS ms FROM deskchat WHERE queue = ? AND closed >= ? AND first IS NOT NULL
      ORDER BY closed DESC LIMIT ?`
    return this.#sql.all(sql, queue, since, limit).map(({ ms }) => Number(ms))
  }

  places(): readonly PlaceRow[] {
    return this.#sql.all('SELECT * FROM deskplace') as unknown as readonly PlaceRow[]
  }

  place(user: string): PlaceRow | undefined {
    return this.#sql.get('SELECT * FROM deskplace WHERE user = ?', user) as unknown as PlaceRow | undefined
  }

  /** Number of places that each user has taken. */
  loads(): ReadonlyMap<string, number> {
    const rows = this.#sql.all('SELECT user, count(*) AS n FROM deskslot GROUP BY user')
    return new Map(rows.map(({ user, n }) => [String(user), Number(n)]))
  }

  load(user: string): number {
    return Number(this.#sql.get('SELECT count(*) AS n FROM deskslot WHERE user = ?', user)?.n)
  }

  slot(slot: string): SlotRow | undefined {
    return this.#sql.get('SELECT * FROM deskslot WHERE slot = ?', slot) as unknown as SlotRow | undefined
  }

  slots(): readonly SlotRow[] {
    return this.#sql.all('SELECT * FROM deskslot') as unknown as readonly SlotRow[]
  }

  /** Chats in an order of the list: `waiting` as the queue goes, `mine` by the longest unanswered. */
  list(filter: DeskFilter, order: 'waiting' | 'mine' | 'newest', page: number, size: number) {
    const { where, values } = conditions(filter)
    const total = Number(this.#sql.get(`SELECT count(*) AS n ${FROM} WHERE ${where}`, ...values)?.n)
    const items = this.#rows(
      `SELECT ${COLUMNS} ${FROM} WHERE ${where} ORDER BY ${ORDERS[order]}, d.conversation LIMIT ? OFFSET ?`,
      ...[...values, size, (page - 1) * size],
    )
    return { items, total }
  }

  #rows(sql: string, ...values: Values): readonly DeskRow[] {
    return this.#sql.all(sql, ...values) as unknown as readonly DeskRow[]
  }

  #one(sql: string, ...values: Values): DeskRow | undefined {
    return this.#sql.get(sql, ...values) as unknown as DeskRow | undefined
  }
}

const ORDERS = {
  waiting: 'd.priority DESC, d.since',
  mine: 'd.unanswered IS NULL, d.unanswered, d.said DESC',
  newest: 'd.closed IS NOT NULL, d.closed DESC, d.said DESC',
} as const

/** Only the newest chat of a conversation is a row. */
const NEWEST = 'd.n = (SELECT max(n) FROM deskchat o WHERE o.conversation = d.conversation)'

const conditions = (filter: DeskFilter): { readonly where: string; readonly values: Values } => {
  const where = [NEWEST, 'c.bot IN (SELECT value FROM json_each(?))']
  const values: Values = [JSON.stringify(filter.bots)]
  const add = (condition: string, ...given: readonly (string | undefined)[]) => {
    const known = given.filter(value => value !== undefined)
    if (known.length < given.length) return
    where.push(condition)
    values.push(...known)
  }
  add('d.status IN (SELECT value FROM json_each(?))', filter.statuses && JSON.stringify(filter.statuses))
  add(
    '(d.queue IN (SELECT value FROM json_each(?)) OR d.holder = ? OR d.lastholder = ?)',
    filter.queues && JSON.stringify(filter.queues),
    filter.orHolder ?? '',
    filter.orHolder ?? '',
  )
  add('d.holder = ?', filter.holder)
  add('d.queue = ?', filter.queue)
  add('c.channeltype = ?', filter.channeltype)
  return { where: where.join(' AND '), values }
}
