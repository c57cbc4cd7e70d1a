import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProvisionedPeople } from '#commands/people/provision.ts'
import { patchUser, readUser, type UserChange } from '#domain/scim/scim-user.ts'
import { type Comparison, readOperations, readUserFilter, type UserAttribute } from '#domain/scim/syntax.ts'
import type { JsonObject } from '#schemas/event.ts'
import { foldName } from '#schemas/fold-text.ts'
import type { RowOf } from '#schemas/row.ts'
import { RequestRefused } from '../http/failure.ts'
import type { Parts } from '../port.ts'
import { USER_SCHEMA } from './discovery.ts'
import { answer, type Found, type ListPart, listAnswer, partOf, readPart } from './scim-answer.ts'
import { executeScim, scimLevel, scimScope } from './scim-caller.ts'

type UserRow = RowOf<'user'>

/** A person as the provider of a level sees them. */
interface ScimUser {
  readonly row: UserRow
  readonly externalId: string | undefined
  readonly groups: readonly { readonly id: string; readonly name: string }[]
}

export interface ScimParts {
  readonly parts: Parts
  readonly people: ProvisionedPeople
  /** Address of the interface. */
  readonly base: () => string
}

const resourceOf = (base: string, { row, externalId, groups }: ScimUser): JsonObject => {
  const { id, username, firstname, lastname, email, language, locked, created_at, modified_at, revision } = row
  const formatted = [firstname, lastname].filter(Boolean).join(' ')
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId === undefined ? {} : { externalId }),
    userName: username ?? '',
    name: {
      ...(firstname === null ? {} : { givenName: firstname }),
      ...(lastname === null ? {} : { familyName: lastname }),
      ...(formatted === '' ? {} : { formatted }),
    },
    emails: email === null ? [] : [{ value: email, type: 'work', primary: true }],
    ...(language === null ? {} : { locale: language }),
    active: locked !== true,
    groups: groups.map(group => ({ value: group.id, $ref: `${base}/Groups/${group.id}`, display: group.name })),
    meta: {
      resourceType: 'User',
      created: created_at,
      lastModified: modified_at,
      location: `${base}/Users/${id}`,
      version: `W/"${revision}"`,
    },
  }
}

const holds = ({ row, externalId }: ScimUser, { attribute, value }: Comparison<UserAttribute>): boolean => {
  const text = String(value)
  switch (attribute) {
    case 'id':
      return row.id === text
    case 'username':
      return foldName(row.username ?? '') === foldName(text)
    case 'externalid':
      return externalId === text
    case 'active':
      return value === (row.locked !== true)
    default:
      return row.email?.toLowerCase() === text.toLowerCase()
  }
}

/** Input of the command for what a request sets. */
const inputOf = (level: string, { active, externalid, ...fields }: UserChange): JsonObject => ({
  fields: { ...fields },
  ...(active === undefined ? {} : { active }),
  ...(externalid === undefined ? {} : { external: { level, id: externalid } }),
})

class Users {
  readonly #given: ScimParts

  constructor(given: ScimParts) {
    this.#given = given
  }

  /** Undefined: outside of the level, removed or forgotten. */
  async find(request: FastifyRequest, id: string): Promise<ScimUser | undefined> {
    const row = await this.#given.parts.read.detail(scimScope(request), 'user', id)
    return row === undefined || row.forgotten === true ? undefined : (await this.#complete(request, [row]))[0]
  }

  /** @throws RequestRefused with 404 */
  async require(request: FastifyRequest): Promise<ScimUser> {
    const found = await this.find(request, (request.params as { readonly id: string }).id)
    if (found === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    return found
  }

  async list(request: FastifyRequest, part: ListPart, filter: string | undefined): Promise<Found<ScimUser>> {
    const comparisons = filter === undefined ? [] : readUserFilter(filter)
    const key = KEYS.flatMap(name => comparisons.find(({ attribute }) => attribute === name) ?? [])[0]
    if (key !== undefined) return this.#byKey(request, part, key, comparisons)
    const active = comparisons.map(({ value }) => value)
    if (active.includes(true) && active.includes(false)) return { items: [], total: 0 }
    const where = active.length === 0 ? {} : { locked: active[0] !== true }
    const { items, total } = await readPart(part, (page, size) =>
      this.#given.parts.read.list(scimScope(request), 'user', { page, size, filter: where, sort: 'created_at' }),
    )
    return { items: await this.#complete(request, items), total }
  }

  async #byKey(
    request: FastifyRequest,
    { offset, count }: ListPart,
    key: Comparison<UserAttribute>,
    all: readonly Comparison<UserAttribute>[],
  ): Promise<Found<ScimUser>> {
    const id = await this.#idOf(request, key)
    const found = id === undefined ? undefined : await this.find(request, id)
    const items = found !== undefined && all.every(one => holds(found, one)) ? [found] : []
    return { items: items.slice(offset, offset + count), total: items.length }
  }

  #idOf(request: FastifyRequest, { attribute, value }: Comparison<UserAttribute>): Promise<string | undefined> {
    const { people } = this.#given
    const text = String(value)
    if (attribute === 'id') return Promise.resolve(text)
    if (attribute === 'externalid') return people.byExternalId(scimLevel(request), text)
    return attribute === 'username' ? people.byUsername(text) : people.byEmail(text)
  }

  async #complete(request: FastifyRequest, rows: readonly UserRow[]): Promise<readonly ScimUser[]> {
    const { parts, people } = this.#given
    const level = scimLevel(request)
    const ids = [...new Set(rows.flatMap(({ usergroup }) => usergroup ?? []))]
    const groups = ids.length === 0 ? [] : await parts.read.rows(scimScope(request), 'usergroup', ids)
    const named = new Map(groups.flatMap(({ id, name, identifiedby }) => (identifiedby ? [[id, { id, name }]] : [])))
    return Promise.all(
      rows.map(async row => ({
        row,
        externalId: await people.externalId(level, row.id),
        groups: (row.usergroup ?? []).flatMap(id => named.get(id) ?? []),
      })),
    )
  }
}

/** Attributes that lead to one person, the cheapest first. */
const KEYS = ['id', 'externalid', 'username', 'emails[type eq "work"].value'] as const

/** A user of the root may be given every right by a setting: nobody is made there who is in no group yet. */
const refuseAtOpenRoot = async ({ parts }: ScimParts, request: FastifyRequest): Promise<void> => {
  if (!parts.settings.ALLOW_LEVEL1_DEFAULT_ACCESS) return
  const above = await parts.lookup.ancestors(scimLevel(request))
  if (above.length === 1) throw new RequestRefused({ code: 'access.forbidden' })
}

export const addScimUsers = (app: FastifyInstance, given: ScimParts): void => {
  const users = new Users(given)
  const provision = (request: FastifyRequest, reply: FastifyReply, change: UserChange, id = '') =>
    executeScim(given.parts, request, reply, {
      entity: 'user',
      action: 'provision',
      id,
      input: inputOf(scimLevel(request), change),
    })
  const answerUser = async (request: FastifyRequest, reply: FastifyReply, id: string, status = 200) => {
    const found = await users.find(request, id)
    if (found === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    const resource = resourceOf(given.base(), found)
    if (status === 201) reply.header('location', `${given.base()}/Users/${id}`)
    return answer(reply, status, resource)
  }

  app.get('/Users', async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>
    const part = partOf(query)
    const found = await users.list(request, part, query.filter === undefined ? undefined : String(query.filter))
    const resources = found.items.map(user => resourceOf(given.base(), user))
    return answer(reply, 200, listAnswer(part, resources, found.total))
  })

  app.post('/Users', async (request, reply) => {
    const change = readUser(request.body as JsonObject | undefined, false)
    await refuseAtOpenRoot(given, request)
    const id = await provision(request, reply, change)
    return answerUser(request, reply, id, 201)
  })

  app.get('/Users/:id', async (request, reply) => {
    const { row } = await users.require(request)
    return answerUser(request, reply, row.id)
  })

  app.put('/Users/:id', async (request, reply) => {
    const { row } = await users.require(request)
    const change = readUser(request.body as JsonObject | undefined, true)
    await provision(request, reply, change, row.id)
    return answerUser(request, reply, row.id)
  })

  app.patch('/Users/:id', async (request, reply) => {
    const { row } = await users.require(request)
    const change = patchUser(readOperations(request.body as JsonObject | undefined))
    await provision(request, reply, change, row.id)
    return answerUser(request, reply, row.id)
  })

  app.delete('/Users/:id', async (request, reply) => {
    const { row } = await users.require(request)
    await provision(request, reply, { active: false }, row.id)
    return reply.code(204).send()
  })
}
