import type { Checkpoint } from '../message.ts'
import { type StatementCache, stringOf } from '../statement-cache.ts'

const NONE: Checkpoint = { position: '', seq: 0, last: null }

export const readCheckpoint = (statements: StatementCache): Checkpoint => {
  const row = statements.get("SELECT value FROM meta WHERE key = 'checkpoint'")
  return row === undefined ? NONE : (JSON.parse(stringOf(row, 'value')) as Checkpoint)
}

export const writeCheckpoint = (statements: StatementCache, checkpoint: Checkpoint): void => {
  statements.run("INSERT OR REPLACE INTO meta VALUES ('checkpoint', ?)", JSON.stringify(checkpoint))
}
