import type * as Y from 'yjs'
import type { FlowEdited } from '#schemas/events/flow.ts'
import type { FlowSummary } from '#schemas/flow/summary.ts'

/** Where a flow's log stands: the next append names it exactly. */
export interface FlowHead {
  readonly revision: number
  readonly hash: string
}

export interface LoadedFlow extends FlowHead {
  readonly doc: Y.Doc
  /** Yjs client ids that are bound to a user for good. */
  readonly bindings: ReadonlyMap<number, string>
}

/** One complete edit as the log holds it. */
export interface LoggedEdit extends FlowHead {
  readonly update: Uint8Array
  readonly bindings: FlowEdited['bindings']
  readonly eventIds: readonly string[]
}

export type RoomEdit = Omit<FlowEdited, 'update' | 'part' | 'summary'> & {
  readonly summary: FlowSummary

  readonly update: Uint8Array
  readonly actor: string | null
}

/** What rooms need of the log of flows; commands/flow-log keeps it. Errors are those of the store port. */
export interface RoomLog {
  load(flow: string): Promise<LoadedFlow>
  /** Edits after `revision`, complete groups only. */
  since(flow: string, revision: number): AsyncIterable<LoggedEdit>
  /** Throws WrongRevision when another writer came first. `eventIds` are those the events get, for recognising one's own. */
  append(
    flow: string,
    at: FlowHead,
    edit: RoomEdit,
    eventIds: readonly string[],
  ): Promise<FlowHead & { position: string }>
  /** Tells of each event of any flow's stream in log order; `lost` when it can no longer be followed, `kept` when it can again. */
  follow(listener: {
    appended(flow: string, event: { id: string; revision: number }): void
    lost(): void
    kept(): void
  }): () => Promise<void>
}
