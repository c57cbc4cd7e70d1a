import { fieldErrors } from '#domain/field-error.ts'
import { parseFlowFile } from '#domain/flow/parse-flow-file.ts'
import type { Json } from '#schemas/event.ts'
import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import { type VersionDialog, type VersionFile, versionFileSchema } from '#schemas/version-file.ts'
import { flowError } from '../flow/import-flow.ts'

const MOST_ERRORS = 50

/** Reads a version file, its flows included; anything else is `version.format` with where. */
export const readVersionFile = (input: Json): Result<VersionFile> => {
  const parsed = versionFileSchema.safeParse(input)
  if (!parsed.success) {
    return refused('version.format', { errors: fieldErrors(parsed.error, input).slice(0, MOST_ERRORS) })
  }
  const errors: FieldError[] = []
  const readFlow = (drawn: { flow: unknown }, path: string) => {
    const flow = parseFlowFile(drawn.flow)
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
