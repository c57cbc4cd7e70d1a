import type { AuditFigure } from '#schemas/api/query.ts'
import type { Json } from '#schemas/event.ts'
import type { FlowSource } from '#schemas/events/flow.ts'

export interface Change {
  /** Dotted. */
  readonly path: string
  readonly before: Json
  readonly after: Json
  /** A secret changed: before and after are null. */
  readonly secret?: true
}

export interface Person {
  readonly id: string
  readonly username: string | null
  readonly firstname?: string
  readonly lastname?: string
  readonly forgotten?: true
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
export interface ChangeKind {
  readonly entity: string
  readonly action: string
}
