import type { JsonObject } from '#schemas/event.ts'

export interface CommentQuery {
  readonly resolved?: boolean
  readonly block?: string
  readonly page: number
  readonly size: number
}

/** Summary of a flow for lists and cards. */
export interface FlowCard {
  readonly id: string
  readonly revision: number
  /** Of its last edit. */
  readonly time: string
  /** Newest first. */
  readonly editors: readonly {
    readonly person: { readonly id: string; readonly username: string | null }
    readonly time: string
  }[]
  readonly blocks: number
  /** [x, y, block type] of each block, top to bottom, at most 400. */
  readonly miniature: readonly (readonly [x: number, y: number, type: string])[]
}

/** Audit line types of flows, by action: one line per run of edits or per command. */
export const FLOW_LINE_TYPES = { edited: 'FlowEdited', imported: 'FlowImported', restored: 'FlowRestored' } as const

/** Those types as a list in SQL. */
export const FLOW_LINES_SQL = Object.values(FLOW_LINE_TYPES)
  .map(type => `'${type}'`)
  .join(', ')

export type { MessageMatrix } from '#schemas/api/message.ts'

/** Messages of a bot, or of a level, by code and language. */
export interface MessageQuery {
  readonly place: { readonly entity: 'bot' | 'hierarchy'; readonly id: string }
  readonly locales: readonly string[]
  /** Folded substring of code, namespace or text. */
  readonly search?: string
  /** Codes without a text: in any language, or in this one. */
  readonly missing?: string
  readonly page: number
  readonly size: number
}

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

/** Something that points at a thing. */
export interface Use {
  readonly entity: string
  readonly id: string
  readonly title: string
  /** Of a block, dotted within groups and lists. */
  readonly field: string
  /** The block of a flow that holds the reference; `dialog` is the flow's id, a handler's too. */
  readonly flow?: { readonly dialog: string; readonly block: string }
}

/** `total` and `kinds` count what the caller may see, `hidden` counts the rest. */
export interface UsedBy {
  readonly items: readonly Use[]
  readonly total: number
  readonly hidden: number
  readonly kinds: readonly { readonly entity: string; readonly total: number }[]
}

/** A field whose stored value holds a text that was looked for. */
export interface FieldText {
  readonly entity: string
  readonly id: string
  readonly title: string
  readonly field: string
  /** As it is stored: JSON where it is structured. */
  readonly value: string
}
