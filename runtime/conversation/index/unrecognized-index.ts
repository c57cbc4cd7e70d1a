import type { Unrecognized } from '#domain/conversation/turn.ts'
import type { Json } from '#schemas/event.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'

export const UNRECOGNIZED = `
  CREATE TABLE IF NOT EXISTS unrecognized (
    conversation TEXT NOT NULL, turn INTEGER NOT NULL, bot TEXT NOT NULL, time INTEGER NOT NULL, input INTEGER NOT NULL,
    intent TEXT, confidence REAL NOT NULL, PRIMARY KEY (conversation, turn)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS unrecognized_bot ON unrecognized (bot, time);
`

/** A turn whose text was not recognized, without the text. */
export interface UnrecognizedTurn extends Unrecognized {
  readonly conversation: string
  readonly turn: number
  readonly bot: string
  /** ms since 1970 */
  readonly time: number
  /** Revision of the message in the conversation's stream. */
  readonly input: number
}

/** Index of the turns whose text was not recognized. */
export class UnrecognizedIndex {
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
