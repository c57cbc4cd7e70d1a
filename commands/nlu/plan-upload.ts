import type { NluFileContent } from '#domain/nlu/format/nlu-file-content.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Step } from '#schemas/events/entity.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { planChange, planCreate } from '../generic/entity-commands.ts'
import { type Author, derivedId } from '../pipeline/append.ts'
import { type CommandContext, isPermitted, type Run } from '../pipeline/command-context.ts'
import { type BatchCommand, type BatchRow, writeBatches } from '../process/batch.ts'
import type { Starter } from '../process/process-port.ts'
import { readReport } from '../process/process-report.ts'
import { type ExistingEntities, type MergedEntity, mergeUpload, UPLOADED } from './merge-upload.ts'

export interface UploadSource {
  /** Id of the project. */
  readonly project: string
  readonly gathered: NluFileContent
  readonly present: ExistingEntities
}

interface UploadItem {
  readonly entity: string
  readonly name: string
  readonly outcome: 'added' | 'changed' | 'unchanged' | 'refused'
  /** Lines, values or patterns that are new. */
  readonly count: number
  readonly refusal?: Refusal
}

export interface UploadPlan {
  readonly items: readonly UploadItem[]
  readonly rows: readonly { readonly entity: string; readonly rows: readonly BatchRow[] }[]
}

/** Bytes of a thing as it is stored: an event holds 1 MiB, sealed in its process a third more. */
const MAX_THING_BYTES = 600_000

/** Decides for each thing of a file what taking it in would do; nothing is written. */
export const planUpload = async (
  context: CommandContext,
  starter: Starter,
  source: UploadSource,
): Promise<Result<UploadPlan>> => {
  const lacking = UPLOADED.flatMap(entity => {
    const declaration = context.entityOf(entity)
    const needs = declaration === undefined ? [] : (['create', 'change'] as const)
    return needs
      .filter(
        action => declaration !== undefined && !isPermitted(context.registry, starter.caller, declaration, action),
      )
      .map(action => `${action === 'change' ? 'update' : action}${entity}`)
  })
  if (lacking.length > 0) return refused('access.lacking', { params: { permissions: lacking } })
  const items: UploadItem[] = []
  const rows = new Map<string, BatchRow[]>()
  for (const thing of mergeUpload(source.gathered, source.present)) {
    const { item, row } = await planThing(context, starter, source.project, thing, items.length + 1)
    items.push(item)
    if (row !== undefined) rows.set(thing.entity, [...(rows.get(thing.entity) ?? []), row])
  }
  return accepted({ items, rows: [...rows].map(([entity, each]) => ({ entity, rows: each })) })
}

const planThing = async (
  context: CommandContext,
  starter: Starter,
  project: string,
  { entity, name, present, input, count }: MergedEntity,
  row: number,
): Promise<{ readonly item: UploadItem; readonly row?: BatchRow }> => {
  const isUnchanged = present !== undefined && Object.keys(input).length === 0
  if (isUnchanged) return { item: { entity, name, outcome: 'unchanged', count: 0 } }
  const whole: JsonObject = present === undefined ? { nluproject: project, ...input } : input
  const refusal = await refusalOf(context, starter, entity, whole, present)
  if (refusal !== undefined) return { item: { entity, name, outcome: 'refused', count: 0, refusal } }
  const outcome = present === undefined ? 'added' : 'changed'
  const item: UploadItem = { entity, name, outcome, count }
  if (present === undefined)
    return {
      item,
      row: { id: derivedId(starter.seed, `row:${row}`), row, command: { action: 'create', input: whole } },
    }
  const { id, revision } = present
  return { item, row: { id, revision, row, command: { action: 'change', input: whole } } }
}

const refusalOf = async (
  context: CommandContext,
  starter: Starter,
  name: string,
  input: Readonly<Record<string, Json>>,
  present: MergedEntity['present'],
): Promise<Refusal | undefined> => {
  const entity = context.entityOf(name)
  if (entity === undefined) return { code: 'entity.notfound' }
  if (Buffer.byteLength(JSON.stringify({ ...present?.fields, ...input })) > MAX_THING_BYTES)
    return { code: 'request.toolarge' }
  const { caller, seed, correlation } = starter
  const author = { seed, actor: caller.user, time: new Date().toISOString(), correlation, causation: caller.session }
  const run = (command: { action: string; id: string; revision?: number }): Run => ({
    command: { entity: name, caller, correlation, input, ...command },
    entity,
    author,
    reserved: new Map(),
    isRepeated: false,
  })
  const planned =
    present === undefined
      ? await planCreate(context, run({ action: 'create', id: derivedId(seed, `plan:${name}`) }))
      : await planChange(context, run({ action: 'change', id: present.id, revision: present.revision }))
  return planned.ok ? undefined : planned.refusal
}

/** Command of the server on the project and its stories. */
const uploading = (upload_status: 'started' | 'finished'): BatchCommand => ({
  action: 'upload',
  input: { upload_status },
})

/** Takes a file in as one process: it resumes after a crash, and the project says that it began and ended. */
export const runUpload = async (
  context: CommandContext,
  { caller, seed, correlation }: Starter,
  project: string,
  { rows }: UploadPlan,
): Promise<string> => {
  const root = derivedId(seed, 'process')
  if ((await readReport(context, root)) === undefined) {
    const time = context.now().toISOString()
    const author: Author = { seed, actor: caller.user, time, correlation, causation: caller.session }
    const steps: Step[] = []
    const add = async (entity: string, command: BatchCommand, each: UploadPlan['rows'][number]['rows']) =>
      steps.push(...(await writeBatches(context, author, root, entity, command, each)))
    await add('nluproject', uploading('started'), [{ id: project }])
    for (const { entity, rows: each } of rows) await add(entity, { action: 'import', input: {} }, each)
    const stories = rows.flatMap(({ entity, rows: each }) => (entity === 'story' ? each.map(({ id }) => ({ id })) : []))
    if (stories.length > 0) await add('story', uploading('started'), stories)
    if (stories.length > 0) await add('story', uploading('finished'), stories)
    await add('nluproject', uploading('finished'), [{ id: project }])
    const total = rows.reduce((sum, { rows: each }) => sum + each.length, 2 + 2 * stories.length)
    const batch = { action: 'upload', total, level: caller.level, subtree: [...caller.subtree] }
    await context.processes.begin(author, { kind: 'upload', root, steps, batch })
  }
  await context.processes.resume(root)
  return root
}
