import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { actionBodySchema } from '#schemas/action.ts'
import { entitySchemas } from '#schemas/api/entity.ts'
import { filtersOf, historyQuery, listQuery, usedByQuery } from '#schemas/api/query.ts'
import {
  actionResultSchema,
  createdSchema,
  historySchema,
  idParam,
  levelOfQuery,
  levelOfSchema,
  removeBody,
  restoreBody,
  revisionParam,
  revisionSchema,
  usedBySchema,
} from '#schemas/api/write.ts'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { Field } from '#schemas/field/kind.ts'
import { isKnownRevision } from '../http/headers.ts'
import { commandBody, deferSchema } from '../http/pipeline.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { neededRevisionOf, revisionOf, runCommand, sessionOf } from './command.ts'
import { addExport } from './export.ts'
import { listQueryOf } from './list-request.ts'
import { addBulk } from './process.ts'

interface Id {
  readonly id: string
}

/** Side effects outside of the log after an action; returns further members of its answer. */
export type ActionFollowUp = (entity: string, action: string, id: string) => Promise<JsonObject>

/** Everything that one declared entity can be asked over HTTP. */
export const addEntity = (
  app: FastifyInstance,
  parts: Parts,
  entity: EntityDeclaration,
  done: ActionFollowUp,
): void => {
  addExport(app, parts, entity)
  addReads(app, parts, entity)
  addPastReads(app, parts, entity)
  if (entity.writtenBy === 'system') return
  addBulk(app, parts, entity)
  addWrites(app, parts, entity)
  addActions(app, parts, entity, done)
}

const missing = (reply: FastifyReply) => refuse(reply, { code: 'entity.notfound' })

function addReads(app: FastifyInstance, { read }: Parts, entity: EntityDeclaration): void {
  const { name } = entity
  const filters = filtersOf(entity)
  const config = { permission: `read${name}` }
  const tags = [name]
  const isUnversioned = Object.values<Field>(entity.fields).some(({ unversioned }) => unversioned === true)

  app.get<{ Querystring: Record<string, Json> }>(
    `/${name}`,
    {
      config,
      schema: {
        tags,
        querystring: deferSchema(() => listQuery(entity)),
        response: { 200: deferSchema(() => entitySchemas(entity).page) },
      },
    },
    async request => read.list(sessionOf(request).scope, name, listQueryOf(request.query, filters)),
  )

  app.get<{ Querystring: Id }>(
    `/${name}/hierarchy`,
    {
      config,
      schema: {
        tags,
        querystring: levelOfQuery,
        response: { 200: levelOfSchema },
      },
    },
    async request => {
      const hierarchylevel = await read.hierarchyOf(sessionOf(request).scope, name, request.query.id)
      return hierarchylevel === undefined ? {} : { hierarchylevel }
    },
  )

  app.get<{ Params: Id }>(
    `/${name}/:id`,
    { config, schema: { tags, params: idParam, response: { 200: deferSchema(() => entitySchemas(entity).row) } } },
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
  const config = { permission: `read${name}` }
  const tags = [name]

  app.get<{ Params: Id; Querystring: z.output<typeof historyQuery> }>(
    `/${name}/:id/history`,
    { config, schema: { tags, params: idParam, querystring: historyQuery, response: { 200: historySchema } } },
    async (request, reply) =>
      (await read.history(sessionOf(request).scope, name, request.params.id, request.query)) ?? missing(reply),
  )

  app.get<{ Params: Id; Querystring: z.output<typeof usedByQuery> }>(
    `/${name}/:id/usedby`,
    { config, schema: { tags, params: idParam, querystring: usedByQuery, response: { 200: usedBySchema } } },
    async (request, reply) =>
      (await read.usedBy(sessionOf(request).scope, name, request.params.id, request.query)) ?? missing(reply),
  )

  app.get<{ Params: z.output<typeof revisionParam> }>(
    `/${name}/:id/at/:revision`,
    {
      config,
      schema: {
        tags,
        params: revisionParam,
        response: { 200: deferSchema(() => entitySchemas(entity).row.partial()) },
      },
    },
    async (request, reply) => {
      const { id, revision } = request.params
      return (await read.at(sessionOf(request).scope, name, id, revision)) ?? missing(reply)
    },
  )
}

const runnerOf = (parts: Parts, entity: string) => (request: FastifyRequest, reply: FastifyReply, action: string) => {
  const { id } = request.params as Partial<Id>
  const found = id === undefined ? {} : { id }
  const revision = action === 'change' ? { revision: neededRevisionOf(request) } : { only: revisionOf(request) }
  return runCommand(parts, request, reply, { entity, action, ...found, ...revision })
}

function addWrites(app: FastifyInstance, parts: Parts, entity: EntityDeclaration): void {
  const { name } = entity
  const tags = [name]
  const run = runnerOf(parts, name)

  app.post(
    `/${name}`,
    {
      config: { permission: `create${name}` },
      schema: {
        tags,
        body: commandBody(deferSchema(() => entitySchemas(entity).create)),
        response: { 201: createdSchema },
      },
    },
    async (request, reply) => {
      const done = await run(request, reply, 'create')
      if (done === undefined) return reply
      reply.header('location', `${request.url.split('?')[0]}/${done.id}`).header('etag', `"${done.revision}"`)
      return reply.code(201).send({ id: done.id, revision: done.revision, ...done.result })
    },
  )

  app.patch(
    `/${name}/:id`,
    {
      config: { permission: `update${name}` },
      schema: {
        tags,
        params: idParam,
        body: commandBody(deferSchema(() => entitySchemas(entity).change)),
        response: { 200: createdSchema },
      },
    },
    async (request, reply) => {
      const done = await run(request, reply, 'change')
      if (done === undefined) return reply
      return reply.header('etag', `"${done.revision}"`).send({ id: done.id, revision: done.revision, ...done.result })
    },
  )

  app.delete(
    `/${name}/:id`,
    {
      config: { permission: `delete${name}` },
      schema: { tags, params: idParam, body: commandBody(removeBody), response: { 200: revisionSchema } },
    },
    async (request, reply) => {
      const done = await run(request, reply, 'remove')
      return done === undefined ? reply : { revision: done.revision }
    },
  )
}

/** Its declared actions, and bringing it back. */
function addActions(app: FastifyInstance, parts: Parts, entity: EntityDeclaration, after: ActionFollowUp): void {
  const { name } = entity
  const run = runnerOf(parts, name)
  const declared = Object.entries(entity.actions).map(
    ([action, declaration]) => [action, action + name, deferSchema(() => actionBodySchema(declaration))] as const,
  )
  for (const [action, permission, body] of [['restore', `update${name}`, restoreBody] as const, ...declared])
    app.post(
      `/${name}/:id/${action}`,
      {
        config: { permission },
        schema: {
          tags: [name],
          params: idParam,
          body: commandBody(body),
          response: { 200: actionResultSchema },
        },
      },
      async (request, reply) => {
        if (action === 'train' && !parts.nlu.admit((request.params as Id).id))
          return refuse(reply, { code: 'nlu.busy' })
        const { id } = request.params as Id
        const isSubmission = name === 'template' && action === 'submit'
        if (isSubmission) parts.submissions.admit(id)
        const done = await run(request, reply, action)
        if (isSubmission && done?.position === undefined) parts.submissions.drop(id)
        if (done === undefined) return reply
        return { revision: done.revision, ...done.result, ...(await after(name, action, done.id)) }
      },
    )
}
