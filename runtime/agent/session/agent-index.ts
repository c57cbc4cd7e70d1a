import type { StoredEvent } from '#schemas/event.ts'
import type { Claim } from '#schemas/events/conversation.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'

export const AGENTS = `
  CREATE TABLE IF NOT EXISTS agenttalk (
    conversation TEXT NOT NULL, n INTEGER NOT NULL, channel TEXT NOT NULL, key TEXT NOT NULL,
    requested INTEGER NOT NULL, waiting INTEGER, closing INTEGER NOT NULL DEFAULT 0, node TEXT, until INTEGER NOT NULL,
    PRIMARY KEY (conversation, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS agenttalk_key ON agenttalk (key);
  CREATE INDEX IF NOT EXISTS agenttalk_until ON agenttalk (until);
  CREATE INDEX IF NOT EXISTS agenttalk_channel ON agenttalk (channel);
`

/** A person with an agent, or waiting for one. Times are ms since 1970. */
export interface AgentSessionEntry {
  readonly conversation: string
  readonly n: number
  readonly channel: string
  readonly requested: number
  /** Start of the wait; null: an agent is there. */
  readonly waiting: number | null
}

/** Index of the open chats with agents, in all conversations: built from the log, and disposable. */
export class AgentIndex {
  readonly #sql: IndexDatabase

  constructor(sql: IndexDatabase) {
    this.#sql = sql
  }

  apply(conversation: string, { type, data, time }: StoredEvent): void {
    const at = Date.parse(time)
    const n = Number(data.n)
    switch (type) {
      case 'AgentRequested':
        this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ?', conversation)
        this.#sql.run(
          `INSERT OR IGNORE INTO agenttalk (conversation, n, channel, key, requested, waiting, until)
           VALUES (?, ?, ?, ?, ?, ?, 0)`,
          ...[conversation, n, String(data.channel), String(data.key), at, at],
        )
        break
      case 'AgentLeased': {
        const lease = data.lease as unknown as Claim | undefined
        if (lease === undefined) break
        const sql = 'UPDATE agenttalk SET node = ?, until = ? WHERE conversation = ? AND n = ?'
        this.#sql.run(sql, lease.node, lease.until, conversation, n)
        break
      }
      case 'AgentQueued':
      case 'AgentWaiting':
        this.#sql.run(
          'UPDATE agenttalk SET waiting = coalesce(waiting, ?) WHERE conversation = ? AND n = ?',
          at,
          conversation,
          n,
        )
        break
      case 'AgentConnected':
        this.#sql.run('UPDATE agenttalk SET waiting = NULL WHERE conversation = ? AND n = ?', conversation, n)
        break
      case 'AgentLeft':
        if (data.open === true)
          this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ? AND n = ?', conversation, n)
        else this.#sql.run('DELETE FROM agenttalk WHERE conversation = ? AND n = ?', conversation, n)
        break
      case 'TurnTaken':
      case 'TurnFailed':
        if (data.status !== 'agent')
          this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ?', conversation)
        break
      case 'ConversationEnded':
        this.#sql.run('UPDATE agenttalk SET closing = 1 WHERE conversation = ?', conversation)
        break
      default:
    }
  }

  remove(conversation: string): void {
    this.#sql.run('DELETE FROM agenttalk WHERE conversation = ?', conversation)
  }

  /** The conversation whose chat has this key. */
  byKey(channel: string, key: string): { readonly conversation: string; readonly n: number } | undefined {
    const row = this.#sql.get('SELECT conversation, n FROM agenttalk WHERE key = ? AND channel = ?', key, channel)
    return row === undefined ? undefined : { conversation: String(row.conversation), n: Number(row.n) }
  }

  /** Conversations with a chat that no node drives, or that one of these nodes drove. */
  free(now: number, nodes: readonly string[], limit: number): readonly string[] {
    const sql = `SELECT DISTINCT conversation FROM agenttalk
      WHERE until < ? OR node IN (SELECT value FROM json_each(?)) LIMIT ?`
    return this.#sql.all(sql, now, JSON.stringify(nodes), limit).map(({ conversation }) => String(conversation))
  }

  /** Conversations with chats that other nodes drive. */
  ofOthers(node: string): readonly string[] {
    const sql = 'SELECT DISTINCT conversation FROM agenttalk WHERE node IS NULL OR node <> ?'
    return this.#sql.all(sql, node).map(({ conversation }) => String(conversation))
  }

  /** Channels with a waiting person. */
  waitedAt(): readonly string[] {
    return this.#sql
      .all('SELECT DISTINCT channel FROM agenttalk WHERE waiting IS NOT NULL AND closing = 0')
      .map(({ channel }) => String(channel))
  }

  /** Persons who wait at a channel or talk to its agents; the longest wait first. */
  at(channel: string, limit: number): readonly AgentSessionEntry[] {
    const sql = `SELECT conversation, n, channel, requested, waiting FROM agenttalk
      WHERE channel = ? AND closing = 0 ORDER BY waiting IS NULL, waiting, requested LIMIT ?`
    return this.#sql.all(sql, channel, limit).map(row => ({
      conversation: String(row.conversation),
      n: Number(row.n),
      channel: String(row.channel),
      requested: Number(row.requested),
      waiting: row.waiting === null ? null : Number(row.waiting),
    }))
  }
}
