import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { assignableQuery } from '#schemas/api/query.ts'
import { assignableSchema } from '#schemas/api/write.ts'
import type { Parts, Session } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

/** Names of one answer. */
const MAX_LISTED = 1_000

/**
 * Roles or user groups of the levels above that may be assigned within a level: only their names, and only of those
 * without permissions that the caller lacks.
 */
export const addAssignable = (app: FastifyInstance, { read, lookup }: Parts, entity: 'role' | 'usergroup'): void => {
  const permissionsOf = (id: string) =>
    entity === 'role' ? lookup.permissionsOfRoles([id]) : lookup.permissionsOfGroups([id])

  const itemsOf = async ({ caller }: Session, level: string) => {
    const above = (await lookup.ancestors(level)).filter(one => !caller.subtree.has(one))
    const ids = (await Promise.all(above.map(one => lookup.children('hierarchy', one, entity)))).flat()
    const items = await Promise.all(
      ids.map(async id => {
        if ([...(await permissionsOf(id))].some(permission => !caller.permits(permission))) return []
        const row = await read.detail(SYSTEM_SCOPE, entity, id)
        return row === undefined ? [] : [{ id, name: String(row.name) }]
      }),
    )
    return items
      .flat()
      .sort((a, b) => a.name.localeCompare(b.name))
      .slice(0, MAX_LISTED)
  }

  app.get<{ Querystring: z.output<typeof assignableQuery> }>(
    `/${entity}/assignable`,
    {
      config: { permission: `read${entity}` },
      schema: { tags: [entity], querystring: assignableQuery, response: { 200: assignableSchema } },
    },
    async (request, reply) => {
      const session = sessionOf(request)
      const { hierarchylevel = session.access.level } = request.query
      if (!session.caller.subtree.has(hierarchylevel)) return refuse(reply, { code: 'entity.notfound' })
      return { items: await itemsOf(session, hierarchylevel) }
    },
  )
}
