import type { RoleHolders } from '#domain/people/directory.ts'
import type { Place } from '#domain/public-event.ts'
import type { BotOverview } from '#schemas/api/bot-overview.ts'
import type { Dashboard } from '#schemas/api/home.ts'
import type { EntityName } from '#schemas/entities/registry.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { SignInWay } from '#schemas/events/session.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'
import type { NamedRow } from '#schemas/row.ts'
import type {
  Assignments,
  AuditItem,
  AuditOrigin,
  AuditQuery,
  Change,
  ChangeKind,
  CommentQuery,
  FieldText,
  FlowCard,
  MessageMatrix,
  MessageQuery,
  Notice,
  Person,
  TokenName,
  UsedBy,
} from './query-results.ts'

export type { NamedRow, Row, RowOf } from '#schemas/row.ts'
export type { AuditOrigin, Change, Person } from './query-results.ts'

declare const scoped: unique symbol

/**
 * Visibility of a query; every query needs one. Created only by `scopeOf` in `projections/scope.ts`. `home` is the top
 * level for opening by id, `level` the top level for lists, search, counts and audit; null is the system's, which sees
 * all.
 */
export interface Scope {
  readonly [scoped]: true
  readonly user: string | null
  readonly home: string | null
  readonly level: string | null
  /** Entities whose `read<entity>` the caller holds; 'all' for the system. */
  readonly readable: ReadonlySet<string> | 'all'
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly page: number
  readonly size: number
}

export interface ListQuery {
  /** Folded (case, accents) substring of the declaration's search fields. */
  readonly search?: string
  /** `field` or `-field`; default: newest first. */
  readonly sort?: string
  readonly page: number
  readonly size: number
  /** field → value or, for a range, {from?, to?}; already checked against the declaration. */
  readonly filter: Readonly<Record<string, Json>>
  readonly hierarchylevel?: string
  /** Things of the caller's whole subtree, not of the session's level alone. */
  readonly home?: boolean
  /** Lists what was removed instead of what is there. */
  readonly removed?: boolean
}

/** All items of a list over its pages; no items above the requested limit. */
export interface Selection {
  readonly items: readonly { readonly id: string; readonly revision: number }[]
  readonly total: number
}

export interface HistoryItem {
  readonly revision: number
  readonly type: string
  readonly time: string
  readonly actor: Person | null
  readonly token?: TokenName
  /** The event's verb: created, changed, removed, restored, published … */
  readonly action: string
  readonly changes: readonly Change[]
}

export interface Level {
  readonly id: string
  readonly name: string
  readonly parent: string | null
  /** Undefined for who may not read levels. */
  readonly usergroup?: string | null
}

/** A live session, readable without a database query: the gateway and the rooms check against it. */
export interface Access {
  readonly user: string
  readonly session: string
  readonly username: string
  readonly home: string
  readonly level: string
  readonly permissions: ReadonlySet<string>
  /** ISO time of its sign-in. */
  readonly started: string
  /** ISO time of expiry. */
  readonly expires: string
  /** Undefined for a token. */
  readonly way?: SignInWay
  /** The viewer, while the session shows another person's view: the rest is of that person, and nothing is written. */
  readonly seenBy?: Pick<Access, 'user' | 'username'>
  /** The API token of a request without a session; `user` is its holder, a user or a service account. */
  readonly token?: TokenAccess
}

interface TokenAccess {
  /** SHA-256 of the token. */
  readonly id: string
  readonly kind: 'service' | 'person'
  readonly name: string
  /** Addresses and networks that it is accepted from; any, if there is none. */
  readonly addresses: readonly string[]
  /** Requests a minute, where the token has its own limit. */
  readonly rate: number | null
}

/** A use of a token, as its row shows it. */
export interface TokenUse {
  readonly token: string
  readonly at: string
  readonly from: string
}

/** `lacking`: without the right, or the person may do what the session may not. */
export type Viewable = 'yes' | 'hidden' | 'lacking'

export interface FlowMoment {
  readonly revision: number
  readonly time: string
  readonly authors: readonly Person[]
  readonly summary: FlowSummary
  /** With `fold`: the first of the revisions that are joined. */
  readonly first?: number
  /** Origin when it was not drawn: {kind: 'restore'|'import'|'version'|'paste', revision?, version?}. */
  readonly source?: JsonObject
}

export interface NotificationQuery {
  readonly unread?: boolean
  /** The entity that it is about: `bot`. */
  readonly scope?: string
  /** From 1. */
  readonly page: number
  readonly size: number
}

export interface Notification {
  readonly id: string
  readonly message: string
  readonly params: JsonObject
  readonly time: string
  /** Number of events: edits of a flow by the same people on one day are grouped, with the newest time. */
  readonly counter: number
  readonly notificationType: 'alert' | 'warn' | 'info'
  readonly scope: string
  readonly hierarchy: string | null
  readonly entity?: string
  readonly entityid?: string
  readonly actor?: Person
  readonly read: boolean
}

export interface Applied {
  readonly position: string
  /** Entities changed by the batch, by name; flows as `flow`. */
  readonly touched: readonly { readonly entity: string; readonly id: string }[]
  /** New notices; empty while catching up. */
  readonly notices: readonly Notice[]
}

export interface Comment {
  readonly id: string
  readonly revision: number
  /** Mentions appear as `<@id>`, see `mentioned`. */
  readonly text: string
  readonly author: Person | null
  readonly mentioned: readonly Person[]
  readonly created_at: string
  readonly edited_at: string | null
}

/** The first comment of a thread and what was answered. */
export interface CommentThread extends Comment {
  readonly block: string
  /** It was removed and stays for its answers, without its text. */
  readonly withdrawn: boolean
  readonly resolved: boolean
  readonly resolved_by: Person | null
  readonly resolved_at: string | null
  readonly answers: readonly Comment[]
}

/** Read side of one node. Rows come from its own SQLite file, by workers; `access` is kept in this thread. */
export interface ReadModels {
  list<N extends string>(scope: Scope, entity: N, query: ListQuery): Promise<Page<NamedRow<N>>>
  /** All items of a list over its pages, in its order; no items above `limit`. */
  selection(scope: Scope, entity: string, query: Omit<ListQuery, 'page' | 'size'>, limit: number): Promise<Selection>
  /** Rows by id, in that order; omits removed ones and those outside the session's level. */
  rows<N extends string>(scope: Scope, entity: N, ids: readonly string[]): Promise<readonly NamedRow<N>[]>
  /** Undefined: no such thing, or outside the caller's home subtree. Removed ones only with `removed`. */
  detail<N extends string>(
    scope: Scope,
    entity: N,
    id: string,
    options?: { removed?: boolean },
  ): Promise<NamedRow<N> | undefined>
  /** Things in the caller's home subtree that hold or ever held a file; undefined: nothing ever did. */
  fileHolders(
    scope: Scope,
    file: string,
  ): Promise<readonly { readonly entity: string; readonly id: string }[] | undefined>
  hierarchyOf(scope: Scope, entity: string, id: string): Promise<string | undefined>
  history(
    scope: Scope,
    entity: string,
    id: string,
    page: { after: number; size: number },
  ): Promise<{ items: readonly HistoryItem[]; total: number } | undefined>
  /** The fields as they stood at a revision; undefined: no such thing or revision. */
  at(scope: Scope, entity: string, id: string, revision: number): Promise<JsonObject | undefined>
  audit(scope: Scope, query: AuditQuery): Promise<Page<AuditItem>>
  /** Address and browser of sessions, by their ids; absent where none is known. */
  origins(sessions: readonly string[]): Promise<Readonly<Record<string, AuditOrigin>>>
  /** Counts per bucket for the histogram of the audit page: [{from, count}], oldest first. */
  auditActivity(scope: Scope, query: AuditQuery, buckets: number): Promise<readonly { from: string; count: number }[]>
  /** Levels at and below the caller's home, sorted by name without case. */
  levels(scope: Scope): Promise<readonly Level[]>
  people(scope: Scope, ids: readonly string[]): Promise<readonly Person[]>
  notifications(
    scope: Scope,
    query: NotificationQuery,
  ): Promise<Page<Notification> & { unread: number; scopes: readonly string[] }>
  /** Ids of notifications and of those grouped with them. */
  joinedNotifications(scope: Scope, ids: readonly string[]): Promise<readonly string[]>
  /** Threads about a flow (`kind` dialog or handler) and how many of each block are open; undefined: no such flow. */
  comments(
    scope: Scope,
    kind: string,
    flow: string,
    query: CommentQuery,
  ): Promise<(Page<CommentThread> & { open: Readonly<Record<string, number>> }) | undefined>
  /** Readers of a flow, by name, at most `size`; undefined: no such flow. */
  readers(
    scope: Scope,
    kind: string,
    flow: string,
    query: { search: string; size: number },
  ): Promise<readonly Person[] | undefined>
  flowHistory(
    scope: Scope,
    flow: string,
    query: { after: number; size: number; fold: boolean },
  ): Promise<{ items: readonly FlowMoment[]; total: number } | undefined>
  /** Cards of the flows that are there and may be opened, in no order. */
  flows(scope: Scope, ids: readonly string[]): Promise<readonly FlowCard[]>
  /** Yjs client ids of a flow and the users they are bound to. */
  bindings(flow: string): Promise<readonly { readonly client: number; readonly user: string }[]>
  /** Newest keyframe at or before a revision: a Yjs state (v1 update). Undefined: start from nothing. */
  keyframe(flow: string, atMost: number): Promise<{ revision: number; hash: string; state: Uint8Array } | undefined>
  /**
   * Home page data beyond lists: recent flows with a miniature, recent changes, items that need the caller; `mayUnlock`:
   * with the locked people.
   */
  home(scope: Scope, mayUnlock: boolean): Promise<JsonObject>
  /** Activity of the last `days` days until `now` (ms), counted per day. */
  dashboard(scope: Scope, days: number, now: number): Promise<Dashboard>
  /** Overview of a bot until `now` (ms). Undefined: no such bot, or outside the caller's home subtree. */
  botOverview(
    scope: Scope,
    bot: string,
    now: number,
  ): Promise<Omit<BotOverview, 'editing' | 'talked' | 'webchat'> | undefined>
  /** Finds across entities by name, for the search box: [{entity, id, name, parents}]. */
  search(scope: Scope, text: string, size: number): Promise<readonly JsonObject[]>
  /** References to an entity or its contents, by kind of holder; undefined: no such entity. */
  usedBy(scope: Scope, entity: string, id: string, page: { page: number; size: number }): Promise<UsedBy | undefined>
  fieldsWithText(scope: Scope, text: string, limit: number): Promise<readonly FieldText[]>
  /** Titles by entity and id; removed or invisible ones are absent. */
  names(
    scope: Scope,
    ids: Readonly<Record<string, readonly string[]>>,
  ): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>>
  /** Level and bot by entity and id, of removed things too; unreachable ones are absent. */
  places(
    scope: Scope,
    ids: Readonly<Record<string, readonly string[]>>,
  ): Promise<Readonly<Record<string, Readonly<Record<string, Place>>>>>
  /** Messages of a bot or level for each code, with their origin; undefined: no such place. */
  messages(scope: Scope, query: MessageQuery): Promise<MessageMatrix | undefined>
  /** People with a permission at a level: home at or above it. */
  holdersAt(permission: string, level: string): readonly string[]
  /** Holders of a role, by their groups and the groups above these. */
  roleHolders(role: string): readonly RoleHolders[]
  /** Kinds of changes since a time (ms): entity and audit action, each once. */
  changeKinds(users: readonly string[], since: number): Promise<readonly ChangeKind[]>
  /** The same by person. */
  changeKindsOf(users: readonly string[], since: number): Promise<Readonly<Record<string, readonly ChangeKind[]>>>
  /** Since when users and service accounts have their groups, and groups their roles and parents. */
  assignments(entity: 'user' | 'serviceaccount' | 'usergroup', ids: readonly string[]): Promise<Assignments>
  /** People whose home is a level or below it, with any of these permissions, locked ones included. */
  holdersBelow(permissions: ReadonlySet<string>, level: string | null): readonly string[]
  /**
   * By the session id (hash of the token). Undefined: unknown here; `commands/people/session.ts` reads its stream before
   * it is refused.
   */
  access(session: string): Access | undefined
  /** Shows a use of an API token in its row; no event has it, and a rebuilt file forgets it. */
  tokenUsed(use: TokenUse): void
  /** Whether a session may view as a person; `hidden`: the person is outside its levels. */
  viewable(session: string, person: string): Viewable
  /** Sessions of a user, for revocation. */
  sessionsOf(user: string): readonly Access[]
  /** Called after each applied batch. Returns an unsubscriber. */
  onApplied(listener: (applied: Applied) => void): () => void
  /** Called after each applied batch that touched things of these entities, with these things. Returns an unsubscriber. */
  onTouched(entities: readonly (EntityName | 'session')[], listener: (touched: Applied['touched']) => void): () => void
  /** Resolves true when `position` is shown here, false after `ms`. */
  reached(position: string, ms?: number): Promise<boolean>
  status(): {
    readonly position: string
    readonly behind: number
    /** Calls of `reached` that resolved false at their limit, since the start. */
    readonly lateWaits: number
    readonly ready: boolean
    readonly reason?: string
  }
  close(): Promise<void>
}
