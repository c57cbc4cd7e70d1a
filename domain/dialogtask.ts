import { accepted, type FieldError, type Result, refused } from '#schemas/refusal.ts'
import type { Live } from './behaviour.ts'

/** Requirements to publish a whole task: an existing main dialog, and no errors in any of its flows. */
export const mayPublishAll = (
  task: Live,
  dialogs: readonly string[],
  errors: number,
  faults: readonly FieldError[],
): Result<null> => {
  const main = task.fields.principaldialog
  if (typeof main !== 'string' || !dialogs.includes(main)) return refused('task.main')
  return errors > 0 ? refused('flow.invalid', { params: { count: errors }, errors: faults }) : accepted(null)
}
