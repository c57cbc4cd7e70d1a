import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type GroupChange, patchGroup, readGroup } from '#domain/scim/scim-group.ts'
import {
  type Comparison,
  type GroupAttribute,
  readGroupFilter,
  readOperations,
  ScimFault,
} from '#domain/scim/syntax.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { RowOf } from '#schemas/row.ts'
import { RequestRefused } from '../http/failure.ts'
import { sessionOf } from '../routes/command.ts'
import { GROUP_SCHEMA } from './discovery.ts'
import { answer, type Found, type ListPart, listAnswer, partOf, readPart } from './scim-answer.ts'
import { executeAllScim, executeScim, scimScope } from './scim-caller.ts'
import type { ScimParts } from './scim-users.ts'

/** A user group with *Identified by*: others are out of reach of identity providers. */
type GroupRow = RowOf<'usergroup'>

/** Most members that one request adds and takes away. */
const MAX_CHANGED = 1_000
/** Most members of one answer. */
const MAX_MEMBERS = 100_000
/** Most groups of an answer with members. */
const MAX_WITH_MEMBERS = 10
/** Most groups with one name, in different levels. */
const MAX_SAME = 100

/** Every text but the empty one. */
const IDENTIFIED: Json = { from: '\u0001' }

const resourceOf = (base: string, row: GroupRow, members: readonly string[] | undefined): JsonObject => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  externalId: row.identifiedby,
  displayName: row.name,
  ...(members === undefined
    ? {}
    : { members: members.map(id => ({ value: id, $ref: `${base}/Users/${id}`, type: 'User' })) }),
  meta: {
    resourceType: 'Group',
    created: row.created_at,
    lastModified: row.modified_at,
    location: `${base}/Groups/${row.id}`,
    version: `W/"${row.revision}"`,
  },
})

/** A group that the provider knows by its name is also known by the name that it has in Parley. */
const holds = (row: GroupRow, { attribute, value }: Comparison<GroupAttribute>): boolean =>
  attribute === 'id'
    ? row.id === value
    : row.identifiedby === value || (attribute === 'displayname' && row.name === value)

class Groups {
  readonly #given: ScimParts

  constructor(given: ScimParts) {
    this.#given = given
  }

  /** @throws RequestRefused with 404 for a group outside of the level, and for one that is not identified */
  async require(request: FastifyRequest): Promise<GroupRow> {
    const { id } = request.params as { readonly id: string }
    const row = await this.#given.parts.read.detail(scimScope(request), 'usergroup', id)
    if (row === undefined || !row.identifiedby) throw new RequestRefused({ code: 'entity.notfound' })
    return row
  }

  async members(request: FastifyRequest, group: string): Promise<readonly string[]> {
    const { read } = this.#given.parts
    const query = { filter: { usergroup: group }, sort: 'created_at' }
    return (await read.selection(scimScope(request), 'user', query, MAX_MEMBERS)).items.map(({ id }) => id)
  }

  async list(request: FastifyRequest, part: ListPart, filter: string | undefined): Promise<Found<GroupRow>> {
    const comparisons = filter === undefined ? [] : readGroupFilter(filter)
    const [first] = comparisons
    if (first === undefined) return readPart(part, (page, size) => this.#page(request, IDENTIFIED, page, size))
    const candidates = await this.#candidates(request, first)
    const items = candidates.filter(row => comparisons.every(one => holds(row, one)))
    return { items: items.slice(part.offset, part.offset + part.count), total: items.length }
  }

  /** The group that a new one of the provider is: by its id there, else by its name. */
  async matching(request: FastifyRequest, { name, externalid }: GroupChange): Promise<GroupRow | undefined> {
    for (const value of [externalid, name]) {
      if (!value) continue
      const [found] = (await this.#page(request, value, 1, 1)).items
      if (found !== undefined) return found
    }
    return undefined
  }

  async #candidates(
    request: FastifyRequest,
    { attribute, value }: Comparison<GroupAttribute>,
  ): Promise<readonly GroupRow[]> {
    const { read } = this.#given.parts
    const scope = scimScope(request)
    const text = String(value)
    if (attribute === 'id') {
      const rows = await read.rows(scope, 'usergroup', [text])
      return rows.filter(({ identifiedby }) => identifiedby)
    }
    const identified = (await this.#page(request, text, 1, MAX_SAME)).items
    if (attribute === 'externalid') return identified
    const filter = { name: text, identifiedby: IDENTIFIED }
    const named = await read.list(scope, 'usergroup', { page: 1, size: MAX_SAME, filter, sort: 'created_at' })
    return [...identified, ...named.items.filter(({ id }) => !identified.some(one => one.id === id))]
  }

  #page(request: FastifyRequest, identifiedby: Json, page: number, size: number) {
    const { read } = this.#given.parts
    return read.list(scimScope(request), 'usergroup', { page, size, filter: { identifiedby }, sort: 'created_at' })
  }
}

interface Move {
  readonly joining: readonly string[]
  readonly leaving: readonly string[]
}

/** Those of these people or groups that belong to another service account. */
const ofOthers = async (
  { people }: ScimParts,
  request: FastifyRequest,
  entity: 'user' | 'usergroup',
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const account = sessionOf(request).caller.user
  const found = await Promise.all(ids.map(id => people.isOfAnother(account, { entity, id })))
  return new Set(ids.filter((_, at) => found[at]))
}

/**
 * The people to add and to take away. Removed ones need not exist. A request that names few people reads these alone: a
 * group may have many. People of another service account stay in a group whose members are replaced.
 * @throws ScimFault or RequestRefused before anything is changed
 */
const moveOf = async (
  given: ScimParts,
  request: FastifyRequest,
  { join, leave }: GroupChange,
  { id: group, members }: { readonly id: string; readonly members: () => Promise<readonly string[]> },
): Promise<Move> => {
  const { parts } = given
  const read = async (ids: readonly string[]) =>
    (await parts.read.rows(scimScope(request), 'user', ids)).filter(row => !('removed' in row))
  const named = leave === 'all' ? undefined : [...join.union(leave)]
  const few = named !== undefined && named.length <= MAX_CHANGED ? await read(named) : undefined
  const present = few?.flatMap(({ id, usergroup }) => (usergroup?.includes(group) ? id : [])) ?? (await members())
  const isPresent = new Set(present)
  const joining = [...join].filter(id => !isPresent.has(id))
  const leaving = present.filter(id => (leave === 'all' ? !join.has(id) : leave.has(id)))
  if (joining.length + leaving.length > MAX_CHANGED)
    throw new ScimFault('tooMany', `One request adds and takes away at most ${MAX_CHANGED} members`)
  const rows = few ?? (await read(joining))
  const known = new Set(rows.flatMap(({ id, forgotten }) => (forgotten === true ? [] : [id])))
  const unknown = joining.find(id => !known.has(id))
  if (unknown !== undefined) throw new ScimFault('invalidValue', `No User has the id ${unknown.slice(0, 100)}`)
  const others = await ofOthers(given, request, 'user', [...joining, ...leaving])
  const isRefused = joining.some(id => others.has(id)) || (leave !== 'all' && others.size > 0)
  if (isRefused) throw new RequestRefused({ code: 'access.directory' })
  return { joining, leaving: leaving.filter(id => !others.has(id)) }
}

/** Commands that add people to a group, and take people away. */
const movesOf = (group: string, how: 'join' | 'leave', people: readonly string[]) =>
  people.map(id => ({ entity: 'user', action: 'provision', id, input: { fields: {}, [how]: [group] } }))

/** Fields that a request sets. A group that is known by its name stays so under a new name. */
const fieldsOf = ({ name, externalid }: GroupChange, row?: GroupRow): JsonObject => {
  const isByName = row === undefined || row.identifiedby === row.name || externalid === null
  const identifiedby = externalid ?? (isByName ? (name ?? row?.name) : undefined)
  return { ...(name === undefined ? {} : { name }), ...(identifiedby === undefined ? {} : { identifiedby }) }
}

const excludes = (request: FastifyRequest): boolean =>
  String((request.query as { excludedAttributes?: unknown }).excludedAttributes ?? '')
    .toLowerCase()
    .split(',')
    .some(name => name.trim() === 'members')

export const addScimGroups = (app: FastifyInstance, given: ScimParts): void => {
  const { parts } = given
  const groups = new Groups(given)

  const refuseOfOthers = async (request: FastifyRequest, id: string): Promise<void> => {
    const others = await ofOthers(given, request, 'usergroup', [id])
    if (others.size > 0) throw new RequestRefused({ code: 'access.directory' })
  }

  const change = async (request: FastifyRequest, reply: FastifyReply, row: GroupRow, wanted: GroupChange) => {
    const members = () => groups.members(request, row.id)
    const { joining, leaving } = await moveOf(given, request, wanted, { id: row.id, members })
    const input = fieldsOf(wanted, row)
    const isChanged = Object.entries(input).some(([name, value]) => row[name as 'name' | 'identifiedby'] !== value)
    if (isChanged) await refuseOfOthers(request, row.id)
    if (Object.keys(input).length > 0)
      await executeScim(parts, request, reply, { entity: 'usergroup', action: 'change', id: row.id, input })
    await executeAllScim(parts, request, reply, movesOf(row.id, 'leave', leaving))
    await executeAllScim(parts, request, reply, movesOf(row.id, 'join', joining))
  }

  const answerGroup = async (request: FastifyRequest, reply: FastifyReply, id: string, status = 200) => {
    const row = await parts.read.detail(scimScope(request), 'usergroup', id)
    if (row === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    const members = excludes(request) ? undefined : await groups.members(request, id)
    if (status === 201) reply.header('location', `${given.base()}/Groups/${id}`)
    return answer(reply, status, resourceOf(given.base(), row, members))
  }

  app.get('/Groups', async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>
    const isShort = excludes(request)
    const part = isShort ? partOf(query) : partOf(query, MAX_WITH_MEMBERS)
    const found = await groups.list(request, part, query.filter === undefined ? undefined : String(query.filter))
    const resources: JsonObject[] = []
    for (const row of found.items)
      resources.push(resourceOf(given.base(), row, isShort ? undefined : await groups.members(request, row.id)))
    return answer(reply, 200, listAnswer(part, resources, found.total))
  })

  app.post('/Groups', async (request, reply) => {
    const wanted = readGroup(request.body as JsonObject | undefined)
    const known = await groups.matching(request, wanted)
    // Its name and its roles are those of an administrator, and people of other groups of the provider may be in it.
    const { name: _, externalid: __, ...members } = wanted
    if (known !== undefined) {
      await change(request, reply, known, { ...members, leave: new Set() })
      return answerGroup(request, reply, known.id, 201)
    }
    await moveOf(given, request, wanted, { id: '', members: async () => [] })
    const input = fieldsOf(wanted)
    const id = await executeScim(parts, request, reply, { entity: 'usergroup', action: 'create', input })
    const row = await parts.read.detail(scimScope(request), 'usergroup', id)
    if (row === undefined) throw new RequestRefused({ code: 'entity.notfound' })
    await change(request, reply, row, members)
    return answerGroup(request, reply, id, 201)
  })

  app.get('/Groups/:id', async (request, reply) => answerGroup(request, reply, (await groups.require(request)).id))

  app.put('/Groups/:id', async (request, reply) => {
    const row = await groups.require(request)
    await change(request, reply, row, readGroup(request.body as JsonObject | undefined))
    return answerGroup(request, reply, row.id)
  })

  app.patch('/Groups/:id', async (request, reply) => {
    const row = await groups.require(request)
    await change(request, reply, row, patchGroup(readOperations(request.body as JsonObject | undefined)))
    return reply.code(204).send()
  })

  app.delete('/Groups/:id', async (request, reply) => {
    const { id } = await groups.require(request)
    await refuseOfOthers(request, id)
    const members = await groups.members(request, id)
    const others = await ofOthers(given, request, 'user', members)
    const leaving = members.filter(member => !others.has(member))
    await executeAllScim(parts, request, reply, movesOf(id, 'leave', leaving))
    const { roles } = await groups.require(request)
    const isUsed = (roles ?? []).length > 0 || (await parts.lookup.referrers([id])).total > 0
    // An administrator has built on it: it stays, empty, and is found again.
    if (!isUsed) {
      const input = { confirm: 'CONFIRM' }
      await executeScim(parts, request, reply, { entity: 'usergroup', action: 'remove', id, input })
    }
    return reply.code(204).send()
  })
}
