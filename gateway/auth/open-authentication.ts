import { finishForgetting } from '#commands/people/finish-forgetting.ts'
import { openPeople } from '#commands/people/open-people.ts'
import { sessionId } from '#commands/people/session.ts'
import type { Access } from '#projections/port.ts'
import type { OpenAuthentication } from '../port.ts'
import { addAccountRoutes } from './account-route.ts'
import { createDevices } from './device.ts'
import { addSessionRoutes } from './session-route.ts'
import { createSharedTickets } from './shared-ticket.ts'
import { createTickets } from './ticket.ts'

const MAX_TOKEN_LENGTH = 200

export const openAuthentication: OpenAuthentication = async parts => {
  const { settings, store, keys, lookup, commands, read } = parts
  const people = await openPeople({
    store,
    keys,
    lookup,
    commands,
    sessionHours: settings.SESSION_HOURS,
    loginAttempts: settings.LOGIN_ATTEMPTS,
    issuer: `Parley ${settings.INSTANCE_NAME}`,
  })
  finishForgetting(store, keys).catch(error => parts.log.error(error))
  const devices = createDevices(keys)
  const tickets = settings.EVENTSTORE_URL === undefined ? createTickets() : createSharedTickets(store)
  const byId = async (id: string): Promise<Access | undefined> => {
    const access = read.access(id)
    if (access !== undefined) return access
    // It may have been started on another node, or a moment ago.
    const started = await people.sessions.read(id)
    if (started === undefined) return undefined
    await read.reached(started.position)
    return read.access(id)
  }
  return {
    async session(token) {
      return token.length > MAX_TOKEN_LENGTH ? undefined : byId(sessionId(token))
    },
    async ticket(ticket) {
      const session = ticket.length > MAX_TOKEN_LENGTH ? undefined : await tickets.redeem(ticket)
      return session === undefined ? undefined : byId(session)
    },
    async routes(app) {
      addAccountRoutes(app, { parts, people, devices })
      addSessionRoutes(app, { parts, people, tickets })
    },
  }
}
