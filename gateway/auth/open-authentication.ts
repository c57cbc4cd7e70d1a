import { hash, randomBytes, randomUUID } from 'node:crypto'
import { openPeople } from '#commands/people/authentication.ts'
import { finishForgetting } from '#commands/people/bootstrap.ts'
import { CHALLENGE_MS } from '#commands/people/passkey.ts'
import { sessionId } from '#commands/people/session.ts'
import { isTokenText, tokenId } from '#commands/people/token-text.ts'
import { appendIfFirst, draft, NO_STREAM, type Tail } from '#commands/pipeline/append.ts'
import { REQUEST_PREFIX } from '#commands/pipeline/idempotency-key.ts'
import type { EventStore } from '#commands/store/port.ts'
import type { Access } from '#projections/port.ts'
import { allRows, SYSTEM_SCOPE } from '#projections/scope.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import type { JsonObject } from '#schemas/event.ts'
import { entityStream } from '#schemas/events/entity.ts'
import { tokenSession } from '#schemas/events/origin.ts'
import { WrongSetting } from '#schemas/settings.ts'
import { addressList, sourceOf, unmapped } from '../http/rate-limit.ts'
import type { OpenAuthentication } from '../port.ts'
import { addAccountRoutes } from './account-route.ts'
import { addIdentityProviderTests } from './identity-provider-test.ts'
import { openProviders } from './identity-providers.ts'
import { addOidcPages, addOidcRoutes } from './oidc-route.ts'
import { PasskeyChallenges } from './passkey-route.ts'
import { createDevices, createTickets, TICKET_LIFE, type Tickets } from './session-cookie.ts'
import { addSessionRoutes } from './session-route.ts'

/** They are swept with the answers that are kept for idempotency keys. */
const streamOf = (ticket: string) => `${REQUEST_PREFIX}ticket-${hash('sha256', ticket)}`

/** Tickets of several nodes, in the store that they share: issued by one, redeemed once by any. */
const createSharedTickets = (store: EventStore, life = TICKET_LIFE, now: () => number = Date.now): Tickets => {
  const write = (stream: string, tail: Tail, type: string, data: JsonObject) => {
    const seed = randomUUID()
    const time = new Date(now()).toISOString()
    const author = { seed, actor: null, time, correlation: seed, causation: null }
    return appendIfFirst(store, stream, tail, [draft(author, type, type, null, data)])
  }

  return {
    async issue(value) {
      const ticket = randomBytes(32).toString('base64url')
      await write(streamOf(ticket), NO_STREAM, 'TicketIssued', { value, until: now() + life })
      return ticket
    },
    async redeem(ticket) {
      const stream = streamOf(ticket)
      for await (const issued of store.read(stream, { direction: 'backwards', limit: 1 })) {
        const { type, data } = issued
        if (type !== 'TicketIssued' || Number(data.until) <= now()) return undefined
        const isRedeemed = (await write(stream, issued, 'TicketRedeemed', {})) !== undefined
        return isRedeemed ? String(data.value) : undefined
      }
      return undefined
    },
  }
}

const MAX_TOKEN_LENGTH = 200
/** Searches of the store for unknown API tokens, a minute from one address: anyone can make a text with the right checksum. */
const MAX_TOKEN_SEARCHES = 60

const tokenStream = (id: string) => entityStream(ENTITIES.apitoken.name, id)

/** Routes about sessions and accounts that are open to API tokens: name, rights and levels of the caller. */
const FOR_TOKENS = ['/auth/user', '/userdetails', '/userhierarchy', '/selectfromoriginallevel']
const isForTokens = (url: string): boolean => FOR_TOKENS.some(path => url.endsWith(path))

/** Whether an address is one of these, or in one of these networks; any is where there is none. */
const isFrom = (addresses: readonly string[], address: string): boolean =>
  addresses.length === 0 || addressList(addresses)(unmapped(address))

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
    async findActing(user) {
      const tokens = await allRows(read, SYSTEM_SCOPE, 'apitoken', { user, revoked: false })
      const webhooks = await allRows(read, SYSTEM_SCOPE, 'webhook', { owner: user })
      const acting = (entity: 'apitoken' | 'webhook', rows: typeof tokens | typeof webhooks) =>
        rows.map(({ id, created_at: created }) => ({ entity, id, created }))
      return [...acting('apitoken', tokens), ...acting('webhook', webhooks)]
    },
    issuer: `Parley ${settings.INSTANCE_NAME}`,
  })
  if (settings.OIDC_ONLY && !(await people.hasBreakglass()))
    throw new WrongSetting(
      'OIDC_ONLY needs an administrator for emergencies: mark one with a password and a second factor, or run parley user reset-admin',
    )
  finishForgetting(store, keys).catch(error => parts.log.error(error))
  const devices = createDevices(keys)
  const openTickets = (life?: number) =>
    settings.EVENTSTORE_URL === undefined ? createTickets(life) : createSharedTickets(store, life)
  const challenges = new PasskeyChallenges(openTickets(CHALLENGE_MS), parts.publicUrl)
  const oidc = { parts, people, devices, challenges, providers: openProviders(parts) }
  const tickets = openTickets()
  const searches = parts.rates.addOwn(MAX_TOKEN_SEARCHES)
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
    people,
    async session(token) {
      return token.length > MAX_TOKEN_LENGTH ? undefined : byId(sessionId(token))
    },
    async token(text, address) {
      if (!isTokenText(text)) return undefined
      const id = tokenId(text)
      const accept = () => {
        const access = read.access(tokenSession(id))
        return access?.token !== undefined && isFrom(access.token.addresses, address) ? access : undefined
      }
      const known = accept()
      if (known !== undefined) return known
      if (searches.take(sourceOf(address)) !== undefined) return undefined
      // It may have been made on another node a moment ago.
      for await (const { position } of store.read(tokenStream(id), { direction: 'backwards', limit: 1 }))
        await read.reached(position)
      return accept()
    },
    async ticket(ticket) {
      const session = ticket.length > MAX_TOKEN_LENGTH ? undefined : await tickets.redeem(ticket)
      return session === undefined ? undefined : byId(session)
    },
    async routes(app) {
      await app.register(async own => {
        own.addHook('onRoute', route => {
          if (!isForTokens(route.url)) route.config = { ...route.config, sessionOnly: true }
        })
        addAccountRoutes(own, { parts, people, devices, challenges })
        addSessionRoutes(own, { parts, people, tickets })
      })
      addOidcRoutes(app, oidc)
      addIdentityProviderTests(app, oidc)
    },
    pages: app => addOidcPages(app, oidc),
  }
}
