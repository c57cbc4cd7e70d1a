import type { Attempt } from './attempt.ts'
import { createDrawn } from './flow/begin-flow.ts'
import { importFlow } from './flow/import-flow.ts'
import { restoreFlow } from './flow/restore-flow.ts'
import { userAttempts } from './people/user-attempt.ts'

/** Commands that do more than write one stream, by `<entity>.<action>`, one line each. */
export const OWN: Readonly<Record<string, Attempt>> = {
  'dialog.create': createDrawn,
  'dialog.importflow': importFlow,
  'dialog.restoreflow': restoreFlow,
  'handler.create': createDrawn,
  'handler.importflow': importFlow,
  'handler.restoreflow': restoreFlow,
  ...userAttempts,
}
