import type { NluFileContent } from '#domain/nlu/format/nlu-file-content.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Step } from '#schemas/events/entity.ts'
import { foldName } from '#schemas/fold-text.ts'
import { stringsOf } from '#schemas/json.ts'
import { accepted, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { planChange, planCreate } from '../generic/entity-commands.ts'
import { type Author, derivedId } from '../pipeline/append.ts'
import { type CommandContext, isPermitted, type Run } from '../pipeline/command-context.ts'
import { type BatchCommand, type BatchRow, writeBatches } from '../process/batch.ts'
import type { Starter } from '../process/process-port.ts'
import { readReport } from '../process/process-report.ts'

type Fields = Readonly<Record<string, Json>>

/** A thing of the project as it is. */
interface PresentThing {
  readonly id: string
  readonly revision: number
  readonly fields: Fields
}

/** By entity. */
export type ExistingEntities = Readonly<Record<string, readonly PresentThing[]>>

/** Merge result of one entity in a file: fields of a new one, changed fields of an existing one, or no change. */
interface MergedEntity {
  readonly entity: string
  readonly name: string
  readonly present?: PresentThing
  readonly input: JsonObject
  /** Lines, values or patterns that are new. */
  readonly count: number
}

export const UPLOADED = ['nluprojectentity', 'synonym', 'regex', 'intent', 'story'] as const

type Merge = (present: Fields | undefined) => { readonly input: JsonObject; readonly count: number }

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((item): item is JsonObject => typeof item === 'object' && item !== null) : []

/** Short: an intent holds thousands of them. */
const itemId = (): string => crypto.randomUUID().replaceAll('-', '').slice(0, 12)

const withTexts = (present: Json | undefined, texts: readonly string[]) => {
  const items = listOf(present)
  const known = new Set(items.map(({ text }) => text))
  const added = texts.filter(text => !known.has(text)).map(text => ({ id: itemId(), text }))
  return { items: [...items, ...added], count: added.length }
}

const mergeIntent =
  ({
    statements,
    responses,
  }: {
    readonly statements: readonly string[]
    readonly responses: readonly string[]
  }): Merge =>
  present => {
    const lines = withTexts(present?.statements, statements)
    const said = withTexts(present?.responses, responses)
    return {
      input: {
        ...(lines.count === 0 ? {} : { statements: lines.items }),
        ...(said.count === 0 ? {} : { responses: said.items }),
      },
      count: lines.count + said.count,
    }
  }

type Table = readonly { readonly value: string; readonly synonyms: readonly string[] }[]

const mergeTable = (present: Json | undefined, table: Table) => {
  const items = new Map(listOf(present).map(item => [String(item.value), item]))
  let count = 0
  for (const { value, synonyms } of table) {
    const known = items.get(value)
    const others = new Set(stringsOf(known?.synonyms))
    const added = synonyms.filter(synonym => !others.has(synonym))
    count += added.length + (known === undefined ? 1 : 0)
    items.set(value, { id: known?.id ?? itemId(), value, synonyms: [...others, ...added] })
  }
  return { items: [...items.values()], count }
}

const mergeEntity =
  ({ type, lookup }: { readonly type: string; readonly lookup: Table }): Merge =>
  present => {
    const table = mergeTable(present?.lookup_data, lookup)
    const becomes = present === undefined || (present.type === 'learned' && type === 'lookup') ? type : present.type
    return {
      input: {
        ...(becomes === present?.type ? {} : { type: becomes ?? type }),
        ...(table.count === 0 || becomes === 'system' ? {} : { lookup_data: table.items }),
      },
      count: table.count,
    }
  }

const mergeSynonym =
  (synonyms: readonly string[]): Merge =>
  present => {
    const known = stringsOf(present?.synonyms)
    const added = synonyms.filter(synonym => !known.includes(synonym))
    return { input: added.length === 0 ? {} : { synonyms: [...known, ...added] }, count: added.length }
  }

const mergeRegex =
  ({ entity, pattern }: { readonly entity: string; readonly pattern: string }): Merge =>
  present => {
    const isSame = present?.entity === entity && present.pattern === pattern
    return { input: isSame ? {} : { entity, pattern }, count: isSame ? 0 : 1 }
  }

type Steps = readonly { readonly kind: string; readonly name: string; readonly text: string }[]

const plainSteps = (steps: readonly JsonObject[]): string =>
  JSON.stringify(steps.map(({ kind, name, text }) => [kind, name, text ?? '']))

const mergeStory =
  (steps: Steps): Merge =>
  present => {
    const wanted = steps.map(step => ({ ...step }))
    if (present !== undefined && plainSteps(listOf(present.steps)) === plainSteps(wanted))
      return { input: {}, count: 0 }
    return { input: { steps: wanted.map(step => ({ id: itemId(), ...step })) }, count: steps.length }
  }

const mergesOf = (
  gathered: NluFileContent,
): Readonly<Record<(typeof UPLOADED)[number], ReadonlyMap<string, Merge>>> => {
  const by = <T>(things: ReadonlyMap<string, T>, merge: (thing: T) => Merge) =>
    new Map([...things].map(([name, thing]) => [name, merge(thing)]))
  return {
    nluprojectentity: by(gathered.entities, mergeEntity),
    synonym: by(gathered.synonyms, mergeSynonym),
    regex: by(gathered.regexes, mergeRegex),
    intent: by(gathered.intents, mergeIntent),
    story: by(gathered.stories, mergeStory),
  }
}

/**
 * Merges a file into a project: adds new entities, and missing content to those of the same name. Patterns and stories
 * replace those of their name; nothing is removed.
 */
const mergeUpload = (gathered: NluFileContent, present: ExistingEntities): readonly MergedEntity[] =>
  Object.entries(mergesOf(gathered)).flatMap(([entity, merges]) => {
    const title = entity === 'synonym' ? 'value' : 'name'
    const things = new Map((present[entity] ?? []).map(thing => [foldName(String(thing.fields[title])), thing]))
    const merged = new Map<string, MergedEntity>()
    for (const [name, merge] of merges) {
      const key = foldName(name)
      const before = merged.get(key)
      const thing = things.get(key)
      const base = before === undefined ? thing?.fields : { ...thing?.fields, ...before.input }
      const { input, count } = merge(base)
      merged.set(key, {
        entity,
        name: before?.name ?? name,
        ...(thing === undefined ? {} : { present: thing }),
        input: { ...before?.input, ...input },
        count: count + (before?.count ?? 0),
      })
    }
    return [...merged.values()].map(thing =>
      thing.present === undefined ? { ...thing, input: { [title]: thing.name, ...thing.input } } : thing,
    )
  })

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
