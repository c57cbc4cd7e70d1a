import type { JsonObject } from '#schemas/event.ts'

/** A live notice: sent to readers of the entity within the level, except its actors. */
export interface Notice {
  readonly id: string
  /** `dialog.updated`, `handler.updated`, `bot.started`, `bot.stopped`, `user.locked`, `version.applied`, `dialog.published` … */
  readonly message: string
  readonly params: JsonObject
  readonly time: string
  readonly notificationType: 'alert' | 'warn' | 'info'
  readonly hierarchy: string | null
  readonly entity: string
  readonly entityid: string
  readonly actors: readonly string[]
  /** Sent to these people only, if they can read the entity. */
  readonly recipients?: readonly string[]
}
