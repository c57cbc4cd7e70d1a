import type { FastifyInstance } from 'fastify'
import type { Person, Scope } from '#projections/port.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { accepted } from '#schemas/refusal.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { runWrite, sessionOf } from './command.ts'

const CONFIG = { permission: 'readaudit' }

type Chain = AnswerOf<'GET /audit/chain'>

/** Integrity of the log: its newest seal; time, author and findings of the last verification. */
export const addChain = (app: FastifyInstance, parts: Parts): void => {
  handle(app, 'GET /audit/chain', CONFIG, request => chainOf(parts, sessionOf(request).scope))

  handle(app, 'POST /audit/chain/verify', CONFIG, async (request, reply) => {
    const { caller, scope } = sessionOf(request)
    const done = await runWrite(parts, request, reply, async () => {
      parts.trust.verify(caller.user, request.id)
      return accepted({})
    })
    return done === undefined ? reply : reply.send(await chainOf(parts, scope))
  })
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
