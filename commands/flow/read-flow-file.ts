import { MAX_TEXT, parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import type { Json } from '#schemas/event.ts'
import { DEEPEST_PROPERTY, FLOW_FORMAT, FLOW_VERSION, type FlowFile } from '#schemas/flow/file.ts'
import { readJsonText } from '#schemas/json.ts'
import {
  accepted,
  FIELD_ERROR_CODES,
  type FieldError,
  type FieldErrorCode,
  type Result,
  refused,
} from '#schemas/refusal.ts'

/** The same value with every string that is one of these ids replaced: a copy refers to copies. */
export const withIds = <T>(value: T, ids: Readonly<Record<string, string>>): T =>
  Object.keys(ids).length === 0 ? value : (replaced(value as Json, ids) as T)

const replaced = (value: Json, ids: Readonly<Record<string, string>>): Json => {
  if (typeof value === 'string') return Object.hasOwn(ids, value) ? (ids[value] ?? value) : value
  if (value === null || typeof value !== 'object') return value
  if (isList(value)) return value.map(item => replaced(item, ids))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, ids)]))
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** A fault of a flow file as a line of `errors[]`. */
export const flowError = ({ path, code, max }: { path: string; code: string; max?: number }): FieldError => {
  if (code === 'depth') return { path, code: 'toodeep', params: { max: DEEPEST_PROPERTY } }
  return { path, code: codeOf(code), ...(max === undefined ? {} : { params: { max } }) }
}

const codeOf = (code: string): FieldErrorCode => FIELD_ERROR_CODES.find(known => known === code) ?? 'format'

/** A flow file that was found to be one. */
export interface ReadFlowFile {
  /** The checked file as JSON. */
  readonly file: string
  /** A handler's code, where the file has it. */
  readonly script?: string
  /** Types of blocks that no declaration knows. */
  readonly unknown: readonly string[]
}

/** Errors in a handler's code in a file. */
export const scriptErrors = (script: unknown): readonly FieldError[] => {
  if (script === undefined) return []
  if (typeof script !== 'string') return [{ path: 'js', code: 'type' }]
  return script.length > MAX_TEXT ? [{ path: 'js', code: 'toolong', params: { max: MAX_TEXT } }] : []
}

/** Reads the text of a flow file, or says in `errors` what is wrong with it. */
export const readFlowFile = (text: string, hasScript: boolean): Result<ReadFlowFile> => {
  const json = readJsonText(text)
  if (!json.ok) return json
  const parsed = parseFlowFile(json.value)
  if (!parsed.ok) return refused('flow.format', { errors: parsed.errors.map(flowError) })
  const { js } = json.value as { readonly js?: unknown }
  const errors = hasScript ? scriptErrors(js) : []
  if (errors.length > 0) return refused('flow.format', { errors: [...errors] })
  const script = hasScript && typeof js === 'string' ? { script: js } : {}
  return accepted({ file: JSON.stringify(parsed.file), unknown: parsed.unknown, ...script })
}

/** A flow as it is in a version file. */
export interface Drawing {
  /** JSON of a file in `flow` and of a handler's code in `js`; empty: of no blocks. */
  readonly drawing: readonly Uint8Array[]
  /** Ids in the file to those that they become. */
  readonly ids: Readonly<Record<string, string>>
}

const NO_FLOW: FlowFile = { format: FLOW_FORMAT, version: FLOW_VERSION, operators: {}, links: {} }

export const readDrawing = ({ drawing, ids }: Drawing): { readonly file: FlowFile; readonly script: string } => {
  const text = Buffer.concat(drawing).toString()
  const { flow = NO_FLOW, js = '' } = text === '' ? {} : (JSON.parse(text) as { flow?: FlowFile; js?: string })
  return { file: withIds(flow, ids), script: String(js) }
}
