import { cellText, cellValue } from '#domain/csv/cell.ts'
import { withIdsByTitle } from '#domain/field/stored-items.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { jsonEqual } from '#schemas/json.ts'
import { accepted, type FieldErrorCode, type Refusal, type Result, refused } from '#schemas/refusal.ts'
import { planChange, planCreate } from '../generic/entity-commands.ts'
import { maskItems, openField } from '../keys/secret.ts'
import { derivedId } from '../pipeline/append.ts'
import { type CommandContext, isVisible, levelOf, type Run } from '../pipeline/command-context.ts'
import type { PlannedCommit } from '../pipeline/commit.ts'
import type { BatchRow } from './batch.ts'
import type { Starter } from './process-port.ts'

/** Cells of one record by column. */
export type ImportRecord = Readonly<Record<string, string>>
type Input = Readonly<Record<string, Json>>

export interface ImportSource {
  readonly entity: EntityDeclaration
  readonly records: readonly ImportRecord[]
  /** Ids of the entities that match a record without an id. */
  readonly match: (record: ImportRecord) => Promise<readonly string[]>
}

export interface ImportItem {
  /** Counts records after the header, from 1. */
  readonly row: number
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'refused'
  readonly id?: string
  readonly changes?: readonly { readonly path: string; readonly before: Json; readonly after: Json }[]
  readonly refusal?: Refusal
}

export interface ImportPlan {
  readonly items: readonly ImportItem[]
  readonly rows: readonly BatchRow[]
  readonly unchanged: number
}

/** Decides for each record what importing it would do, in the words of the same command given alone. */
export const planImport = async (
  context: CommandContext,
  starter: Starter,
  source: ImportSource,
): Promise<ImportPlan> => {
  const items: ImportItem[] = []
  const rows: BatchRow[] = []
  const seen = new Set<string>()
  for (const [index, record] of source.records.entries()) {
    const row = index + 1
    const planned = await planRecord(context, starter, source, record, { row, seen })
    if (!planned.ok) {
      items.push({ row, outcome: 'refused', refusal: planned.refusal })
      continue
    }
    const { item, batchRow } = planned.value
    items.push(item)
    if (batchRow !== undefined) rows.push(batchRow)
  }
  return { items, rows, unchanged: items.filter(({ outcome }) => outcome === 'unchanged').length }
}

interface PlannedRecord {
  readonly item: ImportItem
  readonly batchRow?: BatchRow
}
interface Position {
  readonly row: number
  /** Things and keys of the records before. */
  readonly seen: Set<string>
}

const wrong = (path: string, code: FieldErrorCode, params?: JsonObject) =>
  refused('validation.failed', { errors: [{ path, code, ...(params === undefined ? {} : { params }) }] })

const planRecord = async (
  context: CommandContext,
  starter: Starter,
  { entity, match }: ImportSource,
  record: ImportRecord,
  { row, seen }: Position,
): Promise<Result<PlannedRecord>> => {
  const [first = 'id', ...others] = entity.import?.key ?? []
  const given = record.id ?? ''
  const ids = given === '' ? await match(record) : [given]
  const [id] = ids
  if (ids.length > 1) return wrong(first, 'duplicate')
  const place = record[parentField(entity) ?? ''] ?? record.hierarchylevel ?? ''
  const key = id ?? JSON.stringify([place, ...[first, ...others].map(name => record[name] ?? '')])
  if (seen.has(key)) return wrong(given === '' ? first : 'id', 'duplicate')
  seen.add(key)
  return id === undefined
    ? planCreation(context, starter, entity, record, row)
    : planChanged(context, starter, entity, record, { row, id, isGiven: given !== '' })
}

const planCreation = async (
  context: CommandContext,
  starter: Starter,
  entity: EntityDeclaration,
  record: ImportRecord,
  row: number,
): Promise<Result<PlannedRecord>> => {
  const read = inputOf(entity, record, {})
  if (!read.ok) return read
  const { hierarchylevel = '' } = record
  const input = hierarchylevel === '' ? read.value : { ...read.value, hierarchylevel }
  const id = derivedId(starter.seed, `row:${row}`)
  const planned = await planCreate(context, runOf(starter, entity, { action: 'create', id, input }))
  if (!planned.ok) return planned
  const changes = await changesOf(context, entity, planned.value, {})
  return accepted({
    item: { row, outcome: 'created', changes: changes.filter(({ path }) => Object.hasOwn(input, path)) },
    batchRow: { id, row, command: { action: 'create', input } },
  })
}

const planChanged = async (
  context: CommandContext,
  starter: Starter,
  entity: EntityDeclaration,
  record: ImportRecord,
  { row, id, isGiven }: { readonly row: number; readonly id: string; readonly isGiven: boolean },
): Promise<Result<PlannedRecord>> => {
  const { state } = await context.loader.load(entity, id)
  if (state.status !== 'live' || !isVisible(starter.caller, entity, state)) return wrong('id', 'reference')
  const revision = isGiven ? revisionOf(record) : accepted(state.revision)
  if (!revision.ok) return revision
  if (revision.value > state.revision) return wrong('revision', 'toolarge')
  const { hierarchylevel = '' } = record
  if (hierarchylevel !== '' && hierarchylevel !== levelOf(entity, state)) return wrong('hierarchylevel', 'readonly')
  const past = revision.value === state.revision ? state : await context.loader.at(entity, id, revision.value)
  const base = past.status === 'live' || past.status === 'removed' ? past.fields : {}
  const shown = await openFields(context, entity, id, base)
  const read = inputOf(entity, record, shown)
  if (!read.ok) return read
  const input = read.value
  if (Object.keys(input).length === 0) return accepted({ item: { row, outcome: 'unchanged', id } })
  const command = { action: 'change', id, input, revision: revision.value }
  const planned = await planChange(context, runOf(starter, entity, command))
  if (!planned.ok) return planned
  const changes = await changesOf(context, entity, planned.value, state.fields)
  if (changes.length === 0) return accepted({ item: { row, outcome: 'unchanged', id } })
  return accepted({
    item: { row, outcome: 'changed', id, changes },
    batchRow: { id, row, revision: revision.value, command: { action: 'change', input } },
  })
}

const revisionOf = ({ revision = '' }: ImportRecord): Result<number> => {
  if (revision === '') return wrong('revision', 'required')
  return /^[1-9]\d{0,14}$/.test(revision) ? accepted(Number(revision)) : wrong('revision', 'format')
}

/** Values of the cells whose text is another than that of the value in `base`. */
const inputOf = ({ fields }: EntityDeclaration, record: ImportRecord, base: Input): Result<Input> => {
  const input: Record<string, Json> = {}
  for (const [name, text] of Object.entries(record)) {
    const field = fields[name]
    if (field === undefined || cellText(field, base[name] ?? null) === text) continue
    const read = cellValue(field, text)
    if (read === undefined) return wrong(name, 'format', { rule: 'json' })
    const value = field.kind === 'list' ? withIdsByTitle(field, base[name], read) : read
    // The same value in another spelling is no change.
    if (jsonEqual(value, cellValue(field, cellText(field, base[name] ?? null)) ?? null)) continue
    input[name] = value
  }
  return accepted(input)
}

const openFields = async (
  { keys }: CommandContext,
  entity: EntityDeclaration,
  id: string,
  fields: Input,
): Promise<Input> => {
  const opened = Object.entries(fields).map(async ([name, value]) => {
    const field = entity.fields[name]
    const isSecret = field === undefined || field.secret || field.secretWhen !== undefined
    if (field?.kind === 'list') return [name, maskItems(value)] as const
    return [name, isSecret ? null : ((await openField(keys, entity, id, name, value)) ?? null)] as const
  })
  return Object.fromEntries(await Promise.all(opened))
}

const changesOf = async (
  context: CommandContext,
  entity: EntityDeclaration,
  { target, events }: PlannedCommit,
  before: Input,
) => {
  const after: Input = Object.assign({}, ...events.map(({ data }) => data.fields))
  const [old, next] = await Promise.all([
    openFields(context, entity, target.id, before),
    openFields(context, entity, target.id, after),
  ])
  return Object.entries(next).map(([path, value]) => ({ path, before: old[path] ?? null, after: value }))
}

const runOf = (
  { caller, seed, correlation }: Starter,
  entity: EntityDeclaration,
  command: { readonly action: string; readonly id: string; readonly input: Input; readonly revision?: number },
): Run => ({
  command: { entity: entity.name, caller, correlation, ...command },
  entity,
  author: { seed, actor: caller.user, time: new Date().toISOString(), correlation, causation: caller.session },
  reserved: new Map(),
  isRepeated: false,
})
