import type { FastifyInstance } from 'fastify'
import { grantedBy, unusedPermissions } from '#domain/people/permission.ts'
import type { Row, Scope } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { handle } from '../http/handle.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { sessionOf } from './command.ts'

const idsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

interface RoleOrigin {
  readonly role: Row
  /** The group that has the role. */
  readonly group: Row
  /** The group of the person's that leads there, itself or by its parents. */
  readonly member: Row
}

/** A group and the groups above it, nearest first. */
const chainOf = async (read: Parts['read'], id: string): Promise<readonly Row[]> => {
  const chain: Row[] = []
  for (let next: unknown = id; typeof next === 'string' && !chain.some(one => one.id === next); ) {
    const group = await read.detail(SYSTEM_SCOPE, 'usergroup', next)
    if (group === undefined) break
    chain.push(group)
    next = group.parent
  }
  return chain
}

const heldBy = async (read: Parts['read'], groups: readonly string[]): Promise<readonly RoleOrigin[]> => {
  const held: RoleOrigin[] = []
  for (const id of groups) {
    const chain = await chainOf(read, id)
    const [member] = chain
    if (member === undefined) continue
    for (const group of chain) {
      for (const roleId of idsOf(group.roles)) {
        const role = await read.detail(SYSTEM_SCOPE, 'role', roleId)
        const isKnown = held.some(one => one.role.id === roleId && one.group.id === group.id)
        if (role !== undefined && !isKnown) held.push({ role, group, member })
      }
    }
  }
  return held
}

/** GET /user/{id}/rights and /usergroup/{id}/rights: permissions, with their roles and groups. */
export const addRights = (app: FastifyInstance, { read, lookup, settings }: Parts): void => {
  const named = async (scope: Scope, entity: string, { id, name }: Row) => {
    const isVisible = (await read.detail(scope, entity, id)) !== undefined
    return { id, name: isVisible ? String(name) : null }
  }

  for (const entity of ['user', 'usergroup'] as const)
    handle(app, `GET /${entity}/{id}/rights`, { permission: `read${entity}` }, async (request, reply) => {
      const { scope } = sessionOf(request)
      const { id } = request.params
      const row = await read.detail(scope, entity, id)
      if (row === undefined) return refuse(reply, { code: 'entity.notfound' })
      const held = await heldBy(read, 'usergroup' in row ? row.usergroup : [id])
      const isRoot = (await lookup.ancestors(String(row.hierarchylevel))).length === 1
      return {
        everything: entity === 'user' && settings.ALLOW_LEVEL1_DEFAULT_ACCESS && isRoot,
        grants: await Promise.all(
          held.map(async ({ role, group, member }) => ({
            role: await named(scope, 'role', role),
            group: await named(scope, 'usergroup', group),
            member: await named(scope, 'usergroup', member),
            permissions: [...grantedBy({ actions: idsOf(role.actions), services: idsOf(role.services) })].toSorted(),
          })),
        ),
      }
    })
}

const DAYS = 90
const DAY_MS = 86_400_000
const MAX_PEOPLE = 200

/** GET /role/{id}/people: holders of a role, their permissions without it, its unused permissions. */
export const addRoleHolders = (app: FastifyInstance, { read }: Parts): void => {
  const unused = async ({ actions, services }: Row, users: readonly string[]) => {
    const granted = grantedBy({ actions: idsOf(actions), services: idsOf(services) })
    return unusedPermissions(granted, await read.changeKinds(users, Date.now() - DAYS * DAY_MS))
  }

  handle(app, 'GET /role/{id}/people', { permission: 'readrole' }, async (request, reply) => {
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
  })
}
