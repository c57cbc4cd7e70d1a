import type { JsonObject } from '#schemas/event.ts'

export interface Committed {
  readonly revision: number
  /** Absent when there was nothing to write. */
  readonly position?: string
}

export interface CommandResult extends Committed {
  readonly id: string
  readonly result?: JsonObject
}
