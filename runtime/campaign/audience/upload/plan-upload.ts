import type { FileFault, FileReading, FileTable } from '#domain/audience/file/fault.ts'
import { type ContactMapping, isUnknownField, mappedRecord, namedRecord } from '#domain/audience/mapping.ts'
import type { PhoneReader } from '#domain/audience/phone.ts'
import type { Evaluator } from '#domain/expression/interruptible.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { RecordOutcome } from '../../../isolation/expression/records.ts'
import type { NewContact } from '../audience.ts'
import { readContact } from '../read-contact.ts'
import { type FileRecord, runStep } from './run-step.ts'

type StepStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped'
export interface Steps {
  readonly pre_status: StepStatus
  readonly validation_status: StepStatus
  readonly post_status: StepStatus
}

/** Rules applied to the records of a file; empty rules are skipped. */
export interface UploadRules {
  readonly pre: string
  /** JSON text. */
  readonly schema: string
  readonly post: string
  /** Valid records are added even if others are invalid. */
  readonly partial: boolean
  /** Columns as assigned by a person: no rule runs. */
  readonly mapping?: ContactMapping
}

export interface LineFault {
  readonly line: number
  readonly error: FieldError
}

export interface UploadPlan {
  readonly steps: Steps
  /** Reason why the whole file is rejected. */
  readonly error: FieldError | undefined
  readonly read: number
  readonly dropped: number
  readonly valid: number
  readonly invalid: number
  readonly faults: readonly LineFault[]
  /** Valid contacts, each number once. */
  readonly contacts: readonly { readonly line: number; readonly contact: NewContact }[]
  /** Lines whose number occurred before. */
  readonly repeated: readonly LineFault[]
}

interface PlanOptions {
  readonly evaluator: Evaluator
  readonly readPhone: PhoneReader
  readonly campaign: JsonObject
  /** Called before each step and between its slices. */
  readonly going: (steps: Steps) => Promise<void>
}

export const NO_STEPS: Steps = { pre_status: 'pending', validation_status: 'pending', post_status: 'pending' }
const SKIPPED: Steps = { pre_status: 'skipped', validation_status: 'skipped', post_status: 'skipped' }
const NOTHING = { read: 0, dropped: 0, valid: 0, invalid: 0, faults: [], contacts: [], repeated: [] }
/** Without rules a file has only the fields of a campaign. */
const MAX_FIELDS = 20

export const fileError = ({ code, line, name }: FileFault): FieldError => ({
  path: 'file',
  code: 'format',
  params: { rule: `upload${code}`, line: line ?? 0, name: name ?? '' },
})

const lineError = (rule: string, line: number, params: JsonObject = {}): LineFault => ({
  line,
  error: { path: '', code: 'format', params: { rule, ...params } },
})

/** Records keyed by column name. */
const recordsOf = ({ rows }: FileTable, faults: LineFault[]): readonly FileRecord[] => {
  const [header, ...lines] = rows
  const names = (header?.cells ?? []).map(name => name.trim())
  return lines.flatMap(({ line, cells }) => {
    if (cells.length <= names.length || cells.slice(names.length).every(cell => cell.trim() === ''))
      return [{ line, value: Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])) }]
    faults.push(lineError('uploadwide', line, { count: cells.length, max: names.length }))
    return []
  })
}

/** The error in the names of columns. */
const headerError = ({ rows }: FileTable, { pre, post, schema }: UploadRules): FieldError | undefined => {
  const [header] = rows
  const names = (header?.cells ?? []).map(name => name.trim())
  const again = names.find((name, place) => name !== '' && names.indexOf(name) !== place)
  if (again !== undefined) return fileError({ code: 'header', line: header?.line ?? 1, name: again })
  if (pre !== '' || post !== '' || schema !== '') return undefined
  const unknown = names.find(isUnknownField)
  if (unknown !== undefined) return fileError({ code: 'header', line: header?.line ?? 1, name: unknown })
  if (names.length > MAX_FIELDS) return { path: 'file', code: 'toolong', params: { rule: 'metadata', max: MAX_FIELDS } }
  return undefined
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Sorts the records after a step: keeps valid ones, counts dropped ones, adds the faults of the others. */
const sorted = (records: readonly FileRecord[], outcomes: readonly RecordOutcome[], faults: LineFault[]) => {
  const kept: FileRecord[] = []
  let dropped = 0
  for (const [place, { line }] of records.entries()) {
    const outcome = outcomes[place] ?? { fault: 'time' }
    if ('keyword' in outcome)
      faults.push(lineError('uploadschema', line, { name: outcome.path, text: outcome.keyword }))
    else if ('fault' in outcome)
      faults.push({
        line,
        error: { path: '', code: 'expression', params: { rule: outcome.fault, name: outcome.name ?? '' } },
      })
    else {
      if (outcome.values.length === 0) dropped += 1
      for (const value of outcome.values)
        if (isObject(value)) kept.push({ line, value })
        else faults.push(lineError('uploadobject', line))
    }
  }
  return { kept, dropped }
}

type StepName = keyof Steps

/** Runs the rules and the schema over the records of a file. */
class Steplist {
  steps: Steps = NO_STEPS
  dropped = 0
  error: FieldError | undefined
  readonly faults: LineFault[]
  readonly #options: PlanOptions
  readonly #bindings: JsonObject

  constructor(options: PlanOptions, bindings: JsonObject, faults: LineFault[]) {
    this.#options = options
    this.#bindings = bindings
    this.faults = faults
  }

  async run(name: StepName, kind: 'rule' | 'schema', source: string, records: readonly FileRecord[]) {
    const set = (status: StepStatus) => {
      this.steps = { ...this.steps, [name]: status }
    }
    if (source === '' || this.error !== undefined) {
      set('skipped')
      return records
    }
    set('running')
    const step = { step: kind, source, bindings: this.#bindings }
    const outcomes = await runStep(this.#options.evaluator, step, records, () => this.#options.going(this.steps))
    const before = this.faults.length
    if (typeof outcomes === 'string') {
      set('failed')
      const rule = kind === 'schema' ? 'uploadbadschema' : 'uploadbadrule'
      this.error = { path: name.replace('_status', ''), code: 'format', params: { rule, name: outcomes } }
      return []
    }
    const { kept, dropped } = sorted(records, outcomes, this.faults)
    this.dropped += dropped
    set(this.faults.length > before ? 'failed' : 'succeeded')
    return kept
  }
}

/** The contacts of records, each number once. */
const contactsOf = (
  records: readonly FileRecord[],
  readPhone: PhoneReader,
  country: string | undefined,
  faults: LineFault[],
) => {
  const contacts: UploadPlan['contacts'][number][] = []
  const repeated: LineFault[] = []
  const lines = new Map<string, number>()
  for (const { line, value } of records) {
    const read = readContact(value, readPhone, country)
    if (!read.ok) {
      for (const error of read.refusal.errors ?? []) faults.push({ line, error })
      continue
    }
    const { contact } = read.value
    const first = lines.get(contact.phone)
    if (first === undefined) {
      lines.set(contact.phone, line)
      contacts.push({ line, contact })
    } else
      repeated.push({ line, error: { path: 'phone', code: 'duplicate', params: { rule: 'uploadline', line: first } } })
  }
  return { contacts, repeated }
}

const mappedRecords = ({ rows }: FileTable, mapping: ContactMapping): readonly FileRecord[] =>
  rows.slice(mapping.header ? 1 : 0).map(({ line, cells }) => ({ line, value: mappedRecord(cells, mapping) }))

/** Computes the result of an upload and writes nothing. */
export const planUpload = async (
  reading: FileReading,
  rules: UploadRules,
  options: PlanOptions,
): Promise<UploadPlan> => {
  const failed = (error: FieldError): UploadPlan => ({ ...NOTHING, steps: SKIPPED, error })
  if (!reading.ok) return failed(fileError(reading.fault))
  const { table } = reading
  const { mapping } = rules
  const isEmpty = table.rows.length <= (mapping?.header === false ? 0 : 1)
  const wrong = mapping === undefined ? headerError(table, rules) : undefined
  if (wrong !== undefined) return failed(wrong)
  if (isEmpty) return failed(fileError({ code: 'empty' }))
  const faults: LineFault[] = []
  const records = mapping === undefined ? recordsOf(table, faults) : mappedRecords(table, mapping)
  const headers = (table.rows[0]?.cells ?? []).map(name => name.trim())
  const list = new Steplist(options, { headers, campaign: options.campaign }, faults)
  const ruled = mapping === undefined ? rules : { pre: '', schema: '', post: '' }
  const prepared = await list.run('pre_status', 'rule', ruled.pre, records)
  const checked = await list.run('validation_status', 'schema', ruled.schema, prepared)
  const made = await list.run('post_status', 'rule', ruled.post, checked)
  const named =
    mapping === undefined ? made.map(({ line, value }) => ({ line, value: namedRecord(value) as JsonObject })) : made
  const { contacts, repeated } = contactsOf(named, options.readPhone, mapping?.country, faults)
  const lines = new Set(faults.map(({ line }) => line))
  return {
    ...{ steps: list.steps, error: list.error, faults, contacts, repeated, dropped: list.dropped },
    read: table.rows.length - (mapping?.header === false ? 0 : 1),
    valid: contacts.length + repeated.length,
    invalid: lines.size,
  }
}
