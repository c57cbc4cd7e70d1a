import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify'
import { z } from 'zod'
import { BUSY, TimeSlicer } from '#commands/time-slicer.ts'
import type { JobKind, WorkPool } from '#runtime/isolation/work.ts'
import { VERSION } from '#runtime/parts.ts'
import { API_SCHEMAS, isNamed, namedSchemas, problemSchema } from '#schemas/api/common.ts'
import type { DescribedRoute, run } from './description-job.ts'
import { builtSchema, type RouteSchema, SCHEMA_CONTROLLER } from './http/handle.ts'
import { PUBLIC_PAGE } from './http/public-route-checks.ts'
import { refuse } from './problem.ts'

const BASE = '/botadmin/api'

const UI_PATHS = ['', '/', '/static/index.html', '/static/swagger-initializer.js', '/static/*']
/** Set by the server for its own answer. */
const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

const MB = 1_000_000

/** Not foreign, but its library describes all routes in one piece: 0.12 s. */
const DESCRIPTION: JobKind<typeof run> = {
  module: new URL('./description-job.ts', import.meta.url),
  ...{ lane: 'turn', ms: 120_000, memory: 600, input: 32 * MB, answer: 32 * MB },
}

/** ms in the queue. */
const WAIT_MS = 60_000

const DOCUMENTS = [
  { paths: ['/openapi.json', '/docs/json'], format: 'json', type: 'application/json; charset=utf-8' },
  { paths: ['/docs/yaml'], format: 'yaml', type: 'application/x-yaml' },
] as const

/**
 * The API's description (OpenAPI 3.1) at /openapi.json and as a page at /docs. The first request for either builds them
 * from the zod schemas of the routes: at the start they would cost more than all other plugins.
 */
export const addDocumentation = (app: FastifyInstance, work: WorkPool): void => {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', ({ method, url, schema, config = {}, handler }) => {
    if (schema?.tags === undefined) return
    const methods = [method].flat().filter(one => one !== 'HEAD')
    if (methods.length > 0) routes.push({ method: methods, url, schema, config, handler })
  })
  const config = { door: PUBLIC_PAGE }
  for (const { paths, format, type } of DOCUMENTS) {
    let described: ReturnType<typeof descriptionOf> | undefined
    for (const path of paths)
      app.get(BASE + path, { config }, async (_request, reply) => {
        described ??= descriptionOf(work, routes, format)
        const result = await described
        if (result.ok) return reply.header('cache-control', 'no-cache').type(type).send(result.value)
        described = undefined
        return refuse(reply, BUSY.refusal)
      })
  }

  let opened: Promise<FastifyInstance> | undefined
  app.addHook('onClose', async () => (await opened)?.close())
  for (const path of UI_PATHS)
    app.get(`${BASE}/docs${path}`, { config }, async (request, reply) => {
      const { url = '', headers } = request.raw
      opened ??= openPages()
      const answer = await (await opened).inject({ url, headers })
      if (answer.statusCode === 404) return reply.callNotFound()
      for (const [name, value] of Object.entries(answer.headers))
        if (value !== undefined && !CONNECTION_HEADERS.has(name)) reply.header(name, value)
      const { rawPayload } = answer
      return reply.code(answer.statusCode).send(rawPayload.length === 0 ? undefined : rawPayload)
    })
}

async function descriptionOf(work: WorkPool, routes: readonly RouteOptions[], format: 'json' | 'yaml') {
  const described = await describedRoutes(routes)
  // The schemas of routes are built when they are described.
  const components = await componentSchemas()
  const input = { version: VERSION, routes: described, components, format }
  return work.run(DESCRIPTION, input, { from: { level: '' }, waitMs: WAIT_MS })
}

/** In one piece they would hold the thread for 200 ms. */
async function describedRoutes(routes: readonly RouteOptions[]): Promise<readonly DescribedRoute[]> {
  const described: DescribedRoute[] = []
  const slices = new TimeSlicer()
  for (const { method, url, schema, config } of routes) {
    described.push({ method: [method].flat(), url, schema: describe(schema as Described, config?.open === true) })
    await slices.pause()
  }
  return described
}

/** A server that never listens, with the pages alone: they fetch the description. */
async function openPages(): Promise<FastifyInstance> {
  const slices = new TimeSlicer()
  const swagger = await import('@fastify/swagger')
  await slices.next()
  const swaggerUi = await import('@fastify/swagger-ui')
  await slices.next()
  const app = Fastify({ exposeHeadRoutes: false, schemaController: SCHEMA_CONTROLLER })
  const info = { title: '', version: '' }
  await app.register(swagger.default, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info, paths: {} } },
  })
  await app.register(swaggerUi.default, { routePrefix: `${BASE}/docs`, uiConfig: { url: `${BASE}/openapi.json` } })
  await app.ready()
  await slices.next()
  return app
}

type Described = Omit<FastifySchema, 'response'> & { response?: Record<string, RouteSchema> }

const WHERE = ['body', 'querystring', 'params'] as const

function describe(schema: Described | undefined, open: boolean): FastifySchema {
  if (schema === undefined) return { hide: true }
  const { response, ...rest } = schema
  const described: Record<string, unknown> = { ...rest, ...(open ? { security: [] } : {}) }
  for (const where of WHERE) if (rest[where] !== undefined) described[where] = reference(rest[where] as RouteSchema)
  const answers = Object.entries(response ?? { 200: z.json() }).map(([status, answer]) => [
    status,
    { description: 'Done', ...reference(answer) },
  ])
  described.response = {
    ...Object.fromEntries(answers),
    default: {
      description: 'Refused',
      content: { 'application/problem+json': { schema: reference(problemSchema) } },
    },
  }
  return described
}

/** A named schema is in the components; any other is inlined. */
function reference(given: RouteSchema): object {
  const schema = builtSchema(given)
  const id = API_SCHEMAS.get(schema)?.id
  return id === undefined ? tidy(z.toJSONSchema(schema, OPTIONS)) : { $ref: COMPONENT + id }
}

const COMPONENT = '#/components/schemas/'
const OPTIONS = {
  target: 'draft-2020-12',
  io: 'input',
  unrepresentable: 'any',
  metadata: API_SCHEMAS,
  uri: (id: string) => COMPONENT + id,
  override: ({ zodSchema, jsonSchema }) => {
    const { writeOnly, format, pattern, examples } = z.globalRegistry.get(zodSchema) ?? {}
    if (writeOnly === true) jsonSchema.writeOnly = true
    if (typeof format === 'string') jsonSchema.format = format
    if (typeof pattern === 'string') jsonSchema.pattern = pattern
    if (Array.isArray(examples)) jsonSchema.examples = examples
  },
} satisfies Parameters<typeof z.toJSONSchema>[1] & object

/** One by one: together they would hold the thread for 100 ms. */
async function componentSchemas(): Promise<Record<string, object>> {
  const slices = new TimeSlicer()
  const components: Record<string, object> = {}
  for (const [id, schema] of namedSchemas()) {
    await slices.pause()
    const described = z.toJSONSchema(schema, OPTIONS)
    components[id] = tidy(described.$defs?.[id] as object)
  }
  await slices.next()
  return components
}

/** Without the identifiers of a standalone schema; its own definitions become components, or any JSON. */
function tidy(schema: object): object {
  const { $schema: _dialect, $id: _uri, id: _id, $defs: _definitions, ...rest } = schema as Record<string, unknown>
  return JSON.parse(JSON.stringify(rest), (_key, value) => {
    const own = typeof value?.$ref === 'string' ? /^#$|#\/\$defs\/(.+)$/.exec(value.$ref) : null
    if (own === null) return value
    return isNamed(own[1] ?? '') ? { $ref: COMPONENT + own[1] } : {}
  })
}
