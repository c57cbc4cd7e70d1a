import { MAX_TEXT } from '#domain/flow/file/flow-file-limits.ts'
import { parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { readJsonText } from '../pipeline/json-body.ts'
import { flowError } from './flow-error.ts'

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
