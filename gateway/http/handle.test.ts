import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addBodyParser, addValidation, handle, SCHEMA_CONTROLLER } from './handle.ts'

let app: FastifyInstance
beforeEach(() => {
  app = Fastify({ schemaController: SCHEMA_CONTROLLER, exposeHeadRoutes: false })
  addBodyParser(app)
  addValidation(app)
})
afterEach(() => app.close())

const NO_HANDLER = () => Promise.reject(new Error('not called'))

test('answers with the declared status and gives the handler typed input [P-180]', async () => {
  handle(app, 'GET /{kind}/{id}/flow/at/{revision}', { path: { kind: 'dialog' } }, async ({ params }, reply) =>
    reply.send({ next: params.revision + 1, id: params.id.toUpperCase() }),
  )
  handle(app, 'POST /audit/chain/verify', {}, async (_request, reply) => reply.send({}))
  const past = await app.inject('/dialog/a/flow/at/7')
  expect([past.statusCode, past.json()]).toEqual([200, { next: 8, id: 'A' }])
  expect((await app.inject('/dialog/a/flow/at/x')).statusCode).not.toBe(200)
  expect((await app.inject({ method: 'POST', url: '/audit/chain/verify' })).statusCode).toBe(202)
})

test('registers path, schemas, limits and tag of the declaration [P-180]', () => {
  const routes: object[] = []
  app.addHook('onRoute', ({ method, url, config, bodyLimit, schema }) => {
    const { tags, consumes, produces, response } = schema ?? {}
    routes.push({ method, url, config, bodyLimit, tags, consumes, produces, status: Object.keys(response ?? {}) })
  })
  const access = { permission: 'createcontact' }
  handle(app, 'POST /campaign/{id}/contacts/import', { ...access, bodyLimit: 5 }, NO_HANDLER)
  handle(app, 'GET /{entity}/export', { path: { entity: 'bot' } }, NO_HANDLER)
  handle(app, 'PUT /{kind}/{id}/flow', { path: { kind: 'handler' }, body: 'text' }, NO_HANDLER)
  expect(routes).toMatchObject([
    {
      ...{ method: 'POST', url: '/campaign/:id/contacts/import', config: access, bodyLimit: 5 },
      ...{ tags: ['contact'], consumes: ['multipart/form-data'], status: ['202'] },
    },
    { method: 'GET', url: '/bot/export', tags: ['bot'], produces: ['text/csv'] },
    { method: 'PUT', url: '/handler/:id/flow', config: { file: true }, tags: ['handler'] },
  ])
})

test('does not compile with an unknown option, a missing part of the path or a wrong answer [P-180]', () => {
  // @ts-expect-error: a misspelled right would leave the route open to every session.
  handle(app, 'GET /home', { permision: 'readbot' }, NO_HANDLER)
  // @ts-expect-error: the kind of flow is part of the registered path.
  handle(app, 'GET /{kind}/{id}/flow', {}, NO_HANDLER)
  // @ts-expect-error: the declared answer has other members.
  handle(app, 'GET /userhierarchy', {}, async () => ({ level: 'root' }))
})
