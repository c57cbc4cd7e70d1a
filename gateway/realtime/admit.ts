import { personColor } from '#domain/person-color.ts'
import type { ReadModels } from '#projections/port.ts'
import { scopeOf } from '#projections/scope.ts'
import type { Admit } from '#realtime/port.ts'

/** Whether a session may enter a flow's room, and whether as an editor: asked at the upgrade and on every change of access. */
export const openAdmit =
  (read: ReadModels): Admit =>
  async (kind, id, session) => {
    const access = read.access(session)
    if (access === undefined || access.expires <= new Date().toISOString()) return { close: 4401 }
    if (!access.permissions.has(`read${kind}`)) return { close: 4403 }
    const scope = scopeOf(access)
    if ((await read.detail(scope, kind, id)) === undefined) return { close: 4404 }
    // Others meet who looks, not the person whose view is shown.
    const member = access.seenBy ?? access
    const [person] = await read.people(scope, [member.user])
    const name = [person?.firstname, person?.lastname].filter(Boolean).join(' ')
    return {
      user: member.user,
      session,
      name: name === '' ? member.username : name,
      color: personColor(member.user),
      mayEdit: access.seenBy === undefined && access.permissions.has(`update${kind}`),
    }
  }
