import type { FastifyInstance } from 'fastify'
import type { People } from '#commands/people/open-people.ts'
import { PERMISSIONS } from '#domain/people/permission.ts'
import { nothingSchema } from '#schemas/api/write.ts'
import {
  type EndSessionsBody,
  endSessionsBody,
  levelParam,
  levelsSchema,
  type SeeAsBody,
  seeAsBody,
  sessionsSchema,
  sessionUserSchema,
  ticketSchema,
  userDetailsSchema,
  userHierarchySchema,
} from '#schemas/auth.ts'
import { DEFAULT_LANGUAGE } from '#schemas/language.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Parts } from '../port.ts'
import { runWrite, sessionOf } from '../routes/command.ts'
import { clearSessionCookie, type Tickets } from './session-cookie.ts'
import { addUserSessions, sessionItems } from './user-session-route.ts'

interface SeeAsParts {
  readonly parts: Parts
  readonly people: People
}

const tags = ['auth']

/** Shows the console as another person sees it, and ends that. The session tells both to the audit. */
const addSeeAs = (app: FastifyInstance, { parts, people }: SeeAsParts): void => {
  app.post<{ Body: SeeAsBody }>(
    '/auth/seeas',
    {
      config: { permission: 'seeasuser' },
      schema: { tags, body: seeAsBody, response: { 204: nothingSchema } },
    },
    async (request, reply) => {
      const { session } = sessionOf(request).access
      const { user } = request.body
      const done = await runWrite(parts, request, reply, async () => {
        const viewable = parts.read.viewable(session, user)
        if (viewable === 'hidden') return refused('entity.notfound')
        if (viewable === 'lacking') return refused('access.view')
        return accepted({ position: await people.sessions.seeAs(session, user) })
      })
      return done === undefined ? reply : reply.code(204).send()
    },
  )

  app.post(
    '/auth/seeas/end',
    { config: { whileViewing: true }, schema: { tags, response: { 204: nothingSchema } } },
    async (request, reply) => {
      const { session } = sessionOf(request).access
      const done = await runWrite(parts, request, reply, async () =>
        accepted({ position: await people.sessions.seeAs(session, null) }),
      )
      return done === undefined ? reply : reply.code(204).send()
    },
  )
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
  app.post(
    '/auth/logout',
    { config: { whileViewing: true }, schema: { tags, response: { 204: nothingSchema } } },
    async (request, reply) => {
      const { user, session, seenBy } = sessionOf(request).access
      await people.signOut({ user: seenBy?.user ?? user, session })
      clearSessionCookie(parts, reply)
      return reply.code(204).send()
    },
  )

  app.get('/auth/session', { schema: { tags, response: { 200: sessionsSchema } } }, async request => {
    const { access } = sessionOf(request)
    return { items: await sessionItems(parts.read, access.user, access.session) }
  })

  app.post<{ Body: EndSessionsBody }>(
    '/auth/session/end',
    { schema: { tags, body: endSessionsBody, response: { 204: nothingSchema } } },
    async (request, reply) => {
      const { access } = sessionOf(request)
      const which = 'others' in request.body ? 'others' : request.body
      const done = await runWrite(parts, request, reply, async () => {
        await people.endSessions(access, which)
        return accepted({})
      })
      return done === undefined ? reply : reply.code(204).send()
    },
  )

  app.post('/realtime/ticket', { schema: { tags, response: { 200: ticketSchema } } }, async (request, reply) => {
    const { session } = sessionOf(request).access
    const done = await runWrite(parts, request, reply, async () =>
      accepted({ result: { ticket: await tickets.issue(session) } }),
    )
    return done ?? reply
  })
}

function addOwnDetails(app: FastifyInstance, { read }: Parts): void {
  app.get('/auth/user', { schema: { tags, response: { 200: sessionUserSchema } } }, async request => {
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

  app.get('/userdetails', { schema: { tags, response: { 200: userDetailsSchema } } }, async request => {
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
  app.get('/userhierarchy', { schema: { tags, response: { 200: userHierarchySchema } } }, async request => ({
    hierarchylevel: sessionOf(request).access.level,
  }))

  app.get('/selectfromoriginallevel', { schema: { tags, response: { 200: levelsSchema } } }, async request =>
    parts.read.levels(sessionOf(request).scope),
  )

  app.post<{ Params: { level: string } }>(
    '/changehierarchylevel/:level',
    { schema: { tags, params: levelParam, response: { 204: nothingSchema } } },
    async (request, reply) => {
      const { access, caller } = sessionOf(request)
      const { level } = request.params
      const done = await runWrite(parts, request, reply, async () => {
        if (!caller.subtree.has(level)) return refused('entity.notfound')
        return accepted({ position: await people.sessions.changeLevel(access.session, level) })
      })
      return done === undefined ? reply : reply.code(204).send()
    },
  )
}

/** Permissions that a role can grant; derived rights are not listed. */
const grantable = (permissions: ReadonlySet<string>) => [...permissions.intersection(PERMISSIONS)].sort()
