import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { z } from 'zod'
import { API_SCHEMAS, isNamed } from '#schemas/api/name.ts'
import { problemSchema } from '#schemas/api/problem.ts'
import { VERSION } from './version.ts'

const BASE = '/botadmin/api'

/**
 * The API's description (OpenAPI 3.1) at /openapi.json and as a page at /docs. It is made from the zod schemas of the
 * routes when it is first asked for.
 */
export const addDocumentation = async (app: FastifyInstance): Promise<void> => {
  await app.register(swagger, {
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
      schema: describe(schema as Described, route.config?.open === true),
    }),
    transformObject: document => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      return {
        ...openapiObject,
        components: { ...openapiObject.components, schemas: componentSchemas() },
      } as typeof openapiObject
    },
  })
  await app.register(swaggerUi, { routePrefix: `${BASE}/docs`, uiConfig: { url: `${BASE}/openapi.json` } })
  let described: string | undefined
  app.get(`${BASE}/openapi.json`, async (_request, reply) => {
    described ??= JSON.stringify(app.swagger())
    return reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8').send(described)
  })
}

type Described = Omit<FastifySchema, 'response'> & { response?: Record<string, z.ZodType> }

const WHERE = ['body', 'querystring', 'params'] as const

function describe(schema: Described | undefined, open: boolean): FastifySchema {
  if (schema === undefined) return { hide: true }
  const { response, ...rest } = schema
  const described: Record<string, unknown> = { ...rest, ...(open ? { security: [] } : {}) }
  for (const where of WHERE) if (rest[where] !== undefined) described[where] = reference(rest[where] as z.ZodType)
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

/** A schema with a name stands under it in the components; any other where it is used. */
function reference(schema: z.ZodType): object {
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
    const { writeOnly, format, pattern } = z.globalRegistry.get(zodSchema) ?? {}
    if (writeOnly === true) jsonSchema.writeOnly = true
    if (typeof format === 'string') jsonSchema.format = format
    if (typeof pattern === 'string') jsonSchema.pattern = pattern
  },
} satisfies Parameters<typeof z.toJSONSchema>[1] & object

function componentSchemas(): Record<string, object> {
  const { __shared: _shared, ...schemas } = z.toJSONSchema(API_SCHEMAS, OPTIONS).schemas
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, tidy(schema)]))
}

/** Without what identifies a schema that stands alone; definitions of its own become components, or any JSON. */
function tidy(schema: object): object {
  const { $schema: _dialect, $id: _uri, id: _id, $defs: _definitions, ...rest } = schema as Record<string, unknown>
  return JSON.parse(JSON.stringify(rest), (_key, value) => {
    const own = typeof value?.$ref === 'string' ? /^#$|#\/\$defs\/(.+)$/.exec(value.$ref) : null
    if (own === null) return value
    return isNamed(own[1] ?? '') ? { $ref: COMPONENT + own[1] } : {}
  })
}
