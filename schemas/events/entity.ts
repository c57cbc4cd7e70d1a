import { z } from 'zod'
import type { Json, JsonObject } from '../event.ts'

/**
 * Data of every event in an entity's stream `<entity>-<id>`, declared or custom (`BotStarted`, `DialogPublished`):
 * `fields` holds the new values of the changed fields (of all fields for Created and Restored), so that lists, details,
 * history and audit are built from any entity's events in one way. Secrets are {"$secret": …}, personal values
 * {"$personal": …}. The verb of an event is its type without the entity's prefix, lower case: `published`.
 */
const entityEventSchema = z.object({
  fields: z.record(z.string(), z.json() as z.ZodType<Json>),
  /** Restored or changed by restoring: the revision the values come from. */
  from: z.int().optional(),
  /** Its cause besides the caller, e.g. {kind: 'version', id}. */
  source: z.object({ kind: z.string(), id: z.string().optional() }).optional(),
})

export type EntityEvent = z.infer<typeof entityEventSchema>

export const entityStream = (entity: string, id: string): string => `${entity}-${id}`
/** `BotStarted` of `Bot` → `started`. */
export const verbOf = (prefix: string, type: string): string =>
  (type.startsWith(prefix) ? type.slice(prefix.length) : type).toLowerCase()
/** The place that a sealed secret or personal value is tied to: it opens nowhere else. */
export const sealContext = (entity: string, id: string, field: string): string => `${entity}-${id}.${field}`

/**
 * Events in `audit-<id>`, shaped like events of an entity, so that the audit lists them.
 * - `AuditExported`: a user exported lines of the audit; `fields` are the filter and the format.
 * - `ConversationForgotten`: the words of a person in `fields.conversation` can no longer be read.
 * - `ContactForgotten`: the data of `fields.contact` can no longer be read.
 * - `ContactsExported`, `ContactsRemoved`, `ContactsCopied`: a user exported, removed or copied contacts of
 *   `fields.campaign`, `fields.contactlist` or `fields.segment`.
 * - `NumberSuppressed`, `NumberResumed`, `NumbersImported`, `NumbersExported`: a user changed or exported a list of
 *   opted-out numbers; no field contains a number.
 * - `ConversationTakenOver`, `ConversationAssigned`, `ConversationTransferred`, `ConversationPrioritized`,
 *   `ConversationClosed`: a user acted on a chat at the desk that another one held, or that a bot had.
 * - `ConversationBegun`: a user wrote first to the person of the ended conversation `fields.after`.
 * - `ConversationTemplateSent`: a user sent `fields.template` in a chat at the desk; no value is kept here.
 * - `ConversationRevealed`: a user asked to see a chat of another one, or a hidden number, for `fields.reason`.
 * - `DeskExported`: a user exported figures of the desk; `fields` are their days and their grouping.
 * - `PersonalValuesSent`: `fields.count` events with personal values of users went out, for `fields.reason`: to
 *   `fields.webhook`, or, where it is null, in an answer to the actor.
 * - `AgentStateSet`: a supervisor set the state of `fields.user` as an agent.
 */
export const auditStream = (id: string): string => `audit-${id}`

/** Stream of the processes about one thing, one after the other; while one is under way it keeps others out. */
export const processStream = (root: string): string => `process-${root}`

/** Stream of the rows that a process over many things goes through, sealed: its command first, then batches of rows. */
export const batchStream = (root: string): string => `batch-${root}`

export type EventSource = {
  readonly kind: string
  readonly id?: string
}

/** As in domain/expression/engine.ts. */
type ParserName = 'Jexl' | 'ExprEval' | 'JsonAta'

type Fields = Readonly<Record<string, Json>>
type On = {
  readonly entity: string
  readonly id: string
}

/** One step of a process. Each may be carried out again after a crash and then changes nothing more. */
export type Step =
  | (On & {
      readonly do: 'create'
      readonly level: string | null
      readonly fields: Fields
      readonly source?: EventSource
    })
  | (On & { readonly do: 'change'; readonly fields: Fields; readonly source: EventSource })
  /** `only`: the revision that the plan was made from; of the first step alone, without which the process is abandoned. */
  | (On & { readonly do: 'remove'; readonly source: EventSource; readonly only?: number })
  /** Brings a removed thing back, with these fields changed. */
  | (On & { readonly do: 'restore'; readonly fields: Fields; readonly source: EventSource })
  /** The restore that a person asked for: the one step that may be refused, and then ends the process. */
  | (On & { readonly do: 'bringback'; readonly input: JsonObject })
  /** Clears what still refers to a removed thing. */
  | (On & { readonly do: 'clearholders' })
  /** Removes what came into it after the plan was made. */
  | (On & { readonly do: 'sweep' })
  | (On & { readonly do: 'publish'; readonly flowrevision: number })
  /** A custom event of an entity: `DialogTaskPublished`. */
  | (On & { readonly do: 'record'; readonly verb: string; readonly fields: Fields; readonly only?: number })
  /** Makes a flow what another one was at a revision, ids replaced as the plan says. */
  | (On & {
      readonly do: 'copyflow'
      readonly from: string
      readonly revision: number
    })
  /** Keeps the present state of a bot as a version. */
  | (On & { readonly do: 'keepversion'; readonly bot: string; readonly name: string })
  /** Versions of the bot that were made before this one are the latest no more. */
  | (On & { readonly do: 'supersede'; readonly bot: string })
  /** Makes a flow what a version's content has at a path (domain/version.ts). */
  | (On & {
      readonly do: 'applyflow'
      readonly version: string
      readonly path: readonly (string | number)[]
      /** The flow published at the version's source, instead of the drawing. */
      readonly part?: 'release'
    })
  /** Publishes a flow as a version of another bot made it, or at `drawn` where it was like that already. */
  | (On & { readonly do: 'publishapplied'; readonly version: string; readonly drawn: number })
  /** As it was stored until 2026-11: the dialog or handler `index` of the task `task`. */
  | (On & {
      readonly do: 'applyflow'
      readonly version: string
      readonly task: number
      readonly index: number
    })
  /** Gives a variable another name wherever a flow says it, in the language of the bot's expressions. */
  | (On & { readonly do: 'renameinflow'; readonly from: string; readonly to: string; readonly parser: ParserName })
  /** Replaces what a search found, in these places of a flow. */
  | (On & {
      readonly do: 'replaceinflow'
      readonly text: string
      readonly isExact: boolean
      readonly isWholeWord: boolean
      readonly by: string
      readonly parser: ParserName
      readonly hits: readonly {
        readonly block: string
        readonly path: readonly string[]
        readonly at?: number
        readonly offset: number
      }[]
    })

  /** Carries a command out for each row of a batch: the event at `revision` of the batch stream, its command at `from`. */
  | (On & { readonly do: 'batch'; readonly from: number; readonly revision: number })

/** A process over many things acts with the level and subtree that its starter had, and the rights they have now. */
export type BatchPlan = {
  readonly action: string
  readonly total: number
  readonly level: string
  readonly subtree: readonly string[]
  /** Rows of an import that it need not go through. */
  readonly unchanged?: number
}

/**
 * Data of `ProcessStarted`. A very long plan is stored as {kind, root, packed}: `packed` is its JSON, gzip, base64.
 * `ProcessStepDone` holds {step, told?}: `told` is the result for the caller. `ProcessFinished` holds {refusal?}, or
 * {abandoned} when the plan was outdated before its first step.
 */
export type ProcessPlan = {
  readonly kind:
    | 'remove'
    | 'restore'
    | 'publishall'
    | 'duplicate'
    | 'version'
    | 'apply'
    | 'renamevariable'
    | 'replacetext'
    | 'bulk'
    | 'import'
    | 'upload'
    | 'undo'
    | 'default'
  readonly root: string
  readonly steps: readonly Step[]
  /** Replaced ids in copies of flows: original to copy. */
  readonly ids?: Readonly<Record<string, string>>
  readonly batch?: BatchPlan
}
