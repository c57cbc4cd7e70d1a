import type { JsonObject } from '#schemas/event.ts'

/** Something that others may want to know, as it happens: told to who reads that entity within the level, but the actors. */
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
  /** Told to these people alone, as far as they read the entity. */
  readonly recipients?: readonly string[]
}
