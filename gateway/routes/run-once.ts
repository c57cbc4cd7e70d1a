import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Author } from '#commands/author.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Result } from '#schemas/refusal.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { callerOf, type Done, keyOf, shown } from './command.ts'

interface Written {
  readonly revision: number
  readonly position?: string
  readonly result?: JsonObject
}

type Target = { readonly entity: string; readonly action: string; readonly id: string }

/** A write that is no command of an entity, under the same rules: at most once for a key, answered when it can be read. */
export const runOnce = async (
  parts: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
  target: Target,
  write: (author: Author) => Promise<Result<Written>>,
): Promise<Done | undefined> => {
  const key = keyOf(request)
  const caller = callerOf(request)
  const command = { ...target, input: {}, caller, correlation: request.id, ...(key === undefined ? {} : { key }) }
  const outcome = await parts.once(command, async seed => {
    const time = new Date().toISOString()
    const written = await write({ seed, actor: caller.user, time, correlation: request.id, causation: null })
    return written.ok ? { ok: true, id: target.id, ...written.value } : written
  })
  if (!outcome.ok) {
    refuse(reply, outcome.refusal)
    return undefined
  }
  await shown(parts, reply, outcome.position)
  return outcome
}
