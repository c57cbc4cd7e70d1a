import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { Tools } from './command-context.ts'
import type { Committed } from './commit.ts'
import type { Run } from './run.ts'

export interface Done extends Committed {
  readonly id: string
  readonly result?: JsonObject
}

/** One attempt at a command; throws `WrongRevision` to be tried again from the start. */
export type Attempt = (tools: Tools, run: Run) => Promise<Result<Done>>
