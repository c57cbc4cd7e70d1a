import { hash, randomBytes, randomUUID } from 'node:crypto'
import { openPeople } from '#commands/people/authentication.ts'
import { finishForgetting } from '#commands/people/bootstrap.ts'
import { sessionId } from '#commands/people/session.ts'
import { draft, NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import { REQUEST_PREFIX } from '#commands/pipeline/idempotency-key.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Access } from '#projections/port.ts'
import { appendIfFirst } from '#runtime/log/stream-aggregate.ts'
import type { JsonObject } from '#schemas/event.ts'
import { WrongSetting } from '#schemas/settings.ts'
import type { OpenAuthentication } from '../port.ts'
import { addAccountRoutes } from './account-route.ts'
import { openProviders } from './identity-providers.ts'
import { addOidcPages, addOidcRoutes } from './oidc-route.ts'
import { createDevices, createTickets, TICKET_LIFE, type Tickets } from './session-cookie.ts'
import { addSessionRoutes } from './session-route.ts'

/** They are swept with the answers that are kept for idempotency keys. */
const streamOf = (ticket: string) => `${REQUEST_PREFIX}ticket-${hash('sha256', ticket)}`

/** Tickets of several nodes, in the store that they share: issued by one, redeemed once by any. */
const createSharedTickets = (store: EventStore, now: () => number = Date.now): Tickets => {
  const write = (stream: string, tail: Tail, type: string, data: JsonObject) => {
    const seed = randomUUID()
    const time = new Date(now()).toISOString()
    const author = { seed, actor: null, time, correlation: seed, causation: null }
    return appendIfFirst(store, stream, tail, [draft(author, type, type, null, data)])
  }

  return {
    async issue(session) {
      const ticket = randomBytes(32).toString('base64url')
      await write(streamOf(ticket), NO_STREAM, 'TicketIssued', { session, until: now() + TICKET_LIFE })
      return ticket
    },
    async redeem(ticket) {
      const stream = streamOf(ticket)
      for await (const issued of store.read(stream, { direction: 'backwards', limit: 1 })) {
        const { type, data } = issued
        if (type !== 'TicketIssued' || Number(data.until) <= now()) return undefined
        const isRedeemed = (await write(stream, issued, 'TicketRedeemed', {})) !== undefined
        return isRedeemed ? String(data.session) : undefined
      }
      return undefined
    },
  }
}

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
    onlyProviders: settings.OIDC_ONLY,
    warn: line => parts.log.warn(line),
    issuer: `Parley ${settings.INSTANCE_NAME}`,
  })
  if (settings.OIDC_ONLY && !(await people.hasBreakglass()))
    throw new WrongSetting(
      'OIDC_ONLY needs an administrator for emergencies: mark one with a password and a second factor, or run parley user reset-admin',
    )
  finishForgetting(store, keys).catch(error => parts.log.error(error))
  const devices = createDevices(keys)
  const oidc = { parts, people, devices, providers: openProviders(parts) }
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
      addOidcRoutes(app, oidc)
    },
    pages: app => addOidcPages(app, oidc),
  }
}
