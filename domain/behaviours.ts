import type { Behaviour } from './behaviour.ts'
import { hierarchyBehaviour } from './people/hierarchy.ts'
import { roleBehaviour } from './people/role.ts'
import { userBehaviour } from './people/user.ts'
import { usergroupBehaviour } from './people/usergroup.ts'

/** Entities that do more than being made, changed, removed and restored, one line each. */
export const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  user: userBehaviour,
  usergroup: usergroupBehaviour,
  role: roleBehaviour,
  hierarchy: hierarchyBehaviour,
}
