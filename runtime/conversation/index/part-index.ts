import type { Json } from '#schemas/event.ts'
import { conversationStream } from '#schemas/events/conversation.ts'
import type { IndexDatabase } from '../../log/followed-index.ts'

export const PARTS = `
  CREATE TABLE IF NOT EXISTS part (
    conversation TEXT NOT NULL, part INTEGER NOT NULL, base INTEGER NOT NULL, PRIMARY KEY (conversation, part)
  ) STRICT, WITHOUT ROWID;
`

/** Start of each later part of conversations with many turns (RUNTIME 60). */
export class PartIndex {
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
