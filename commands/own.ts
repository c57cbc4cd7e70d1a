import type { Attempt } from './attempt.ts'
import { createDrawn } from './flow/begin-flow.ts'
import { importFlow } from './flow/import-flow.ts'
import { restoreFlow } from './flow/restore-flow.ts'
import { userAttempts } from './people/user-attempt.ts'
import { duplicate } from './process/duplicate.ts'
import { publishAll } from './process/publish-all.ts'
import { removeTree } from './process/remove-tree.ts'
import { renameVariable } from './process/rename-variable.ts'
import { replaceText } from './process/replace-text.ts'
import { restoreTree } from './process/restore-tree.ts'
import { applyVersion } from './version/apply-version.ts'
import { createVersion, uploadVersion } from './version/create-version.ts'

/** Commands that do more than write one stream, by `<entity>.<action>`, one line each. */
export const OWN: Readonly<Record<string, Attempt>> = {
  'bot.remove': removeTree,
  'bot.renamevariable': renameVariable,
  'bot.replacetext': replaceText,
  'bot.restore': restoreTree,
  'dialogtask.remove': removeTree,
  'dialogtask.restore': restoreTree,
  'dialogtask.publishall': publishAll,
  'dialogtask.duplicate': duplicate,
  'dialog.duplicate': duplicate,
  'handler.duplicate': duplicate,
  'version.create': createVersion,
  'version.upload': uploadVersion,
  'version.apply': applyVersion,
  'dialog.create': createDrawn,
  'dialog.importflow': importFlow,
  'dialog.restoreflow': restoreFlow,
  'handler.create': createDrawn,
  'handler.importflow': importFlow,
  'handler.restoreflow': restoreFlow,
  ...userAttempts,
}
