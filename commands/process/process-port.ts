import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { JsonObject, StoredEvent } from '#schemas/event.ts'
import type { BatchPlan, ProcessPlan } from '#schemas/events/entity.ts'
import type { Refusal, Result } from '#schemas/refusal.ts'
import { packText } from '../packed-text.ts'
import type { Author } from '../pipeline/append.ts'
import type { Caller, Command, Outcome } from '../port.ts'
import { WrongRevision } from '../store/port.ts'
import { TimeSlicer } from '../time-slicer.ts'

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

/** Starter of a process, and the source of all its ids. */
export interface Starter {
  readonly caller: Caller
  readonly seed: string
  readonly correlation: string
}

/** The basis of a plan changed before its first step: none of the plan is carried out, decide again. */
export class PlanOutdated extends WrongRevision {}

/** Characters from which on a plan is packed, to fit into one event. */
const LONG = 300_000

/** A plan as it is stored. */
export const packPlan = async (plan: ProcessPlan): Promise<JsonObject> => {
  const { steps, ...rest } = plan
  const slices = new TimeSlicer()
  const texts: string[] = []
  let length = 0
  for (const step of steps) {
    const text = JSON.stringify(step)
    texts.push(text)
    length += text.length
    await slices.pause()
  }
  const head = `${JSON.stringify(rest).slice(0, -1)},"steps":[`
  if (head.length + length <= LONG) return plan
  const { packed } = await packText(planText(head, texts))
  return { kind: plan.kind, root: plan.root, packed: Buffer.concat(packed).toString('base64') }
}

async function* planText(head: string, steps: readonly string[]): AsyncGenerator<string> {
  yield head
  for (const [index, text] of steps.entries()) yield index === 0 ? text : `,${text}`
  yield ']}'
}

export const unpackPlan = async ({ data }: StoredEvent): Promise<ProcessPlan> =>
  typeof data.packed === 'string'
    ? JSON.parse((await promisify(gunzip)(Buffer.from(data.packed, 'base64'))).toString())
    : (data as JsonObject & ProcessPlan)

/** Result of a process step. */
export interface StepResult {
  readonly refusal?: Refusal
  /** Report of the step for callers that wait for the process. */
  readonly told?: JsonObject
}

export interface StepContext {
  /** Ids that copied flows refer to, and what they then refer to. */
  readonly ids: NonNullable<ProcessPlan['ids']>
  /** An earlier attempt at the step may have written. */
  readonly resumed: boolean
  readonly batch?: BatchPlan | undefined
  /** Carries a command out under a seed; `resumed`: it may have been carried out before. */
  readonly execute: (command: Command, seed: string, resumed: boolean) => Promise<Outcome>
}
