import { fieldErrors } from '#domain/field-error.ts'
import { flowExcess, parseFlowFile } from '#domain/flow/file/parse-flow-file.ts'
import type { Json } from '#schemas/event.ts'
import type { FlowFile } from '#schemas/flow/file.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { type VersionDialog, type VersionFile, versionFileSchema } from '#schemas/version-file.ts'
import { flowError } from '../flow/flow-error.ts'
import { scriptErrors } from '../flow/read-flow-file.ts'
import { readJsonText } from '../pipeline/json-body.ts'
import { upcastFile } from './upcast-file.ts'

const MOST_ERRORS = 50

/** A version file that was found to be one. */
export interface ReadVersionFile {
  readonly name: string
  readonly description: string | null
  /** The checked file as JSON. */
  readonly text: string
}

/** Reads the text of a version file, its flows included; anything else is `version.format` with where. */
export const readVersionFile = (text: string): Result<ReadVersionFile> => {
  const json = readJsonText(text)
  if (!json.ok || json.value === undefined) {
    const errors = json.ok ? undefined : json.refusal.errors
    return refused('version.format', { errors: errors ?? [{ path: '', code: 'format' }] })
  }
  const file = checkedFile(upcastFile(json.value))
  if (!file.ok) return file
  const { name, description = null } = file.value
  return accepted({ name, description, text: JSON.stringify(file.value) })
}

/** What is larger in the flows of a stored version than a flow may hold: it may be older than the limits. */
export const versionExcess = (text: string): readonly FieldError[] => {
  const { dialogtasks } = JSON.parse(text) as VersionFile
  const errors = dialogtasks.flatMap((task, index) =>
    (['dialogs', 'handlers'] as const).flatMap(kind =>
      task[kind].flatMap(({ flow, js }, at) => {
        const path = `dialogtasks.${index}.${kind}.${at}`
        const drawn = flowExcess(flow as unknown as FlowFile).map(flowError)
        return [
          ...drawn.map(error => ({ ...error, path: `${path}.flow.${error.path}` })),
          ...scriptErrors(js).map(error => ({ ...error, path: `${path}.${error.path}` })),
        ]
      }),
    ),
  )
  return errors.slice(0, MOST_ERRORS)
}

const checkedFile = (input: Json): Result<VersionFile> => {
  const parsed = versionFileSchema.safeParse(input)
  if (!parsed.success) {
    return refused('version.format', { errors: fieldErrors(parsed.error, input).slice(0, MOST_ERRORS) })
  }
  const errors: FieldError[] = []
  const readFlow = (drawn: { flow: unknown; js?: unknown }, path: string) => {
    const flow = parseFlowFile(drawn.flow)
    errors.push(...scriptErrors(drawn.js).map(error => ({ ...error, path: path.replace(/flow$/, error.path) })))
    if (flow.ok) return { ...drawn, flow: flow.file as unknown as Json } as VersionDialog
    errors.push(...flow.errors.map(flowError).map(error => ({ ...error, path: `${path}.${error.path}` })))
    return { ...drawn, flow: null } as VersionDialog
  }
  const dialogtasks = parsed.data.dialogtasks.map((task, index) => ({
    ...task,
    dialogs: task.dialogs.map((dialog, at) => readFlow(dialog, `dialogtasks.${index}.dialogs.${at}.flow`)),
    handlers: task.handlers.map((handler, at) => readFlow(handler, `dialogtasks.${index}.handlers.${at}.flow`)),
  }))
  if (errors.length > 0) return refused('version.format', { errors: errors.slice(0, MOST_ERRORS) })
  return accepted({ ...parsed.data, dialogtasks } as unknown as VersionFile)
}
