import type { JsonObject } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'
import type { Result } from '#schemas/refusal.ts'
import type { Author } from '../pipeline/author.ts'

/** End of a process, and the reports of its steps, in order. */
export interface Ending {
  readonly position: string
  readonly told: readonly JsonObject[]
}

/**
 * Work across streams: starts with its whole plan, runs idempotent steps, finishes. While one works on an entity,
 * conflicting commands find it busy; after a crash it resumes.
 */
export interface Processes {
  /**
   * Returns its end; the refusal of its first step; `entity.busy` while another one runs. `isCurrent` is called once
   * the process blocks others: if the plan's basis changed before, the process is abandoned before its first step and
   * this throws `WrongRevision`.
   */
  carryOut(author: Author, plan: ProcessPlan, isCurrent?: () => Promise<boolean>): Promise<Result<Ending>>
  /** Starts a process on its own root and does not wait for its end. A root that has one keeps it. */
  begin(author: Author, plan: ProcessPlan): Promise<void>
  /** Result of the process that this author began on an entity, after its end; undefined when there is none. */
  begun(author: Author, root: string): Promise<Result<Ending> | undefined>
  isBusy(roots: readonly string[]): Promise<boolean>
  /** The newest plan of a kind about a thing. */
  latest(root: string, kind: ProcessPlan['kind']): Promise<ProcessPlan | undefined>
  /** Ends what a crash has left unfinished; about one thing, or all. */
  resume(root?: string): Promise<void>
}
