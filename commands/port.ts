import { randomUUID } from 'node:crypto'
import type { BotNames } from '#domain/conversation-test/check-names.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FileValue } from '#schemas/field/value-schema.ts'
import type { FieldError, Refusal } from '#schemas/refusal.ts'

/** Identity of the caller, for commands. Built by the gateway from a session, or by the system. */
export interface Caller {
  /** User id; null is the system (start-up, processes resumed, the command line). */
  readonly user: string | null
  /** Session id (a hash, never the token); null without one. */
  readonly session: string | null
  /** Level the session works in: the default for what is made. */
  readonly level: string
  /** Levels at and below the user's home level. Empty for the system, which may reach all. */
  readonly subtree: ReadonlySet<string>
  /** `readbot`, `publishdialog`, menu actions … ; the system holds every one. */
  permits(permission: string): boolean
  /** Provisions people for an identity provider, which chooses their names. */
  readonly provisions?: boolean
  /** The same caller with the rights of this moment; undefined once the session has ended. Absent: the rights can not change. */
  refresh?(): Promise<Caller | undefined>
}

export interface Command {
  /** Entity name: `bot`. */
  readonly entity: string
  /** `create`, `change`, `remove`, `restore`, or a named command: `start`, `publish`, `lock` … */
  readonly action: string
  /** Empty for `create`: the id is then derived from the idempotency key or random. */
  readonly id: string
  readonly input: JsonObject
  /** Bytes that the input names by their hash: an uploaded file, in pieces. */
  readonly content?: readonly Uint8Array[]
  readonly caller: Caller
  /** If-Match of a change: the revision it was made against. */
  readonly revision?: number
  /** If-Match of other commands: required revision of the target; of the flow for a flow change. */
  readonly only?: number
  /** Idempotency-Key with what scopes it (user, method, path) and the hash of the body. */
  readonly key?: { readonly value: string; readonly method: string; readonly path: string; readonly body: string }
  readonly correlation: string
  /** Seed of all ids, if several nodes may run the same command: the first one writes. */
  readonly seed?: string
}

export type Outcome =
  | {
      readonly ok: true
      readonly id: string
      readonly revision: number
      /** Position to wait for before answering; undefined when nothing was written. */
      readonly position?: string
      /** Further result of the command, e.g. a new password. */
      readonly result?: JsonObject
      /** A secret that is answered once: it is kept for no repeated request. */
      readonly once?: JsonObject
      /** The answer was remembered from an earlier request with the same Idempotency-Key. */
      readonly repeated?: boolean
    }
  | { readonly ok: false; readonly refusal: Refusal }

/** The only writer of domain events outside flow rooms. */
export interface CommandHandler {
  execute(command: Command): Promise<Outcome>
}

/** Start-up, the command line and what nobody asked for: may do everything. */
export const systemCaller = (level = ''): Caller => ({
  user: null,
  session: null,
  level,
  subtree: new Set(),
  permits: () => true,
})

/** A command that nobody asked for. */
export const systemCommand = (command: Pick<Command, 'entity' | 'action' | 'id' | 'input'>): Command => ({
  ...command,
  caller: systemCaller(),
  correlation: randomUUID(),
})

/**
 * A person in the steps of their own sign-in: they reach themselves alone. `origin`: id of the session or attempt whose
 * address and browser are known.
 */
export const ownCaller = (
  person: { readonly id: string; readonly level: string },
  origin: string | null = null,
): Caller => ({
  user: person.id,
  session: origin,
  level: person.level,
  subtree: new Set([person.level]),
  permits: () => true,
})

/** Checks of files that people wrote, for a caller of a level. They reject with `WorkBusy` when they cannot be made now. */
export interface Checks {
  /** Errors of the file of a conversation test. Without `names` its form alone is checked. */
  testFile(source: string, names: BotNames | undefined, level: string): Promise<readonly FieldError[]>
  /** Result of a compose file's check, as it is stored. */
  compose(source: string, level: string): Promise<Json>
}

/** Checks on the thread of the caller. Their code is loaded with the first one: few gateways get such a file. */
export const INLINE_CHECKS: Checks = {
  testFile: async (source, names) =>
    (await import('#domain/conversation-test/behaviour.ts')).testFileErrors(source, names),
  compose: async source => (await import('#domain/compose/check-compose.ts')).composeChecked(source),
}

/** An upload as it is kept. */
export interface StoredFile extends FileValue {
  /** User id of the person who uploaded it. */
  readonly owner: string
}

/** File storage, as used by commands. */
export interface Files {
  /** Undefined for what is not there, or was never used and is about to be swept. */
  find(id: string): Promise<StoredFile | undefined>
  /** Exempts a file from the sweep of unused uploads, for ever: a restore may need it. May be repeated. */
  keep(id: string): Promise<void>
}

/** Without storage there is no file. */
export const NO_FILES: Files = { find: async () => undefined, keep: async () => undefined }
