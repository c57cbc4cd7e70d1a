import Fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify'
import { z } from 'zod'
import { TimeSlicer } from '#commands/time-slicer.ts'
import { VERSION } from '#runtime/parts.ts'
import { API_SCHEMAS, isNamed, namedSchemas, problemSchema } from '#schemas/api/common.ts'
import { builtSchema, type RouteSchema, SCHEMA_CONTROLLER } from './http/handle.ts'
import { PUBLIC_PAGE } from './http/public-route-checks.ts'

const BASE = '/botadmin/api'

const UI_PATHS = ['', '/', '/json', '/yaml', '/static/index.html', '/static/swagger-initializer.js', '/static/*']
/** Set by the server for its own answer. */
const CONNECTION_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/**
 * The API's description (OpenAPI 3.1) at /openapi.json and as a page at /docs. The first request for either builds them
 * from the zod schemas of the routes: at the start they would cost more than all other plugins.
 */
export const addDocumentation = (app: FastifyInstance): void => {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', ({ method, url, schema, config = {}, handler }) => {
    if (schema?.tags === undefined) return
    const methods = [method].flat().filter(one => one !== 'HEAD')
    if (methods.length > 0) routes.push({ method: methods, url, schema, config, handler })
  })
  let opened: Promise<FastifyInstance> | undefined
  const documentation = () => {
    opened ??= openDocumentation(routes)
    return opened
  }
  app.addHook('onClose', async () => (await opened)?.close())

  let described: string | undefined
  app.get(`${BASE}/openapi.json`, { config: { door: PUBLIC_PAGE } }, async (_request, reply) => {
    described ??= await descriptionOf(await documentation())
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(described)
  })
  for (const path of UI_PATHS)
    app.get(`${BASE}/docs${path}`, { config: { door: PUBLIC_PAGE } }, async (request, reply) => {
      const { url = '', headers } = request.raw
      const answer = await (await documentation()).inject({ url, headers })
      if (answer.statusCode === 404) return reply.callNotFound()
      for (const [name, value] of Object.entries(answer.headers))
        if (value !== undefined && !CONNECTION_HEADERS.has(name)) reply.header(name, value)
      const { rawPayload } = answer
      return reply.code(answer.statusCode).send(rawPayload.length === 0 ? undefined : rawPayload)
    })
}

async function descriptionOf(documentation: FastifyInstance): Promise<string> {
  const slices = new TimeSlicer()
  const document = documentation.swagger()
  await slices.next()
  return JSON.stringify(document)
}

/** Schemas of all routes as the description has them. In one piece they would hold the thread for 200 ms. */
async function describedRoutes(routes: readonly RouteOptions[]): Promise<ReadonlyMap<unknown, FastifySchema>> {
  const described = new Map<unknown, FastifySchema>()
  const slices = new TimeSlicer()
  for (const { schema, config } of routes) {
    described.set(schema, describe(schema as Described, config?.open === true))
    await slices.pause()
  }
  return described
}

/** A server that never listens, with the documented routes and the pages made from them. */
async function openDocumentation(routes: readonly RouteOptions[]): Promise<FastifyInstance> {
  const slices = new TimeSlicer()
  const swagger = await import('@fastify/swagger')
  await slices.next()
  const swaggerUi = await import('@fastify/swagger-ui')
  await slices.next()
  const described = await describedRoutes(routes)
  // The schemas of routes are built when they are described.
  const components = await componentSchemas()
  const app = Fastify({ exposeHeadRoutes: false, schemaController: SCHEMA_CONTROLLER })
  await app.register(swagger.default, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Parley', version: VERSION, description: 'Administration console for conversational bots' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'parley' },
        },
      },
      security: [{ bearer: [] }, { cookie: [] }],
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({
      url,
      schema: described.get(route.schema) ?? describe(schema as Described, route.config?.open === true),
    }),
    transformObject: document => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      return {
        ...openapiObject,
        components: { ...openapiObject.components, schemas: components },
      } as typeof openapiObject
    },
  })
  await app.register(swaggerUi.default, { routePrefix: `${BASE}/docs`, uiConfig: { url: `${BASE}/openapi.json` } })
  for (const route of routes) app.route(route)
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
