import type { JsonObject } from '#schemas/event.ts'
import type { ProcessPlan } from '#schemas/events/process.ts'
import type { Result } from '#schemas/refusal.ts'
import type { Author } from '../pipeline/author.ts'

/** Where a process ended, and what its steps had to tell of themselves, in their order. */
export interface Ending {
  readonly position: string
  readonly told: readonly JsonObject[]
}

/**
 * What spans streams: started with its whole plan, each step idempotent, finished. While one about a thing is under
 * way, whoever would contradict it finds it busy; after a crash it goes on where it was.
 */
export interface Processes {
  /**
   * How it ended; the refusal of its first step; `entity.busy` while another one is under way. `isCurrent` is asked once
   * the process keeps others out: where what the plan was made from has changed before, the process is abandoned before
   * its first step and this throws `WrongRevision`.
   */
  carryOut(author: Author, plan: ProcessPlan, isCurrent?: () => Promise<boolean>): Promise<Result<Ending>>
  /** Starts a process about a root of its own and does not wait for its end. A root that has one keeps it. */
  begin(author: Author, plan: ProcessPlan): Promise<void>
  /** How the process ended that this author began about a thing, once it has; undefined when there is none. */
  begun(author: Author, root: string): Promise<Result<Ending> | undefined>
  isBusy(roots: readonly string[]): Promise<boolean>
  /** The newest plan of a kind about a thing. */
  latest(root: string, kind: ProcessPlan['kind']): Promise<ProcessPlan | undefined>
  /** Ends what a crash has left unfinished; about one thing, or all. */
  resume(root?: string): Promise<void>
}
