import { gatherFlow } from '../flow/gather-flow.ts'
import { gatherComment } from '../lookup/gather-comment.ts'
import { gatherHierarchy } from '../people/gather-hierarchy.ts'
import { gatherRole } from '../people/gather-role.ts'
import { gatherUser } from '../people/gather-user.ts'
import { gatherUsergroup } from '../people/gather-usergroup.ts'
import type { Gather } from './gatherer.ts'

/** By entity, one line each. */
export const GATHERERS: Readonly<Record<string, Gather>> = {
  dialog: gatherFlow,
  handler: gatherFlow,
  dialogcomment: gatherComment,
  handlercomment: gatherComment,
  user: gatherUser,
  usergroup: gatherUsergroup,
  role: gatherRole,
  hierarchy: gatherHierarchy,
}
