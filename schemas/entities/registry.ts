import { checkedEntities } from '../check-entities.ts'
import type { EntityDeclaration } from '../entity.ts'
import { bot } from './bot.ts'
import { codesample } from './codesample.ts'
import { dialog } from './dialog.ts'
import { dialogcomment } from './dialogcomment.ts'
import { dialogtask } from './dialogtask.ts'
import { globalvariable } from './globalvariable.ts'
import { handler } from './handler.ts'
import { handlercomment } from './handlercomment.ts'
import { hierarchy } from './hierarchy.ts'
import { localemessage } from './localemessage.ts'
import { releasenote } from './releasenote.ts'
import { report } from './report.ts'
import { reportgroup } from './reportgroup.ts'
import { role } from './role.ts'
import { sitesearchindex } from './sitesearchindex.ts'
import { tinyurlmapping } from './tinyurlmapping.ts'
import { user } from './user.ts'
import { usergroup } from './usergroup.ts'
import { variable } from './variable.ts'
import { variableschema } from './variableschema.ts'
import { version } from './version.ts'

/** Every entity, one line each, in the order of the menus. */
export const ENTITIES = checkedEntities({
  bot,
  dialogtask,
  dialog,
  handler,
  dialogcomment,
  handlercomment,
  version,
  variable,
  variableschema,
  globalvariable,
  localemessage,
  codesample,
  releasenote,
  tinyurlmapping,
  sitesearchindex,
  report,
  reportgroup,
  user,
  usergroup,
  role,
  hierarchy,
} as const satisfies Record<string, EntityDeclaration>)

export type EntityName = keyof typeof ENTITIES

export const isEntityName = (name: string): name is EntityName => Object.hasOwn(ENTITIES, name)
export const entityOf = (name: EntityName): EntityDeclaration => ENTITIES[name]
