import type { AuditFigure } from '#schemas/api/query.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FlowSource } from '#schemas/events/flow.ts'

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

export interface Change {
  /** Dotted. */
  readonly path: string
  readonly before: Json
  readonly after: Json
  /** A secret changed: before and after are null. */
  readonly secret?: true
  /** Words of people changed: before and after are null. */
  readonly words?: true
}

export interface Person {
  readonly id: string
  readonly username: string | null
  readonly firstname?: string
  readonly lastname?: string
  readonly forgotten?: true
  /** A service account, whose name is in `username`. */
  readonly kind?: 'service'
}

/** The API token of a request; its name is null once it is deleted for good. */
export interface TokenName {
  readonly id: string
  readonly name: string | null
}

export interface AuditQuery {
  readonly entity?: string | undefined
  readonly entityid?: string | undefined
  /** One of these ids. */
  readonly entityids?: readonly string[] | undefined
  readonly user?: string | undefined
  readonly action?: string | undefined
  /** The part of the program that wrote the line: equal to its entity. */
  readonly service?: string | undefined
  /** Id or name of a group, or of a role, that the person had when it happened. */
  readonly groups?: string | undefined
  readonly roles?: string | undefined
  /** Text in ids, names, values, addresses and names that were tried. */
  readonly search?: string | undefined
  /** Only changes of things: no sign-ins, locks, readings and exports. */
  readonly changes?: boolean | undefined
  /** Leaves out changes of the session's level and states of services. */
  readonly quiet?: boolean | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly hierarchy?: string | undefined
  readonly within?: string | undefined
  readonly figure?: AuditFigure | undefined
  readonly page: number
  readonly size: number
}

export interface AuditItem {
  readonly entity: string
  readonly entityid: string
  readonly name: string | null
  readonly action: string
  readonly service: string
  readonly user: Person | null
  /** Names as they are now; ids of what the user belonged to when it happened are in the line. */
  readonly groups: readonly string[]
  readonly roles: readonly string[]
  readonly hierarchy: string | null
  readonly time: string
  readonly revision: number
  /** Of edits of a flow: the revision before the first of them. */
  readonly since?: number
  readonly changes: readonly Change[]
  /** Null where none is known, or after its retention. */
  readonly origin: AuditOrigin | null
  readonly token?: TokenName
  /** Of a flow that a command changed: as in the flow's history. */
  readonly source?: FlowSource
}

/** Address and browser of the request. */
export interface AuditOrigin {
  readonly address: string
  readonly agent: string | null
  /** Name that was tried at sign-in, where no user has it. */
  readonly name?: string
}

/** A kind of change: `removed` of `dialog`. */
/** Time since when a thing has another, by the ids of both. */
export type Assignments = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface ChangeKind {
  readonly entity: string
  readonly action: string
}
