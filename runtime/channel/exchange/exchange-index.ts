import { type FailureCause, failureCause, type HealthSlot, type Trouble } from '#domain/channel-health.ts'
import { isBrought } from '#schemas/channel-type.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX, conversationPart, DELIVERY_PREFIX, INBOX_PREFIX } from '#schemas/events/conversation.ts'
import { FollowedIndex, plain } from '../../log/followed-index.ts'

/** An index of another version is rebuilt from the log. */
const VERSION = 5
/** Time during which new messages are left to the node that wrote them. */
const OTHERS_MS = 5_000
/** Length of the slots in which events of a channel are counted. */
const SLOT_MS = 600_000

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS talk (
    conversation TEXT PRIMARY KEY, channel TEXT NOT NULL, type TEXT NOT NULL, person TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS person (
    channel TEXT NOT NULL, person TEXT NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (channel, person)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS inbox (stream TEXT PRIMARY KEY, until INTEGER, time INTEGER NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS inbox_until ON inbox (until) WHERE until IS NOT NULL;
  CREATE TABLE IF NOT EXISTS outbox (
    conversation TEXT PRIMARY KEY, last INTEGER NOT NULL, due INTEGER, answers TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due) WHERE due IS NOT NULL;
  CREATE TABLE IF NOT EXISTS sent (
    channel TEXT NOT NULL, id TEXT NOT NULL, conversation TEXT NOT NULL, message TEXT NOT NULL, part INTEGER NOT NULL,
    PRIMARY KEY (channel, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS sent_conversation ON sent (conversation);
  CREATE TABLE IF NOT EXISTS unrouted (
    stream TEXT PRIMARY KEY, family TEXT NOT NULL, number TEXT NOT NULL, kind TEXT NOT NULL, time INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS unrouted_number ON unrouted (family, number);
  CREATE TABLE IF NOT EXISTS pulse (
    channel TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (channel, kind, at)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS seen (
    family TEXT NOT NULL, number TEXT NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (family, number)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS trouble (
    channel TEXT NOT NULL, source TEXT NOT NULL, cause TEXT NOT NULL, code TEXT NOT NULL,
    since INTEGER NOT NULL, last INTEGER NOT NULL, PRIMARY KEY (channel, source)
  ) STRICT, WITHOUT ROWID;
`

/** A part of a bot's message that was sent to a provider. */
export interface SentPart {
  readonly conversation: string
  readonly message: string
  readonly part: number
}

/** Events of the last days that came for a number without a channel. */
interface UnroutedNumber {
  readonly family: string
  readonly number: string
  readonly count: number
  readonly last: number
}

/** A conversation with messages that are due. */
interface DueConversation {
  readonly id: string
  /** REST channel whose answers are all that it may have to send; undefined when there may be more. */
  readonly answers?: string
}

/** Index of waiting events and messages, and of the providers' message ids: built from the log, safe to delete. */
export class ExchangeIndex extends FollowedIndex {
  #touched = new Set<string>()

  constructor(file: string) {
    super(file, { version: VERSION, schema: SCHEMA })
  }

  protected change(event: StoredEvent): void {
    if (event.stream.startsWith(INBOX_PREFIX)) this.#inbox(event)
    else if (event.stream.startsWith(DELIVERY_PREFIX)) this.#delivery(event)
    else if (event.stream.startsWith(CONVERSATION_PREFIX)) this.#conversation(event)
  }

  #inbox({ stream, type, data, time }: StoredEvent): void {
    if (type === 'ChannelEventUnrouted')
      this.sql.run(
        'INSERT OR IGNORE INTO unrouted (stream, family, number, kind, time) VALUES (?, ?, ?, ?, ?)',
        ...[stream, plain(data.family), plain(data.number), plain(data.kind), Date.parse(time)],
      )
    else if (type === 'ChannelEventHandled')
      this.sql.run('UPDATE inbox SET until = ? WHERE stream = ?', plain(data.due), stream)
    else {
      if (type === 'ChannelEventReceived' && data.kind === 'message') {
        this.#beat(String(data.channel), 'in', Date.parse(time))
        this.sql.run(
          `INSERT INTO seen (family, number, last) VALUES (?, ?, ?)
           ON CONFLICT (family, number) DO UPDATE SET last = max(last, excluded.last)`,
          ...[String(data.family ?? ''), String(data.to ?? ''), Date.parse(time)],
        )
      }
      const until = Number((data.claim as { readonly until?: number } | undefined)?.until ?? 0)
      this.sql.run(
        'INSERT INTO inbox (stream, until, time) VALUES (?, ?, ?) ON CONFLICT (stream) DO UPDATE SET until = excluded.until',
        stream,
        until,
        Date.parse(time),
      )
    }
  }

  /** Counts an event for the health of its channel; one that is read twice counts twice. */
  #beat(channel: string, kind: HealthSlot['kind'], time: number): void {
    this.#touched.add(channel)
    this.sql.run(
      `INSERT INTO pulse (channel, kind, at, count, last) VALUES (?, ?, ?, 1, ?)
       ON CONFLICT (channel, kind, at) DO UPDATE SET count = count + 1, last = max(last, excluded.last)`,
      ...[channel, kind, time - (time % SLOT_MS), time],
    )
  }

  /** Stores a failure that concerns the whole channel; it counts until the same source reports a success. */
  #fails(
    channel: string,
    source: 'send' | 'receipt',
    told: { readonly code: string; readonly cause: FailureCause },
    time: number,
  ) {
    this.sql.run(
      `INSERT INTO trouble (channel, source, cause, code, since, last) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (channel, source) DO UPDATE SET cause = excluded.cause, code = excluded.code, last = excluded.last`,
      ...[channel, source, told.cause, told.code, time, time],
    )
  }

  #works(channel: string, source: 'send' | 'receipt'): void {
    this.sql.run('DELETE FROM trouble WHERE channel = ? AND source = ?', channel, source)
  }

  /** Counts the outcome of a send or of a receipt for the health of the channel. */
  #outcome({ stream, type, data, time: at }: StoredEvent): void {
    if (typeof data.channel !== 'string') return
    const { channel } = data
    const time = Date.parse(at)
    const code = typeof data.reason === 'string' && data.reason !== '' ? data.reason : String(data.code ?? '')
    const cause = failureCause(code)
    if (type === 'DeliverySent') {
      // Answers of REST channels are counted with their turns.
      const talk = this.sql.get('SELECT type FROM talk WHERE conversation = ?', stream.slice(DELIVERY_PREFIX.length))
      if (talk?.type !== 'rest') this.#beat(channel, 'sent', time)
      this.#works(channel, 'send')
    } else if (type === 'DeliveryDelayed') {
      this.#beat(channel, 'retried', time)
      this.#fails(channel, 'send', { code, cause: cause ?? 'refused' }, time)
    } else if (type === 'DeliveryFailed') {
      this.#beat(channel, 'failed', time)
      const isOfChannel = data.code === 'tries' || data.code === 'unknown'
      if (cause !== undefined || isOfChannel) this.#fails(channel, 'send', { code, cause: cause ?? 'refused' }, time)
    } else if (type === 'DeliveryReceipt' && data.status === 'failed') {
      for (const kind of ['receipt', 'failed'] as const) this.#beat(channel, kind, time)
      if (cause !== undefined) this.#fails(channel, 'receipt', { code, cause }, time)
    } else if (type === 'DeliveryReceipt') {
      this.#beat(channel, 'receipt', time)
      this.#works(channel, 'receipt')
    }
  }

  #delivery(event: StoredEvent): void {
    const { stream, type, data } = event
    const conversation = stream.slice(DELIVERY_PREFIX.length)
    this.#outcome(event)
    if (type === 'DeliverySent' && typeof data.id === 'string' && data.id !== '')
      this.sql.run(
        'INSERT OR REPLACE INTO sent (channel, id, conversation, message, part) VALUES (?, ?, ?, ?, ?)',
        ...[data.channel, data.id, conversation, data.message, data.part].map(plain),
      )
    if (type === 'DeliveryReceipt') return
    const settled = Number(data.settled ?? 0)
    // A turn later than the settled position keeps the conversation due.
    const due = data.due === null ? null : Number(data.due)
    const left = this.sql.get('SELECT last FROM outbox WHERE conversation = ?', conversation)
    const isLeft = due === null && Number(left?.last ?? 0) > settled
    if (!isLeft) this.sql.run('UPDATE outbox SET due = ? WHERE conversation = ?', due, conversation)
  }

  #conversation({ stream, type, data, time }: StoredEvent): void {
    const { id } = conversationPart(stream)
    if (type === 'ConversationStarted' && (isBrought(String(data.channeltype)) || data.channeltype === 'webchat'))
      this.sql.run(
        'INSERT OR REPLACE INTO talk (conversation, channel, type, person) VALUES (?, ?, ?, ?)',
        ...[id, data.channel, data.channeltype, data.person].map(plain),
      )
    if (type === 'MessageReceived') this.#answered(id, 'in', Date.parse(time))
    if (type === 'MessageReceived')
      this.sql.run(
        `INSERT INTO person (channel, person, last)
           SELECT channel, person, ? FROM talk WHERE conversation = ? AND type <> 'webchat'
         ON CONFLICT (channel, person) DO UPDATE SET last = max(last, excluded.last)`,
        typeof data.written === 'number' ? data.written : Date.parse(time),
        id,
      )
    if (type !== 'TurnTaken' && type !== 'TurnFailed' && type !== 'AgentSaid') return
    const isSaid = type === 'AgentSaid' || (Array.isArray(data.blocks) && data.blocks.length > 0)
    const known = isSaid ? this.#answered(id, 'sent', Date.parse(time)) : undefined
    const talk = known?.type === 'webchat' ? undefined : known
    const isElsewhere = Number(data.elsewhere ?? 0) > 0
    if (talk === undefined && !isElsewhere) return
    this.sql.run(
      `INSERT INTO outbox (conversation, last, due, answers) VALUES (?, ?, ?, ?)
       ON CONFLICT (conversation) DO UPDATE SET last = excluded.last, due = coalesce(due, excluded.due),
         answers = CASE WHEN due IS NULL OR answers IS NOT NULL THEN excluded.answers END`,
      id,
      Date.parse(time),
      Date.parse(time) + OTHERS_MS,
      talk?.type === 'rest' && !isElsewhere ? String(talk.channel) : null,
    )
  }

  /** Counts messages of channels without a provider: no event of an exchange has them. Returns the conversation's row. */
  #answered(conversation: string, kind: 'in' | 'sent', time: number) {
    const talk = this.sql.get('SELECT channel, type FROM talk WHERE conversation = ?', conversation)
    if (talk?.type === 'webchat' || talk?.type === 'rest') this.#beat(String(talk.channel), kind, time)
    return talk
  }

  /** ms since 1970 of a person's last message on a channel; 0: none. */
  lastWord(channel: string, person: string): number {
    return Number(this.sql.get('SELECT last FROM person WHERE channel = ? AND person = ?', channel, person)?.last ?? 0)
  }

  /** Events of providers that no node is processing any more. */
  leftInbox(now: number, limit: number): readonly string[] {
    const rows = this.sql.all('SELECT stream FROM inbox WHERE until < ? ORDER BY until, time LIMIT ?', now, limit)
    return rows.map(({ stream }) => String(stream))
  }

  /** All waiting events, including those that a node is processing. */
  waitingInbox(): readonly string[] {
    return this.sql
      .all('SELECT stream FROM inbox WHERE until IS NOT NULL ORDER BY time')
      .map(({ stream }) => String(stream))
  }

  /** Events that were processed before a moment. */
  oldInbox(before: number, limit: number): readonly string[] {
    const rows = this.sql.all('SELECT stream FROM inbox WHERE until IS NULL AND time < ? LIMIT ?', before, limit)
    return rows.map(({ stream }) => String(stream))
  }

  forgetInbox(stream: string): void {
    for (const table of ['inbox', 'unrouted']) this.sql.run(`DELETE FROM ${table} WHERE stream = ?`, stream)
  }

  hasInbox(stream: string): boolean {
    return this.sql.get('SELECT 1 FROM inbox WHERE stream = ?', stream) !== undefined
  }

  /** Events without a channel that came before a moment. */
  oldUnrouted(before: number, limit: number): readonly string[] {
    const rows = this.sql.all('SELECT stream FROM unrouted WHERE time < ? LIMIT ?', before, limit)
    return rows.map(({ stream }) => String(stream))
  }

  /** Numbers without a channel, with their events, newest first. */
  unrouted(): readonly UnroutedNumber[] {
    return this.sql
      .all('SELECT family, number, count(*) AS count, max(time) AS last FROM unrouted GROUP BY family, number')
      .map(row => ({
        ...{ family: String(row.family), number: String(row.number) },
        ...{ count: Number(row.count), last: Number(row.last) },
      }))
      .sort((one, other) => other.last - one.last)
  }

  /** Counted events by channel: of some channels, or of all. */
  pulses(since: number, channels?: readonly string[]): ReadonlyMap<string, readonly HealthSlot[]> {
    const sql = 'SELECT channel, kind, at, count, last FROM pulse WHERE'
    const rows =
      channels === undefined
        ? this.sql.all(`${sql} at >= ? ORDER BY at`, since)
        : this.sql.all(
            `${sql} channel IN (SELECT value FROM json_each(?)) AND at >= ? ORDER BY at`,
            JSON.stringify(channels),
            since,
          )
    return Map.groupBy(
      rows.map(row => ({
        ...{ channel: String(row.channel), kind: String(row.kind) as HealthSlot['kind'], at: Number(row.at) },
        ...{ count: Number(row.count), last: Number(row.last) },
      })),
      ({ channel }) => channel,
    )
  }

  /** Channels with events since the last call. */
  takeTouched(): ReadonlySet<string> {
    const touched = this.#touched
    this.#touched = new Set()
    return touched
  }

  /** The newest trouble of each channel that has one. */
  troubles(): ReadonlyMap<string, Trouble> {
    const rows = this.sql.all('SELECT * FROM trouble ORDER BY last')
    return new Map(
      rows.map(({ channel, cause, code, since, last }) => [
        String(channel),
        { cause: String(cause) as FailureCause, code: String(code), since: Number(since), last: Number(last) },
      ]),
    )
  }

  /** ms since 1970 of the last message that people wrote to a number; 0: none that is still known. */
  lastSeen(family: string, number: string): number {
    return Number(this.sql.get('SELECT last FROM seen WHERE family = ? AND number = ?', family, number)?.last ?? 0)
  }

  /** Conversations whose messages wait, by channel. */
  waiting(): ReadonlyMap<string, number> {
    const sql = `SELECT talk.channel AS channel, count(*) AS count FROM outbox JOIN talk USING (conversation)
       WHERE due IS NOT NULL AND talk.type <> 'webchat' GROUP BY talk.channel`
    return new Map(this.sql.all(sql).map(({ channel, count }) => [String(channel), Number(count)]))
  }

  dropPulse(before: number): void {
    this.sql.run('DELETE FROM pulse WHERE at < ?', before)
    this.sql.run('DELETE FROM seen WHERE last < ?', before)
  }

  /** No message up to a moment is pending; later messages are checked at `next`. ms since 1970. */
  setSent(conversation: string, until: number, next: number): void {
    const sql = 'UPDATE outbox SET due = CASE WHEN last > ? THEN ? END WHERE conversation = ?'
    this.sql.run(sql, until, next, conversation)
  }

  /** Time of the next check; undefined: nothing is pending. */
  setDue(conversation: string, due: number | undefined): void {
    this.sql.run('UPDATE outbox SET due = ? WHERE conversation = ?', due ?? null, conversation)
  }

  /** The answers of a REST channel need not be sent. */
  dropAnswers(conversation: string): void {
    this.sql.run('UPDATE outbox SET due = NULL WHERE conversation = ? AND answers IS NOT NULL', conversation)
  }

  due(now: number, limit: number): readonly DueConversation[] {
    const sql = 'SELECT conversation, answers FROM outbox WHERE due <= ? ORDER BY due LIMIT ?'
    return this.sql.all(sql, now, limit).map(({ conversation, answers }) => ({
      id: String(conversation),
      ...(typeof answers === 'string' ? { answers } : {}),
    }))
  }

  /** Conversations with pending deliveries. */
  unsettled(): readonly string[] {
    return this.sql.all('SELECT conversation AS id FROM outbox WHERE due IS NOT NULL').map(({ id }) => String(id))
  }

  /** Number of conversations with pending deliveries. */
  backlog(): number {
    return Number(this.sql.all('SELECT count(*) AS count FROM outbox WHERE due IS NOT NULL')[0]?.count ?? 0)
  }

  /** Conversations of a channel with pending deliveries. */
  unsettledOf(channel: string): readonly string[] {
    return this.sql
      .all(
        'SELECT conversation AS id FROM outbox JOIN talk USING (conversation) WHERE due IS NOT NULL AND channel = ?',
        channel,
      )
      .map(({ id }) => String(id))
  }

  sent(channel: string, id: string): SentPart | undefined {
    const row = this.sql.get('SELECT * FROM sent WHERE channel = ? AND id = ?', channel, id)
    return row === undefined
      ? undefined
      : { conversation: String(row.conversation), message: String(row.message), part: Number(row.part) }
  }

  forget(conversation: string): void {
    for (const table of ['sent', 'outbox', 'talk'])
      this.sql.run(`DELETE FROM ${table} WHERE conversation = ?`, conversation)
  }
}
