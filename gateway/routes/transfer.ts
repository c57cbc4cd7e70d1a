import type { FastifyInstance } from 'fastify'
import type { Row, Scope } from '#projections/port.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { entityOf } from '#schemas/entities/registry.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

type Transferred = 'bot' | 'user'
type Preview = AnswerOf<'GET /bot/{id}/transfer'>

/** People named in a preview; the rest is counted. */
const MAX_NAMED = 50

const idsIn = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter(one => typeof one === 'string')

/** References of the entity that people at the new level cannot open, though those at the present level can. */
const referencesBeyond = async (
  read: Parts['read'],
  scope: Scope,
  name: Transferred,
  row: Row,
  isBeyond: (level: string) => boolean,
): Promise<Preview['beyond']> => {
  const beyond: Preview['beyond'][number][] = []
  for (const [field, { to, internal }] of Object.entries(entityOf(name).fields)) {
    if (to === undefined || internal) continue
    for (const id of idsIn(row[field])) {
      const target = await read.detail(scope, to, id)
      const level = target?.hierarchylevel
      if (target === undefined || typeof level !== 'string' || !isBeyond(level)) continue
      const title = target[entityOf(to as Transferred).title]
      beyond.push({ field, entity: to, id, name: typeof title === 'string' ? title : id })
    }
  }
  return beyond
}

/**
 * GET /bot/{id}/transfer and /user/{id}/transfer: gains and losses of access when an entity moves to a level. Writes
 * nothing.
 */
export const addTransfer = (app: FastifyInstance, { read, lookup }: Parts): void => {
  for (const name of ['bot', 'user'] as const)
    handle(app, `GET /${name}/{id}/transfer`, { permission: `transfer${name}` }, async (request, reply) => {
      const { scope, caller } = sessionOf(request)
      const { id } = request.params
      const { hierarchylevel: to } = request.query
      const row = await read.detail(scope, name, id)
      if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
      const levels = await read.levels(scope)
      if (!caller.subtree.has(to) || !levels.some(level => level.id === to))
        return refuse(reply, { code: 'validation.failed', errors: [{ path: 'hierarchylevel', code: 'reference' }] })
      const from = row.hierarchylevel ?? to
      const below = (top: string) =>
        Promise.all(
          levels.map(async level => ((await lookup.ancestors(level.id)).includes(top) ? [level.id] : [])),
        ).then(found => new Set(found.flat()))
      const [before, after] = [await below(from), await below(to)]
      const seers = (level: string) => new Set(read.holdersAt(`read${name}`, level).filter(user => user !== id))
      const peopleOf = async (users: ReadonlySet<string>): Promise<Preview['gains']> => ({
        total: users.size,
        items: [...(await read.people(scope, [...users].slice(0, MAX_NAMED)))],
      })
      const [present, next] = [seers(from), seers(to)]
      return {
        from,
        to,
        gains: await peopleOf(next.difference(present)),
        losses: await peopleOf(present.difference(next)),
        levels:
          name === 'user' ? { gains: [...after.difference(before)], losses: [...before.difference(after)] } : null,
        beyond: await referencesBeyond(read, scope, name, row, level => before.has(level) && !after.has(level)),
      }
    })
}
