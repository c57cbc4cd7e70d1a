import type { FastifyInstance } from 'fastify'
import type { People } from '#commands/people/authentication.ts'
import { PERMISSIONS } from '#domain/people/permission.ts'
import { DEFAULT_LANGUAGE } from '#schemas/language.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from '../routes/command.ts'
import { clearSessionCookie, type Tickets } from './session-cookie.ts'

interface UserSessionParts {
  readonly parts: Parts
  readonly people: People
}

const PERMISSION = { permission: 'endsessionsuser' } as const
const MAX_NAMED = 20

/** Sessions of one answer: the newest, and the one that asks. */
const MAX_LISTED = 200

/** Live sessions of a user, newest first. */
const sessionItems = async (read: Parts['read'], user: string, current: string) => {
  const newest = read.sessionsOf(user).toSorted((one, other) => other.started.localeCompare(one.started))
  const sessions = newest.filter(({ session }, place) => place < MAX_LISTED || session === current)
  const origins = await read.origins(sessions.map(({ session }) => session))
  return sessions.flatMap(({ session, started, expires, level, way }) => {
    if (way === undefined) return []
    const { address = null, agent = null } = origins[session] ?? {}
    return { id: session, current: session === current, started, expires, hierarchylevel: level, way, address, agent }
  })
}

/** GET /user/{id}/sessions and POST /user/{id}/endsessions: sessions of other people, for those with the right to end them. */
const addUserSessions = (app: FastifyInstance, { parts, people }: UserSessionParts): void => {
  const { read, lookup } = parts

  handle(app, 'GET /user/{id}/sessions', PERMISSION, async (request, reply) => {
    const { access, scope } = sessionOf(request)
    const { id } = request.params
    if ((await read.detail(scope, 'user', id)) === undefined) return refuse(reply, { code: 'entity.notfound' })
    return { items: await sessionItems(read, id, access.session) }
  })

  handle(app, 'POST /user/{id}/endsessions', PERMISSION, async (request, reply) => {
    const { access, scope } = sessionOf(request)
    const { id } = request.params
    const which = 'all' in request.body ? 'all' : request.body
    const done = await runWrite(parts, request, reply, async (_seed, caller) => {
      if ((await read.detail(scope, 'user', id)) === undefined) return refused('entity.notfound')
      const theirs = await lookup.permissionsOfUser(id)
      const lacking = [...theirs].filter(permission => !caller.permits(permission)).toSorted()
      // The same rule as for locking: no caller acts on users with more rights than their own.
      if (lacking.length > 0) return refused('access.lacking', { params: { permissions: lacking.slice(0, MAX_NAMED) } })
      await people.endSessionsOf(id, which, { user: access.user, session: access.session })
      return accepted({})
    })
    return done === undefined ? reply : reply.send()
  })
}

interface SeeAsParts {
  readonly parts: Parts
  readonly people: People
}

/** Shows the console as another person sees it, and ends that. The session tells both to the audit. */
const addSeeAs = (app: FastifyInstance, { parts, people }: SeeAsParts): void => {
  handle(app, 'POST /auth/seeas', { permission: 'seeasuser' }, async (request, reply) => {
    const { session } = sessionOf(request).access
    const { user } = request.body
    const done = await runWrite(parts, request, reply, async () => {
      const viewable = parts.read.viewable(session, user)
      if (viewable === 'hidden') return refused('entity.notfound')
      if (viewable === 'lacking') return refused('access.view')
      return accepted({ position: await people.sessions.seeAs(session, user) })
    })
    return done === undefined ? reply : reply.send()
  })

  handle(app, 'POST /auth/seeas/end', { whileViewing: true }, async (request, reply) => {
    const { session } = sessionOf(request).access
    const done = await runWrite(parts, request, reply, async () =>
      accepted({ position: await people.sessions.seeAs(session, null) }),
    )
    return done === undefined ? reply : reply.send()
  })
}

interface SessionParts {
  readonly parts: Parts
  readonly people: People
  readonly tickets: Tickets
}

export const addSessionRoutes = (app: FastifyInstance, given: SessionParts): void => {
  addSessions(app, given)
  addOwnDetails(app, given.parts)
  addOwnLevel(app, given)
  addSeeAs(app, given)
  addUserSessions(app, given)
}

function addSessions(app: FastifyInstance, { parts, people, tickets }: SessionParts): void {
  handle(app, 'POST /auth/logout', { whileViewing: true }, async (request, reply) => {
    const { user, session, seenBy } = sessionOf(request).access
    await people.signOut({ user: seenBy?.user ?? user, session })
    clearSessionCookie(parts, reply)
    return reply.send()
  })

  handle(app, 'GET /auth/session', {}, async request => {
    const { access } = sessionOf(request)
    return { items: await sessionItems(parts.read, access.user, access.session) }
  })

  handle(app, 'POST /auth/session/end', {}, async (request, reply) => {
    const { access } = sessionOf(request)
    const which = 'others' in request.body ? 'others' : request.body
    const done = await runWrite(parts, request, reply, async () => {
      await people.endSessions(access, which)
      return accepted({})
    })
    return done === undefined ? reply : reply.send()
  })

  handle(app, 'POST /realtime/ticket', {}, async (request, reply) => {
    const { session } = sessionOf(request).access
    const done = await runWrite(parts, request, reply, async () =>
      accepted({ result: { ticket: await tickets.issue(session) } }),
    )
    return done === undefined ? reply : reply.send(done)
  })
}

function addOwnDetails(app: FastifyInstance, { read }: Parts): void {
  handle(app, 'GET /auth/user', {}, async request => {
    const { access, scope } = sessionOf(request)
    const row = await read.detail(scope, 'user', access.user)
    return {
      user: {
        id: access.user,
        username: access.username,
        firstname: row?.firstname || null,
        lastname: row?.lastname || null,
        profilepic: row?.profilepic || null,
        language: row?.language ?? DEFAULT_LANGUAGE,
        hierarchylevel: access.level,
        permissions: grantable(access.permissions),
        ...(access.seenBy === undefined
          ? {}
          : { seenby: { id: access.seenBy.user, username: access.seenBy.username } }),
      },
    }
  })

  handle(app, 'GET /userdetails', {}, async request => {
    const { access, scope } = sessionOf(request)
    const row = await read.detail(scope, 'user', access.user)
    const name = [row?.firstname, row?.lastname].filter(part => part).join(' ')
    return {
      name: name === '' ? access.username : name,
      hierarchylevel: access.level,
      permissions: grantable(access.permissions),
      last_password_changed_at: row?.last_password_changed_at || null,
    }
  })
}

function addOwnLevel(app: FastifyInstance, { parts, people }: SessionParts): void {
  handle(app, 'GET /userhierarchy', {}, async request => ({
    hierarchylevel: sessionOf(request).access.level,
  }))

  handle(app, 'GET /selectfromoriginallevel', {}, async request => parts.read.levels(sessionOf(request).scope))

  handle(app, 'POST /changehierarchylevel/{level}', {}, async (request, reply) => {
    const { access, caller } = sessionOf(request)
    const { level } = request.params
    const done = await runWrite(parts, request, reply, async () => {
      if (!caller.subtree.has(level)) return refused('entity.notfound')
      return accepted({ position: await people.sessions.changeLevel(access.session, level) })
    })
    return done === undefined ? reply : reply.send()
  })
}

/** Permissions that a role can grant; derived rights are not listed. */
const grantable = (permissions: ReadonlySet<string>) => [...permissions.intersection(PERMISSIONS)].sort()
