import { dialogcomment } from '#schemas/entities/dialogcomment.ts'
import { handlercomment } from '#schemas/entities/handlercomment.ts'
import type { Behaviour } from './behaviour.ts'
import { botBehaviour } from './bot.ts'
import { commentBehaviour } from './comment.ts'
import { dialogBehaviour } from './dialog.ts'
import { handlerBehaviour } from './handler.ts'
import { hierarchyBehaviour } from './people/hierarchy.ts'
import { roleBehaviour } from './people/role.ts'
import { userBehaviour } from './people/user.ts'
import { usergroupBehaviour } from './people/usergroup.ts'

/** Entities that do more than being made, changed, removed and restored, one line each. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  bot: botBehaviour,
  dialog: dialogBehaviour,
  handler: handlerBehaviour,
  dialogcomment: commentBehaviour(dialogcomment),
  handlercomment: commentBehaviour(handlercomment),
  user: userBehaviour,
  usergroup: usergroupBehaviour,
  role: roleBehaviour,
  hierarchy: hierarchyBehaviour,
}
