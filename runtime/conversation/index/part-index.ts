import type { DatabaseSync } from 'node:sqlite'
import type { Json } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS part (
    conversation TEXT NOT NULL, part INTEGER NOT NULL, base INTEGER NOT NULL, PRIMARY KEY (conversation, part)
  ) STRICT, WITHOUT ROWID;
`

/** Start of each later part of conversations with many turns (RUNTIME 60). */
export class PartIndex {
  readonly #statement: Readonly<Record<'keep' | 'remove' | 'newest' | 'at', ReturnType<DatabaseSync['prepare']>>>

  constructor(database: DatabaseSync) {
    database.exec(SCHEMA)
    this.#statement = {
      keep: database.prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?)'),
      remove: database.prepare('DELETE FROM part WHERE conversation = ?'),
      newest: database.prepare('SELECT max(part) AS part FROM part WHERE conversation = ?'),
      at: database.prepare(
        'SELECT part, base FROM part WHERE conversation = ? AND base < ? ORDER BY part DESC LIMIT 1',
      ),
    }
  }

  /** Records a part that begins. */
  continued(conversation: string, { bases }: Readonly<Record<string, Json>>): void {
    const all = bases as readonly number[]
    this.#statement.keep.run(conversation, all.length, all.at(-1) ?? 0)
  }

  remove(conversation: string): void {
    this.#statement.remove.run(conversation)
  }

  /** Number of the newest known part, from 1. */
  newest(conversation: string): number {
    return Number(this.#statement.newest.get(conversation)?.part ?? 1)
  }

  /** Stream and revision of an event whose given revision is counted through all parts. */
  at(conversation: string, revision: number): { readonly stream: string; readonly revision: number } {
    const { part, base } = this.#statement.at.get(conversation, revision) ?? { part: 1, base: 0 }
    return { stream: conversationStream(conversation, Number(part)), revision: revision - Number(base) }
  }
}
