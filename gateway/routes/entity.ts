import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Row, Scope } from '#projections/port.ts'
import type { BotServices } from '#runtime/service/bot-services.ts'
import { entitySchemas } from '#schemas/api/entity.ts'
import { filtersOf, listQuery } from '#schemas/api/query.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { entityOf } from '#schemas/entities/registry.ts'
import { actionBodySchema, type EntityDeclaration } from '#schemas/entity.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { deferSchema, handle, type IdRequest } from '../http/handle.ts'
import { isKnownRevision } from '../http/headers.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { neededRevisionOf, revisionOf, runCommand, sessionOf } from './command.ts'
import { addExport, listQueryOf } from './export.ts'
import { addBulk } from './process.ts'

/** Side effects outside of the log after an action; returns further members of its answer. */
type ActionFollowUp = (entity: string, action: string, id: string) => Promise<JsonObject>

/** `fix` of a bot says per service what it did. */
const operateBots =
  (services: BotServices | undefined): ActionFollowUp =>
  async (entity, action, id) =>
    entity === 'bot' && action === 'fix' && services !== undefined
      ? ((await services.fix(id)) as unknown as JsonObject)
      : {}

/** Everything that one declared entity can be asked over HTTP. */
export const addEntity = (
  app: FastifyInstance,
  parts: Parts,
  entity: EntityDeclaration,
  services: BotServices | undefined,
): void => {
  addExport(app, parts, entity)
  addReads(app, parts, entity)
  addPastReads(app, parts, entity)
  if (entity.writtenBy === 'system') return
  addBulk(app, parts, entity)
  addWrites(app, parts, entity)
  addActions(app, parts, entity, operateBots(services))
}

const missing = (reply: FastifyReply) => refuse(reply, { code: 'entity.notfound' })

function addReads(app: FastifyInstance, { read }: Parts, entity: EntityDeclaration): void {
  const { name } = entity
  const filters = filtersOf(entity)
  const route = { path: { entity: name }, permission: `read${name}` }
  const isUnversioned = Object.values<Field>(entity.fields).some(({ unversioned }) => unversioned === true)

  handle(
    app,
    'GET /{entity}',
    {
      ...route,
      schemas: { query: deferSchema(() => listQuery(entity)), answer: deferSchema(() => entitySchemas(entity).page) },
    },
    async request => read.list(sessionOf(request).scope, name, listQueryOf(request.query, filters)),
  )

  handle(app, 'GET /{entity}/hierarchy', route, async request => {
    const hierarchylevel = await read.hierarchyOf(sessionOf(request).scope, name, request.query.id)
    return hierarchylevel === undefined ? {} : { hierarchylevel }
  })

  handle(
    app,
    'GET /{entity}/{id}',
    { ...route, schemas: { answer: deferSchema(() => entitySchemas(entity).row) } },
    async (request, reply) => {
      const row = await read.detail(sessionOf(request).scope, name, request.params.id)
      if (row === undefined) return missing(reply)
      const etag = `"${row.revision}"`
      // An edit of its flow sets `modified` without a new revision.
      if (row.modified !== true && !isUnversioned && isKnownRevision(request, Number(row.revision)))
        return reply.header('etag', etag).code(304).send()
      return reply.header('etag', etag).send(row)
    },
  )
}

/** An entity's history and references. */
function addPastReads(app: FastifyInstance, { read }: Parts, entity: EntityDeclaration): void {
  const { name } = entity
  const route = { path: { entity: name }, permission: `read${name}` }

  handle(
    app,
    'GET /{entity}/{id}/history',
    route,
    async (request, reply) =>
      (await read.history(sessionOf(request).scope, name, request.params.id, request.query)) ?? missing(reply),
  )

  handle(
    app,
    'GET /{entity}/{id}/usedby',
    route,
    async (request, reply) =>
      (await read.usedBy(sessionOf(request).scope, name, request.params.id, request.query)) ?? missing(reply),
  )

  handle(
    app,
    'GET /{entity}/{id}/at/{revision}',
    { ...route, schemas: { answer: deferSchema(() => entitySchemas(entity).row.partial()) } },
    async (request, reply) => {
      const { id, revision } = request.params
      const past = await read.at(sessionOf(request).scope, name, id, revision)
      return past === undefined ? missing(reply) : reply.send(past)
    },
  )
}

const runnerOf =
  (parts: Parts, entity: string) =>
  (request: FastifyRequest, reply: FastifyReply, action: string, id = '') => {
    const revision = action === 'change' ? { revision: neededRevisionOf(request) } : { only: revisionOf(request) }
    return runCommand(parts, request, reply, { entity, action, id, ...revision })
  }

function addWrites(app: FastifyInstance, parts: Parts, entity: EntityDeclaration): void {
  const { name } = entity
  const path = { entity: name }
  const create = deferSchema(() => entitySchemas(entity).create)
  const change = deferSchema(() => entitySchemas(entity).change)
  const run = runnerOf(parts, name)

  handle(
    app,
    'POST /{entity}',
    { path, permission: `create${name}`, body: 'command', schemas: { body: create } },
    async (request, reply) => {
      const done = await run(request, reply, 'create')
      if (done === undefined) return reply
      reply.header('location', `${request.url.split('?')[0]}/${done.id}`).header('etag', `"${done.revision}"`)
      return reply.send({ id: done.id, revision: done.revision, ...done.result, ...done.once })
    },
  )

  handle(
    app,
    'PATCH /{entity}/{id}',
    { path, permission: `update${name}`, body: 'command', schemas: { body: change } },
    async (request, reply) => {
      const done = await run(request, reply, 'change', request.params.id)
      if (done === undefined) return reply
      return reply.header('etag', `"${done.revision}"`).send({ id: done.id, revision: done.revision, ...done.result })
    },
  )

  handle(
    app,
    'DELETE /{entity}/{id}',
    { path, permission: `delete${name}`, body: 'command' },
    async (request, reply) => {
      const done = await run(request, reply, 'remove', request.params.id)
      return done === undefined ? reply : { revision: done.revision }
    },
  )
}

/** Its declared actions, and bringing it back. */
function addActions(app: FastifyInstance, parts: Parts, entity: EntityDeclaration, after: ActionFollowUp): void {
  const { name } = entity
  const run = runnerOf(parts, name)
  const act = async (request: IdRequest, reply: FastifyReply, action: string) => {
    const { id } = request.params
    if (action === 'train' && !parts.nlu.admit(id)) return refuse(reply, { code: 'nlu.busy' })
    const isSubmission = name === 'template' && action === 'submit'
    if (isSubmission) parts.submissions.admit(id)
    const done = await run(request, reply, action, id)
    if (isSubmission && done?.position === undefined) parts.submissions.drop(id)
    return done === undefined
      ? reply
      : { revision: done.revision, ...done.result, ...done.once, ...(await after(name, action, done.id)) }
  }

  handle(
    app,
    'POST /{entity}/{id}/restore',
    { path: { entity: name }, permission: `update${name}`, body: 'command' },
    (request, reply) => act(request, reply, 'restore'),
  )
  for (const [action, declaration] of Object.entries(entity.actions)) {
    const body = deferSchema(() => actionBodySchema(declaration))
    handle(
      app,
      'POST /{entity}/{id}/{action}',
      { path: { entity: name, action }, permission: action + name, body: 'command', schemas: { body } },
      (request, reply) => act(request, reply, action),
    )
  }
}

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
