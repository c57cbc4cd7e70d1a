import { type ContactMapping, isUnknownField, mappedRecord, namedRecord } from '#domain/audience/contact-columns.ts'
import type { FileTable } from '#domain/audience/file/fault.ts'
import { openPhones } from '#domain/audience/phone.ts'
import type { FieldError } from '#schemas/refusal.ts'
import type { NewContact } from '../audience.ts'
import { readContact } from '../read-contact.ts'
import { type Packed, packed, unpacked } from './packed.ts'
import { fileError, type LineFault, lineError, readFile } from './read-file.ts'
import { type FileRecord, TOGETHER as RECORDS_TOGETHER } from './run-step.ts'

/** Contacts that are sealed and written together: their keys fill four buckets, their rows one event. */
const CONTACTS_TOGETHER = 1024
/** Faults of one event. */
const FAULTS_TOGETHER = 500
const MAX_FIRST_FAULTS = 100
/** Without rules a file has only the fields of a campaign. */
const MAX_FIELDS = 20

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

export interface ContactPlan {
  readonly valid: number
  /** Lines with a fault. */
  readonly invalid: number
  /** Valid contacts, each number once. */
  readonly contacts: Packed<NewContact>
  /** Lines whose number occurred before. */
  readonly repeated: number
  /** Faults, then repeated numbers. */
  readonly faults: Packed<LineFault>
  /** The first of them by line. */
  readonly firstFaults: readonly LineFault[]
}

interface FileTask {
  readonly bytes: Uint8Array
  readonly rules: UploadRules
}

/** Records that have passed the rules, with the faults of the others. */
export interface RecordsTask {
  /** Number of lines with a record. */
  readonly read: number
  readonly records: Packed<FileRecord>
  readonly faults: Packed<LineFault>
}

type FileAnswer =
  | { readonly error: FieldError }
  /** Rules must run over the records first. */
  | (RecordsTask & { readonly headers: readonly string[] })
  | { readonly read: number; readonly plan: ContactPlan }

const hasRules = ({ pre, schema, post, mapping }: UploadRules): boolean =>
  mapping === undefined && (pre !== '' || schema !== '' || post !== '')

const namesOf = ({ rows: [header] }: FileTable): readonly string[] => (header?.cells ?? []).map(name => name.trim())

/** Records keyed by column name. */
const recordsOf = (table: FileTable, faults: LineFault[]): readonly FileRecord[] => {
  const names = namesOf(table)
  return table.rows.slice(1).flatMap(({ line, cells }) => {
    if (cells.length <= names.length || cells.slice(names.length).every(cell => cell.trim() === ''))
      return [{ line, value: Object.fromEntries(names.map((name, place) => [name, cells[place] ?? ''])) }]
    faults.push(lineError('uploadwide', line, { count: cells.length, max: names.length }))
    return []
  })
}

const mappedRecords = ({ rows }: FileTable, mapping: ContactMapping): readonly FileRecord[] =>
  rows.slice(mapping.header ? 1 : 0).map(({ line, cells }) => ({ line, value: mappedRecord(cells, mapping) }))

/** The error in the names of columns. */
const headerError = (table: FileTable, rules: UploadRules): FieldError | undefined => {
  const line = table.rows[0]?.line ?? 1
  const names = namesOf(table)
  const again = names.find((name, place) => name !== '' && names.indexOf(name) !== place)
  if (again !== undefined) return fileError({ code: 'header', line, name: again })
  if (hasRules(rules)) return undefined
  const unknown = names.find(isUnknownField)
  if (unknown !== undefined) return fileError({ code: 'header', line, name: unknown })
  if (names.length > MAX_FIELDS) return { path: 'file', code: 'toolong', params: { rule: 'metadata', max: MAX_FIELDS } }
  return undefined
}

/** The contacts of records, each number once. */
const planOf = async (
  records: readonly FileRecord[],
  faults: LineFault[],
  mapping?: ContactMapping,
): Promise<ContactPlan> => {
  const readPhone = await openPhones()
  const contacts: NewContact[] = []
  const repeated: LineFault[] = []
  const lines = new Map<string, number>()
  for (const { line, value } of records) {
    const given = mapping === undefined ? namedRecord(value) : value
    const read = readContact(given, readPhone, mapping?.country)
    if (!read.ok) {
      for (const error of read.refusal.errors ?? []) faults.push({ line, error })
      continue
    }
    const { contact } = read.value
    const first = lines.get(contact.phone)
    if (first === undefined) {
      lines.set(contact.phone, line)
      contacts.push({ ...contact, line })
    } else
      repeated.push({ line, error: { path: 'phone', code: 'duplicate', params: { rule: 'uploadline', line: first } } })
  }
  const all = [...faults, ...repeated]
  return {
    valid: contacts.length + repeated.length,
    invalid: new Set(faults.map(({ line }) => line)).size,
    contacts: packed(contacts, CONTACTS_TOGETHER),
    repeated: repeated.length,
    faults: packed(all, FAULTS_TOGETHER),
    firstFaults: all.toSorted((one, other) => one.line - other.line).slice(0, MAX_FIRST_FAULTS),
  }
}

const planFile = async ({ bytes, rules }: FileTask): Promise<FileAnswer> => {
  const reading = await readFile(bytes)
  if (!reading.ok) return { error: fileError(reading.fault) }
  const { table } = reading
  const { mapping } = rules
  const error = mapping === undefined ? headerError(table, rules) : undefined
  if (error !== undefined) return { error }
  const read = table.rows.length - (mapping?.header === false ? 0 : 1)
  if (read <= 0) return { error: fileError({ code: 'empty' }) }
  const faults: LineFault[] = []
  const records = mapping === undefined ? recordsOf(table, faults) : mappedRecords(table, mapping)
  if (!hasRules(rules)) return { read, plan: await planOf(records, faults, mapping) }
  return {
    read,
    headers: namesOf(table),
    records: packed(records, RECORDS_TOGETHER),
    faults: packed(faults, FAULTS_TOGETHER),
  }
}

/** Plans the contacts of records or of a file; of a file with rules it reads the records alone. */
export const run = async (task: FileTask | RecordsTask): Promise<FileAnswer> => {
  if ('bytes' in task) return planFile(task)
  return { read: task.read, plan: await planOf(unpacked(task.records), [...unpacked(task.faults)]) }
}
