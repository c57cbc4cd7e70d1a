import type { FastifyInstance, RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { ROUTES } from '#schemas/api/routes.ts'
import { ENTITIES } from '#schemas/entities/registry.ts'
import { addAccountRoutes } from '../auth/account-route.ts'
import { addIdentityProviderTests } from '../auth/identity-provider-test.ts'
import { addOidcRoutes } from '../auth/oidc-route.ts'
import { addSessionRoutes } from '../auth/session-route.ts'
import { addApi } from './api.ts'

/** Stub of everything that a route gets from the gateway: registering routes calls none of these. */
const anything: unknown = new Proxy(() => undefined, { get: (_, name) => (name === 'then' ? undefined : anything) })

/** Records the names of registered routes instead of serving them. */
const recorder = (found: string[]): FastifyInstance => {
  /** Plugins of packages come with options, the gateway's own without. */
  const register = async (plugin: (app: FastifyInstance) => unknown, options?: object) => {
    if (options === undefined) await plugin(app as FastifyInstance)
  }
  const verbs = Object.fromEntries(
    ['get', 'post', 'put', 'patch', 'delete'].map(verb => [
      verb,
      (path: string) => found.push(`${verb.toUpperCase()} ${path}`),
    ]),
  )
  const route = ({ method, url }: RouteOptions) => found.push(`${method} ${url}`)
  const app: unknown = new Proxy(
    { ...verbs, route, register },
    { get: (target, name) => Reflect.get(target, name) ?? anything },
  )
  return app as FastifyInstance
}

const registeredNames = async (): Promise<readonly string[]> => {
  const found: string[] = []
  const app = recorder(found)
  await addApi(app, anything as Parameters<typeof addApi>[1])
  addAccountRoutes(app, anything as Parameters<typeof addAccountRoutes>[1])
  addSessionRoutes(app, anything as Parameters<typeof addSessionRoutes>[1])
  addOidcRoutes(app, anything as Parameters<typeof addOidcRoutes>[1])
  addIdentityProviderTests(app, anything as Parameters<typeof addIdentityProviderTests>[1])
  return found
}

const registered = await registeredNames()

/** Plain text for those who watch the gateway. */
const UNLISTED = ['GET /health/live', 'GET /health/ready', 'GET /metrics']
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

test('registers each listed route once and no other [P-180]', () => {
  const patterns = Object.keys(ROUTES).map(name => ({ name, pattern: patternOf(name) }))
  const isRegistered = (pattern: RegExp) => registered.some(name => pattern.test(name))
  expect(patterns.filter(({ pattern }) => !isRegistered(pattern)).map(({ name }) => name)).toEqual([])
  expect(registered.filter(name => !patterns.some(({ pattern }) => pattern.test(name)))).toEqual(UNLISTED)
  expect(registered.filter((name, place) => registered.indexOf(name) !== place)).toEqual([])
})
