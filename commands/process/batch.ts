import type { JsonObject } from '#schemas/event.ts'
import { type BatchPlan, batchStream, type Step } from '#schemas/events/entity.ts'
import { tokenOfSession } from '#schemas/events/origin.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { type Author, append, derivedId, draft, endOf } from '../pipeline/append.ts'
import type { CommandContext } from '../pipeline/command-context.ts'
import type { Caller, Command } from '../port.ts'
import type { StepContext, StepResult } from './process-port.ts'

/** The command of a process over many things. */
export type BatchCommand = { readonly action: string; readonly input: JsonObject }

/** One entity of it; has its own command if the rows of a process differ. */
export type BatchRow = {
  readonly id: string
  /** Revision at selection: rows changed since are refused, or merged by a change. */
  readonly revision?: number
  readonly command?: BatchCommand
  /** Its record in an imported file. */
  readonly row?: number
}

/** A row that was refused, as `ProcessStepDone` tells it. */
export type RefusedRow = { readonly id: string; readonly row?: number; readonly refusal: Refusal }

/** Result of a batch. `written`: id, revision after, action. */
export type BatchResult = {
  readonly done: number
  readonly refused: readonly RefusedRow[]
  readonly written: readonly (readonly [id: string, revision: number, action: string])[]
}

/** Rows of one step: progress is sent after each. */
const SMALL_BATCH = 10
const LARGE_BATCH = 100
/** Processes of more rows take large batches. */
const MANY_ROWS = 1000
/** Characters of sealed rows in one append, and of the rows in one batch: an append holds 1 MiB. */
const MAX_APPEND = 600_000
const MAX_BATCH = 200_000

/** Stores what a process goes through, before it starts; answers its steps. */
export const writeBatches = async (
  { store, keys }: CommandContext,
  author: Author,
  root: string,
  entity: string,
  command: BatchCommand,
  rows: readonly BatchRow[],
): Promise<readonly Step[]> => {
  const stream = batchStream(root)
  let tail = await endOf(store, stream)
  const first = tail.revision
  let drafts: ReturnType<typeof draft>[] = []
  let size = 0
  const flush = async () => {
    if (drafts.length > 0) tail = await append(store, stream, tail, drafts)
    drafts = []
    size = 0
  }
  const batches = batchesOf(rows)
  for (const content of [command, ...batches]) {
    const sealed = await keys.secret.encrypt(content, stream)
    const length = JSON.stringify(sealed).length
    if (size + length > MAX_APPEND) await flush()
    drafts.push({ ...draft(author, '', 'BatchStored', null, { content: sealed }), id: crypto.randomUUID() })
    size += length
  }
  await flush()
  // An attempt that was broken off leaves events before these.
  const base = Math.max(first, 0) + 1
  return batches.map((_, index): Step => ({ do: 'batch', entity, id: root, from: base, revision: base + 1 + index }))
}

const batchesOf = (rows: readonly BatchRow[]): readonly (readonly BatchRow[])[] => {
  const most = rows.length > MANY_ROWS ? LARGE_BATCH : SMALL_BATCH
  const batches: BatchRow[][] = []
  let size = 0
  for (const row of rows) {
    const length = JSON.stringify(row).length
    const last = batches.at(-1)
    if (last === undefined || last.length === most || size + length > MAX_BATCH) {
      batches.push([row])
      size = length
    } else {
      last.push(row)
      size += length
    }
  }
  return batches
}

const readBatch = async ({ store, keys }: CommandContext, root: string, revision: number) => {
  const stream = batchStream(root)
  for await (const { data } of store.read(stream, { from: revision, limit: 1 }))
    return keys.secret.decrypt(data.content as JsonObject, stream)
  throw new Error(`batch ${revision} of process ${root} is missing`)
}

type BatchStep = Extract<Step, { do: 'batch' }>

/** Runs the command for each row of a batch; a refused row is reported and stops no other. */
export const performBatch = async (
  context: CommandContext,
  author: Author,
  step: BatchStep,
  how: StepContext,
): Promise<StepResult> => {
  const command = (await readBatch(context, step.id, step.from)) as unknown as BatchCommand
  const rows = (await readBatch(context, step.id, step.revision)) as unknown as readonly BatchRow[]
  const caller = await callerOf(context, author, how.batch)
  const refused: RefusedRow[] = []
  const written: [string, number, string][] = []
  for (const row of rows) {
    const { action, input } = row.command ?? command
    const seed = derivedId(author.seed, row.id)
    const { correlation } = author
    const given: Command = { entity: step.entity, action, id: row.id, input, caller, correlation, seed }
    const outcome = await how.execute({ ...given, ...revisionOf(action, row.revision) }, seed, how.resumed)
    const of = row.row === undefined ? { id: row.id } : { id: row.id, row: row.row }
    if (!outcome.ok) refused.push({ ...of, refusal: outcome.refusal })
    else if (outcome.position !== undefined) written.push([outcome.id, outcome.revision, action])
  }
  const result: BatchResult = { done: rows.length, refused, written }
  return { told: JSON.parse(JSON.stringify(result)) as JsonObject }
}

const revisionOf = (action: string, revision: number | undefined) => {
  if (revision === undefined || action === 'create') return {}
  return action === 'change' ? { revision } : { only: revision }
}

const callerOf = async (
  { lookup }: CommandContext,
  { actor, causation }: Author,
  batch: BatchPlan | undefined,
): Promise<Caller> => {
  const token = tokenOfSession(causation) === undefined ? undefined : causation
  const permissions =
    actor === null ? undefined : await (token ? lookup.permissionsOfToken(token) : lookup.permissionsOfUser(actor))
  return {
    user: actor,
    session: token ?? null,
    level: batch?.level ?? '',
    subtree: new Set(batch?.subtree),
    permits: permission => permissions?.has(permission) ?? true,
  }
}
