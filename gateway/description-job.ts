import swagger from '@fastify/swagger'
import Fastify, { type FastifySchema } from 'fastify'

export interface DescribedRoute {
  readonly method: string[]
  readonly url: string
  readonly schema: FastifySchema
}

interface Description {
  readonly version: string
  readonly routes: readonly DescribedRoute[]
  readonly components: Readonly<Record<string, object>>
  readonly format: 'json' | 'yaml'
}

/** The OpenAPI document of routes whose schemas are JSON schemas. */
export const run = async ({ version, routes, components, format }: Description): Promise<string> => {
  const app = Fastify({ exposeHeadRoutes: false })
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => data => JSON.stringify(data))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Parley', version, description: 'Administration console for conversational bots' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          cookie: { type: 'apiKey', in: 'cookie', name: 'parley' },
        },
      },
      security: [{ bearer: [] }, { cookie: [] }],
    },
    hideUntagged: true,
    transformObject: document => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      return {
        ...openapiObject,
        components: { ...openapiObject.components, schemas: components },
      } as typeof openapiObject
    },
  })
  for (const route of routes) app.route({ ...route, handler: () => undefined })
  await app.ready()
  const text = format === 'yaml' ? app.swagger({ yaml: true }) : JSON.stringify(app.swagger())
  await app.close()
  return text
}
