import type { FastifyInstance } from 'fastify'
import type { People } from '#commands/people/open-people.ts'
import { nothingSchema } from '#schemas/api/write.ts'
import { type SeeAsBody, seeAsBody } from '#schemas/auth.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Parts } from '../port.ts'
import { runWrite, sessionOf } from '../routes/command.ts'

interface SeeAsParts {
  readonly parts: Parts
  readonly people: People
}

const tags = ['auth']

/** Shows the console as another person sees it, and ends that. The session tells both to the audit. */
export const addSeeAs = (app: FastifyInstance, { parts, people }: SeeAsParts): void => {
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
