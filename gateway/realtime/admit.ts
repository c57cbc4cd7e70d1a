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
    const [person] = await read.people(scope, [access.user])
    const name = [person?.firstname, person?.lastname].filter(Boolean).join(' ')
    return {
      user: access.user,
      session,
      name: name === '' ? access.username : name,
      color: personColor(access.user),
      mayEdit: access.permissions.has(`update${kind}`),
    }
  }
