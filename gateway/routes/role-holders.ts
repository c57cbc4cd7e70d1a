import type { FastifyInstance } from 'fastify'
import { grantedBy } from '#domain/people/permission.ts'
import { unusedOf } from '#domain/people/unused.ts'
import type { Row } from '#projections/port.ts'
import { roleHoldersSchema } from '#schemas/api/rights.ts'
import { idParam } from '#schemas/api/write.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

const DAYS = 90
const DAY_MS = 86_400_000
const MAX_PEOPLE = 200

const idsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

/** GET /role/{id}/people: holders of a role, their permissions without it, its unused permissions. */
export const addRoleHolders = (app: FastifyInstance, { read }: Parts): void => {
  const unused = async ({ actions, services }: Row, users: readonly string[]) => {
    const granted = grantedBy({ actions: idsOf(actions), services: idsOf(services) })
    return unusedOf(granted, await read.changeKinds(users, Date.now() - DAYS * DAY_MS))
  }

  app.get<{ Params: { id: string } }>(
    '/role/:id/people',
    {
      config: { permission: 'readrole' },
      schema: { tags: ['role'], params: idParam, response: { 200: roleHoldersSchema } },
    },
    async (request, reply) => {
      const { scope } = sessionOf(request)
      const row = await read.detail(scope, 'role', request.params.id)
      if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
      const holders = read.roleHolders(request.params.id)
      const setOf = new Map(holders.flatMap(({ users }, set) => users.map(id => [id, set] as const)))
      const seen = await read.people(scope, [...setOf.keys()])
      const people = seen
        .filter(({ username }) => username !== null)
        .map(({ id, username, firstname = null, lastname = null }) => {
          return { id, username, firstname, lastname, set: setOf.get(id) ?? 0 }
        })
        .toSorted((one, other) => String(one.username).localeCompare(String(other.username)))
      return {
        total: setOf.size,
        people: people.slice(0, MAX_PEOPLE),
        sets: holders.map(({ elsewhere }) => [...elsewhere].toSorted()),
        days: DAYS,
        unused: await unused(row, [...setOf.keys()]),
      }
    },
  )
}
