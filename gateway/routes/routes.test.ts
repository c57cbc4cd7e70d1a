import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import type { Route } from '#schemas/api/route.ts'
import { ROUTES } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { addAccountRoutes } from '../auth/account-route.ts'
import { addSessionRoutes } from '../auth/session-route.ts'
import { addApi } from './api.ts'

interface Registered {
  readonly method: string
  readonly path: string
  readonly schema: FastifySchema
}

/** Stub of everything that a route gets from the gateway: registering routes calls none of these. */
const anything: unknown = new Proxy(() => undefined, { get: (_, name) => (name === 'then' ? undefined : anything) })

/** Records what is registered instead of serving it. */
const recorder = (found: Registered[]): FastifyInstance => {
  /** Plugins of packages come with options, the gateway's own without. */
  const register = async (plugin: (app: FastifyInstance) => unknown, options?: object) => {
    if (options === undefined) await plugin(app as FastifyInstance)
  }
  const add = (method: string) => (path: string, options: { schema?: FastifySchema } | (() => unknown)) => {
    found.push({ method, path, schema: typeof options === 'function' ? {} : (options.schema ?? {}) })
  }
  const verbs = Object.fromEntries(
    ['get', 'post', 'put', 'patch', 'delete'].map(verb => [verb, add(verb.toUpperCase())]),
  )
  const route = ({ method, url, schema = {} }: RouteOptions) => {
    found.push({ method: String(method), path: url, schema })
  }
  const app: unknown = new Proxy(
    { ...verbs, route, register },
    { get: (target, name) => Reflect.get(target, name) ?? anything },
  )
  return app as FastifyInstance
}

const registered = async (): Promise<readonly Registered[]> => {
  const found: Registered[] = []
  const app = recorder(found)
  await addApi(app, anything as Parameters<typeof addApi>[1])
  addAccountRoutes(app, anything as Parameters<typeof addAccountRoutes>[1])
  addSessionRoutes(app, anything as Parameters<typeof addSessionRoutes>[1])
  return found
}

const all = await registered()

/** Plain text for those who watch the gateway. */
const UNLISTED = new Set(['GET /health/live', 'GET /health/ready', 'GET /metrics'])
const entities = Object.keys(ENTITIES).join('|')

/** Pattern of the registered routes for a listed one, in Fastify's syntax. */
const patternOf = (name: string): RegExp => {
  const filled = name
    .replaceAll('{entity}', `(?:${entities})`)
    .replaceAll('{kind}', '(?:dialog|handler)')
    .replaceAll('{action}', '\\w+')
    .replace(/\{(\w+)\}/g, ':$1')
  return new RegExp(`^${filled}$`)
}

test('lists every registered route [P-180]', () => {
  const patterns = Object.keys(ROUTES).map(patternOf)
  const unlisted = all
    .map(({ method, path }) => `${method} ${path}`)
    .filter(name => !UNLISTED.has(name) && !patterns.some(pattern => pattern.test(name)))
  expect(unlisted).toEqual([])
})

/** The gateway has exact schemas of each entity in their place (schemas/api/entity.ts). */
const OF_ANY_ENTITY = new Set<unknown>([
  ROUTES['GET /{entity}'].query,
  ROUTES['GET /{entity}'].answer,
  ROUTES['POST /{entity}'].body,
  ROUTES['GET /{entity}/{id}'].answer,
])

test.each(Object.entries<Route>(ROUTES))(
  'serves %s with the declared schemas [P-180]',
  (name, { query, body, status, answer }) => {
    const pattern = patternOf(name)
    const found = all.filter(({ method, path }) => pattern.test(`${method} ${path}`))
    expect(found).not.toEqual([])
    for (const { schema } of name.includes('{action}') ? [] : found) {
      const response = (schema.response ?? {}) as Readonly<Record<number, unknown>>
      for (const [declared, served] of [
        [query, schema.querystring],
        [body, schema.body],
        [answer, response[status]],
      ])
        if (OF_ANY_ENTITY.has(declared)) expect(served).toBeDefined()
        else expect(served).toBe(declared)
    }
  },
)
