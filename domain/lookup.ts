import type { HypotheticalChange } from './people/directory.ts'

/** Something that points at something else. */
export interface Referrer {
  readonly target: string
  readonly entity: string
  readonly id: string
  readonly field: string
  /** Block of its flow that has the reference, if no field does. */
  readonly block?: string
}

/** `items` may be cut, `total` counts all. */
export interface Referrers {
  readonly items: readonly Referrer[]
  readonly total: number
}

/** HMACs of an account or a session at an identity provider. With `sid` the session counts, else the account. */
export interface ProviderSession {
  readonly provider: string
  readonly sub: string | undefined
  readonly sid: string | undefined
}

/** Facts about other entities for decisions. Implemented by the read models and injected by the composition root. */
export interface Lookup {
  /** Ids of what lies directly in an entity and is not removed: tasks of a bot, dialogs of a task, things of a level. */
  children(entity: string, id: string, child: string): Promise<readonly string[]>
  /** Live things, none of these, that hold one of these ids in a reference or in a block of their flow. */
  referrers(targets: readonly string[]): Promise<Referrers>
  /** Number of things, people and levels in a level (without removed ones). */
  occupants(level: string): Promise<number>
  /**
   * Users of the root level, neither locked nor removed, whose permissions administer users (ADMINISTRATION in
   * people/permission.ts), at present or under a supposition (`people/directory.ts` computes both).
   */
  administrators(supposing?: HypotheticalChange): Promise<readonly string[]>
  /** Ids of the live sessions of a user. */
  sessionsOf(user: string): Promise<readonly string[]>
  /** Ids of the live sessions that were begun with an account at an identity provider. */
  sessionsAt(session: ProviderSession): Promise<readonly string[]>
  /** The level and those above it up to the root, nearest first. */
  ancestors(level: string): Promise<readonly string[]>
  /** Present permissions of these groups, parents' roles included. */
  permissionsOfGroups(groups: readonly string[]): Promise<ReadonlySet<string>>
  permissionsOfRoles(roles: readonly string[]): Promise<ReadonlySet<string>>
  permissionsOfUser(user: string): Promise<ReadonlySet<string>>
  /** Present permissions of an API token, by its session id; none once it has ended. */
  permissionsOfToken(session: string): Promise<ReadonlySet<string>>
  /** Waits until what was written up to `position` can be looked up. */
  reached(position: string): Promise<void>
}
