import type { DatabaseSync } from 'node:sqlite'
import type { Unrecognized } from '#domain/conversation/turn.ts'
import type { Json } from '#schemas/event.ts'

const SCHEMA = `
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
  readonly #statement: Readonly<Record<'keep' | 'remove' | 'newest', ReturnType<DatabaseSync['prepare']>>>

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA)
    this.#statement = {
      keep: database.prepare('INSERT OR REPLACE INTO unrecognized VALUES (?, ?, ?, ?, ?, ?, ?)'),
      remove: database.prepare('DELETE FROM unrecognized WHERE conversation = ?'),
      newest: database.prepare(
        `SELECT conversation, turn, bot, time, input, intent, confidence FROM unrecognized
         WHERE bot IN (SELECT value FROM json_each(?)) ORDER BY time DESC LIMIT ?`,
      ),
    }
  }

  /** Adds a stored turn. */
  turned(
    { id, bot, time }: { readonly id: string; readonly bot: string; readonly time: number },
    { turn, input, unrecognized }: Readonly<Record<string, Json>>,
  ): void {
    if (unrecognized === undefined || unrecognized === null) return
    const { intent, confidence } = unrecognized as unknown as Unrecognized
    this.#statement.keep.run(id, Number(turn), bot, time, Number(input), intent, confidence)
  }

  remove(conversation: string): void {
    this.#statement.remove.run(conversation)
  }

  /** Turns of these bots, newest first. */
  newest(bots: readonly string[], limit: number): readonly UnrecognizedTurn[] {
    return this.#statement.newest.all(JSON.stringify(bots), limit) as unknown as readonly UnrecognizedTurn[]
  }
}
