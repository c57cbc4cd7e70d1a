import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Person, Scope } from '#projections/port.ts'
import { chainSchema } from '#schemas/api/chain.ts'
import { accepted } from '#schemas/refusal.ts'
import type { Parts } from '../port.ts'
import { runWrite, sessionOf } from './command.ts'

const TAGS = ['audit']
const CONFIG = { permission: 'readaudit' }

type Chain = z.infer<typeof chainSchema>

/** Integrity of the log: its newest seal; time, author and findings of the last verification. */
export const addChain = (app: FastifyInstance, parts: Parts): void => {
  app.get('/audit/chain', { config: CONFIG, schema: { tags: TAGS, response: { 200: chainSchema } } }, request =>
    chainOf(parts, sessionOf(request).scope),
  )

  app.post(
    '/audit/chain/verify',
    { config: CONFIG, schema: { tags: TAGS, response: { 202: chainSchema } } },
    async (request, reply) => {
      const { caller, scope } = sessionOf(request)
      const done = await runWrite(parts, request, reply, async () => {
        parts.trust.verify(caller.user, request.id)
        return accepted({})
      })
      return done === undefined ? reply : reply.code(202).send(await chainOf(parts, scope))
    },
  )
}

/** Only callers who see all levels learn the place of a break: stream names hold ids from any level. */
async function chainOf({ trust, read }: Parts, scope: Scope): Promise<Chain> {
  // Read before the findings: a verification that ends in between is then shown as running, never as without findings.
  const { running } = trust
  const [seal, verified] = await Promise.all([trust.newestSeal(), trust.newestVerification()])
  const people = await read.people(
    scope,
    [verified?.actor, running?.actor].filter(id => typeof id === 'string'),
  )
  const personOf = (id: string | null): Person | null => people.find(person => person.id === id) ?? null
  const seesAll = (await read.levels(scope)).some(({ parent }) => parent === null)
  return {
    key: trust.key,
    seal: seal === undefined ? null : { number: seal.number, time: seal.time, events: seal.total },
    unsealed: trust.unsealed,
    running: running === undefined ? null : { since: running.since, user: personOf(running.actor) },
    verification:
      verified === undefined
        ? null
        : {
            ...verified.result,
            time: verified.time,
            user: personOf(verified.actor),
            findings: seesAll ? verified.result.findings : [],
          },
  }
}
