import type { FastifyInstance } from 'fastify'
import type { People } from '#commands/people/open-people.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { runWrite, sessionOf } from '../routes/command.ts'

interface UserSessionParts {
  readonly parts: Parts
  readonly people: People
}

const PERMISSION = { permission: 'endsessionsuser' } as const
const MAX_NAMED = 20

/** Sessions of one answer: the newest, and the one that asks. */
const MAX_LISTED = 200

/** Live sessions of a user, newest first. */
export const sessionItems = async (read: Parts['read'], user: string, current: string) => {
  const newest = read.sessionsOf(user).toSorted((one, other) => other.started.localeCompare(one.started))
  const sessions = newest.filter(({ session }, place) => place < MAX_LISTED || session === current)
  const origins = await read.origins(sessions.map(({ session }) => session))
  return sessions.map(({ session, started, expires, level }) => ({
    id: session,
    current: session === current,
    started,
    expires,
    hierarchylevel: level,
    address: origins[session]?.address ?? null,
    agent: origins[session]?.agent ?? null,
  }))
}

/** GET /user/{id}/sessions and POST /user/{id}/endsessions: sessions of other people, for those with the right to end them. */
export const addUserSessions = (app: FastifyInstance, { parts, people }: UserSessionParts): void => {
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
