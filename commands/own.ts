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
import { unlessDone } from './unless-done.ts'
import { applyVersion } from './version/apply-version.ts'
import { createVersion, uploadVersion } from './version/create-version.ts'

/** Commands that do more than write one stream, by `<entity>.<action>`, one line each. */
export const OWN: Readonly<Record<string, Attempt>> = {
  'bot.remove': unlessDone(removeTree),
  'bot.renamevariable': unlessDone(renameVariable),
  'bot.replacetext': unlessDone(replaceText),
  'bot.restore': unlessDone(restoreTree),
  'dialogtask.remove': unlessDone(removeTree),
  'dialogtask.restore': unlessDone(restoreTree),
  'dialogtask.publishall': unlessDone(publishAll),
  'dialogtask.duplicate': unlessDone(duplicate),
  'dialog.duplicate': unlessDone(duplicate),
  'handler.duplicate': unlessDone(duplicate),
  'version.create': unlessDone(createVersion),
  'version.upload': unlessDone(uploadVersion),
  'version.apply': unlessDone(applyVersion),
  'dialog.create': createDrawn,
  'dialog.importflow': unlessDone(importFlow),
  'dialog.restoreflow': unlessDone(restoreFlow),
  'handler.create': createDrawn,
  'handler.importflow': unlessDone(importFlow),
  'handler.restoreflow': unlessDone(restoreFlow),
  ...userAttempts,
}
