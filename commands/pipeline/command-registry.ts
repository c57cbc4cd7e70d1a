import { createDrawn } from '../flow/begin-flow.ts'
import { importFlow } from '../flow/import-flow.ts'
import { restoreFlow } from '../flow/restore-flow.ts'
import { userAttempts } from '../people/user-attempt.ts'
import { withCurrentPlans } from '../process/current-plan.ts'
import { duplicate } from '../process/duplicate.ts'
import { publishAll } from '../process/publish-all.ts'
import { removeTree } from '../process/remove-tree.ts'
import { renameVariable } from '../process/rename-variable.ts'
import { replaceText } from '../process/replace-text.ts'
import { restoreTree } from '../process/restore-tree.ts'
import { applyVersion } from '../version/apply-version.ts'
import { createVersion, uploadVersion } from '../version/create-version.ts'
import type { Attempt } from './attempt.ts'
import { freshlyOnce } from './bypass-cache.ts'
import { unlessDone } from './idempotent.ts'

/**
 * An attempt that appends to other streams than its target's: no append finds out that a cached target is stale, so it
 * is read from the store, and a process that it begins checks the target again.
 */
const beside = (attempt: Attempt): Attempt =>
  unlessDone((tools, run) => attempt(withCurrentPlans(freshlyOnce(tools), run), run))

/** What removes and restores a thing with all that lies in it. */
export const OF_A_TREE: Readonly<Record<string, Attempt>> = {
  remove: beside(removeTree),
  restore: beside(restoreTree),
}

/** Commands that do more than write one stream, by `<entity>.<action>`, one line each. */
export const OWN: Readonly<Record<string, Attempt>> = {
  'bot.renamevariable': beside(renameVariable),
  'bot.replacetext': beside(replaceText),
  'dialogtask.publishall': beside(publishAll),
  'dialogtask.duplicate': beside(duplicate),
  'dialog.duplicate': beside(duplicate),
  'handler.duplicate': beside(duplicate),
  'version.create': beside(createVersion),
  'version.upload': beside(uploadVersion),
  'version.apply': beside(applyVersion),
  'dialog.create': createDrawn,
  'dialog.importflow': beside(importFlow),
  'dialog.restoreflow': beside(restoreFlow),
  'handler.create': createDrawn,
  'handler.importflow': beside(importFlow),
  'handler.restoreflow': beside(restoreFlow),
  ...userAttempts,
}
