import { type ChatFact, foldChatFact, newChatFact } from '#domain/desk/figures/chat-fact.ts'
import {
  CHANNEL_COUNTS,
  contributionChange,
  contributionOf,
  FIGURES_VERSION,
  figureKeyOf,
} from '#domain/desk/figures/contribution.ts'
import { type Duty, dutyUntil, foldDuty, NEW_DUTY } from '#domain/desk/figures/duty.ts'
import type { DESK_METRIC_GROUPS } from '#schemas/api/desk-metrics.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { userOfPlace } from '#schemas/events/desk.ts'
import { textOf } from '#schemas/json.ts'
import { dayOf } from '../../conversation/index/visit-index.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'
import { deskRevision } from '../desk/desk-index.ts'

export const FIGURES = `
  CREATE TABLE IF NOT EXISTS deskfact (
    conversation TEXT NOT NULL, n INTEGER NOT NULL, bot TEXT NOT NULL, revision INTEGER NOT NULL, fact TEXT NOT NULL,
    PRIMARY KEY (conversation, n)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deskduty (
    user TEXT PRIMARY KEY, revision INTEGER NOT NULL, duty TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deskfigure (
    day TEXT NOT NULL, bot TEXT NOT NULL, queue TEXT NOT NULL, reason TEXT NOT NULL, agent TEXT NOT NULL,
    what TEXT NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
    PRIMARY KEY (day, bot, queue, reason, agent, what, bucket)
  ) STRICT, WITHOUT ROWID;
`

/** One counter. `reason`: key of the reason, else the ending; empty while the chat is open. */
interface DeskFigure {
  readonly day: string
  readonly queue: string
  readonly reason: string
  readonly agent: string
  readonly what: string
  readonly bucket: number
  readonly n: number
}

/** Figures of a removed conversation, with the version of their definitions. */
export interface DeskFigureSum {
  readonly version: number
  readonly figures: readonly DeskFigure[]
}

export type FigureGroup = (typeof DESK_METRIC_GROUPS)[number]

/** Counts between two days, both included. `bots` and `queues`: those that may be seen; `agent`: only theirs. */
interface FigureFilter {
  readonly from: string
  readonly to: string
  readonly bots: readonly string[]
  readonly queues?: readonly string[] | undefined
  readonly agent?: string | undefined
}

interface FigureCount {
  readonly key: string
  readonly what: string
  readonly bucket: number
  readonly n: number
}

/** Events that change a chat which has no number in them. */
const OF_CONVERSATION = new Set(['MessageReceived', 'TurnTaken', 'TurnFailed', 'ConversationEnded'])
const OF_CHAT = new Set([
  ...['AgentQueued', 'AgentAssigned', 'AgentConnected', 'AgentReleased', 'AgentSnoozed', 'AgentWoken', 'AgentSaid'],
  ...['AgentMoved', 'AgentLeft', 'RatingAsked', 'ConversationRated', 'RatingSkipped'],
])

const ADD = `INSERT INTO deskfigure VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n`
const DROP = 'DELETE FROM deskfigure WHERE n = 0'

/**
 * Counters of the desk: the sums of the contributions of all chats, changed in the transaction that moves the position of
 * the index. Built from the log, and disposable.
 */
export class DeskFigures {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  /** Applies an event of a conversation; one that was applied before changes nothing. */
  apply(
    { id, bot, part }: { readonly id: string; readonly part: number; readonly bot: () => string },
    event: StoredEvent,
  ): void {
    const { type, data, time } = event
    const revision = deskRevision(part, event.revision)
    if (type === 'AgentRequested') {
      const fact = newChatFact(Date.parse(time), textOf(data.channel))
      this.#sql.run(
        'INSERT OR IGNORE INTO deskfact (conversation, n, bot, revision, fact) VALUES (?, ?, ?, ?, ?)',
        ...[id, Number(data.n), bot(), revision, JSON.stringify(fact)],
      )
    } else if (OF_CONVERSATION.has(type)) {
      for (const { n, bot: of, fact, revision: known } of this.#facts(id)) {
        if (known < revision && fact.left === undefined) this.#change({ id, bot: of, n, revision }, fact, event)
      }
    } else if (OF_CHAT.has(type) && typeof data.n === 'number') {
      const [found] = this.#facts(id, data.n)
      if (found !== undefined && found.revision < revision)
        this.#change({ id, bot: found.bot, n: data.n, revision }, found.fact, event)
    }
  }

  /** Applies an event of an agent's state and places. */
  placed(event: StoredEvent): void {
    const user = userOfPlace(event.stream)
    const row = this.#sql.get('SELECT revision, duty FROM deskduty WHERE user = ?', user)
    if (row !== undefined && Number(row.revision) >= event.revision) return
    const before = row === undefined ? NEW_DUTY : (JSON.parse(String(row.duty)) as Duty)
    for (const { day, available, busy } of dutyUntil(before, Date.parse(event.time))) {
      this.#sql.run(ADD, day, '', '', '', user, 'available.ms', 0, available)
      this.#sql.run(ADD, day, '', '', '', user, 'busy.ms', 0, busy)
    }
    const after = foldDuty(before, event)
    this.#sql.run(
      'INSERT OR REPLACE INTO deskduty (user, revision, duty) VALUES (?, ?, ?)',
      ...[user, event.revision, JSON.stringify(after)],
    )
  }

  /** Adds the figures of a conversation whose events were removed. */
  addSum(bot: string, { version, figures }: DeskFigureSum): void {
    if (version !== FIGURES_VERSION) return
    for (const { day, queue, reason, agent, what, bucket, n } of figures)
      this.#sql.run(ADD, day, bot, queue, reason, agent, what, bucket, n)
  }

  /** Returns all figures and empties the index. */
  drain(): DeskFigureSum {
    const figures = this.#sql.all('SELECT day, queue, reason, agent, what, bucket, n FROM deskfigure WHERE n <> 0')
    for (const table of ['deskfact', 'deskfigure']) this.#sql.run(`DELETE FROM ${table}`)
    return { version: FIGURES_VERSION, figures: figures as unknown as readonly DeskFigure[] }
  }

  /** Forgets the chats of a removed conversation; their counts stay. */
  close(conversation: string): void {
    this.#sql.run('DELETE FROM deskfact WHERE conversation = ?', conversation)
  }

  /** Counts by day, queue, agent or reason. */
  counts(by: FigureGroup, { from, to, bots, queues, agent }: FigureFilter): readonly FigureCount[] {
    const rows = this.#sql.all(
      `SELECT ${by} AS key, what, bucket, sum(n) AS n FROM deskfigure
       WHERE day BETWEEN ?1 AND ?2 AND bot IN (SELECT value FROM json_each(?3))
         AND (?4 IS NULL OR queue IN (SELECT value FROM json_each(?4))) AND (?5 IS NULL OR agent = ?5)
         AND what NOT LIKE 'channel.%'
       GROUP BY 1, 2, 3 HAVING sum(n) <> 0`,
      ...[from, to, JSON.stringify(bots), queues === undefined ? null : JSON.stringify(queues), agent ?? null],
    )
    return rows as unknown as readonly FigureCount[]
  }

  /** Waits that ended at an agent channel, of chats that were requested on a day: their number and ms, and who gave up. */
  channelDay(bot: string, channel: string, day: string): Readonly<Record<keyof typeof CHANNEL_COUNTS, number>> {
    const rows = this.#sql.all(
      'SELECT what, sum(n) AS n FROM deskfigure WHERE day = ? AND bot = ? AND agent = ? GROUP BY 1',
      ...[day, bot, channel],
    )
    const of = (name: string) => Number(rows.find(({ what }) => what === name)?.n ?? 0)
    return { waited: of(CHANNEL_COUNTS.waited), ms: of(CHANNEL_COUNTS.ms), givenup: of(CHANNEL_COUNTS.givenup) }
  }

  /** Available and busy ms of users by day, up to a moment. */
  duties(users: readonly string[], { from, to }: Pick<FigureFilter, 'from' | 'to'>, now: number) {
    const found = this.#sql.all(
      `SELECT agent AS user, day, sum(n) FILTER (WHERE what = 'available.ms') AS available,
         sum(n) FILTER (WHERE what = 'busy.ms') AS busy
       FROM deskfigure WHERE bot = '' AND day BETWEEN ? AND ? AND agent IN (SELECT value FROM json_each(?)) GROUP BY 1, 2`,
      ...[from, to, JSON.stringify(users)],
    ) as unknown as { user: string; day: string; available: number; busy: number | null }[]
    const open = users.flatMap(user => {
      const row = this.#sql.get('SELECT duty FROM deskduty WHERE user = ?', user)
      const parts = row === undefined ? [] : dutyUntil(JSON.parse(String(row.duty)) as Duty, now)
      return parts.filter(({ day }) => day >= from && day <= to).map(part => ({ user, ...part }))
    })
    return [...found.map(row => ({ ...row, busy: row.busy ?? 0 })), ...open]
  }

  /** All counters, in one order: two indexes of the same log have the same. */
  dump(): readonly object[] {
    return this.#sql.all('SELECT * FROM deskfigure WHERE n <> 0 ORDER BY day, bot, queue, reason, agent, what, bucket')
  }

  #facts(conversation: string, n?: number) {
    const sql = 'SELECT n, bot, revision, fact FROM deskfact WHERE conversation = ?1 AND (?2 IS NULL OR n = ?2)'
    return this.#sql.all(sql, conversation, n ?? null).map(row => ({
      n: Number(row.n),
      bot: String(row.bot),
      revision: Number(row.revision),
      fact: JSON.parse(String(row.fact)) as ChatFact,
    }))
  }

  #change(
    {
      id,
      bot,
      n,
      revision,
    }: { readonly id: string; readonly bot: string; readonly n: number; readonly revision: number },
    before: ChatFact,
    event: StoredEvent,
  ): void {
    const after = foldChatFact(before, event)
    // The dimensions of a chat change with it: its queue, and its reason once it has ended.
    const isMoved = before.queue !== after.queue || reasonOf(before) !== reasonOf(after)
    if (isMoved) {
      this.#add(bot, before, contributionChange(contributionOf(before), new Map()))
      this.#add(bot, after, contributionOf(after))
    } else this.#add(bot, after, contributionChange(contributionOf(before), contributionOf(after)))
    // A chat of another agent system, or one that the desk did not take.
    if (after.left !== undefined && !after.isDesk)
      return void this.#sql.run('DELETE FROM deskfact WHERE conversation = ? AND n = ?', id, n)
    this.#sql.run(
      'UPDATE deskfact SET revision = ?, fact = ? WHERE conversation = ? AND n = ?',
      ...[revision, JSON.stringify(after), id, n],
    )
  }

  #add(bot: string, fact: ChatFact, change: ReadonlyMap<string, number>): void {
    if (change.size === 0) return
    const day = dayOf(fact.requested)
    let isZero = false
    for (const [key, n] of change) {
      const { agent, what, bucket } = figureKeyOf(key)
      this.#sql.run(ADD, day, bot, fact.queue, reasonOf(fact), agent, what, bucket, n)
      isZero ||= n < 0
    }
    if (isZero)
      this.#sql.run(
        `${DROP} AND day = ? AND bot = ? AND queue = ? AND reason = ?`,
        day,
        bot,
        fact.queue,
        reasonOf(fact),
      )
  }
}

const reasonOf = ({ reason, ending }: ChatFact): string => reason || ending
