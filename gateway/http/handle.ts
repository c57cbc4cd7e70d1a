import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
} from 'fastify'
import { z } from 'zod'
import { PATH_PARAMS, type Route } from '#schemas/api/route.ts'
import { type AnswerOf, ROUTES, type RouteName } from '#schemas/api/routes.ts'
import type { JsonObject } from '#schemas/event.ts'
import { commandBody, fileBody, type RouteSchema } from './pipeline.ts'

/**
 * `checked`: checked and parsed before the handler. `command`: checked by the command handler, after it has authorized
 * the caller. `text`: the text of a JSON file, for the reader of its format.
 */
type BodyMode = 'checked' | 'command' | 'text'

/** Access to a route, its limits, and how its body is read. */
interface RouteOptions<M extends BodyMode> extends Omit<FastifyContextConfig, 'file'> {
  readonly body?: M
  readonly bodyLimit?: number
  readonly onRequest?: onRequestAsyncHookHandler
  /** Exact schemas of one entity instead of those that the route declares for any. */
  readonly schemas?: { readonly query?: RouteSchema; readonly body?: RouteSchema; readonly answer?: RouteSchema }
}

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** Parts of a path that are fixed when the route is registered: one route for each entity, kind of flow or action. */
type FixedName = 'entity' | 'kind' | 'action'
type FixedParts<N extends RouteName> = [Extract<NamesIn<N>, FixedName>] extends [never]
  ? unknown
  : { readonly path: Readonly<Record<Extract<NamesIn<N>, FixedName>, string>> }

type ParamName = keyof typeof PATH_PARAMS
type ParamsOf<N extends RouteName> = {
  readonly [Name in Extract<NamesIn<N>, ParamName>]: z.output<(typeof PATH_PARAMS)[Name]>
}

type RouteOf<N extends RouteName> = (typeof ROUTES)[N]
type ParsedQuery<N extends RouteName> =
  RouteOf<N> extends { readonly query: infer Q extends z.ZodType } ? z.output<Q> : undefined
type ParsedBody<N extends RouteName> =
  RouteOf<N> extends { readonly body: infer B extends z.ZodType } ? z.output<B> : undefined
type BodyIn<N extends RouteName, M extends BodyMode> =
  RouteOf<N> extends { readonly consumes: string }
    ? string | undefined
    : { checked: ParsedBody<N>; command: JsonObject; text: string | undefined }[M]

export type RouteRequest<N extends RouteName, M extends BodyMode = 'checked'> = FastifyRequest<{
  Params: ParamsOf<N>
  Querystring: ParsedQuery<N>
  Body: BodyIn<N, M>
}>

/** A request about one thing. */
export type IdRequest = FastifyRequest<{ Params: { readonly id: string } }>

/** A declared answer, or a reply that the handler has sent itself. */
type Handler<N extends RouteName, M extends BodyMode> = (
  request: RouteRequest<N, M>,
  reply: FastifyReply,
) => Promise<NonNullable<AnswerOf<N>> | FastifyReply>

const paramsSchemas = new Map<string, z.ZodObject>()

const paramsSchema = (path: string): z.ZodObject | undefined => {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as ParamName)
  if (names.length === 0) return undefined
  const known = paramsSchemas.get(names.join())
  if (known !== undefined) return known
  const schema = z.object(Object.fromEntries(names.map(name => [name, PATH_PARAMS[name]])))
  paramsSchemas.set(names.join(), schema)
  return schema
}

const bodySchema = (schema: RouteSchema, { consumes }: Route, mode: BodyMode): RouteSchema => {
  if (consumes !== undefined || mode === 'text') return fileBody(schema)
  return mode === 'command' ? commandBody(schema) : schema
}

/** Registers the handler of a declared route: method, path, schemas and success status come from {@link ROUTES}. */
export const handle = <N extends RouteName, M extends BodyMode = 'checked'>(
  app: FastifyInstance,
  name: N,
  options: RouteOptions<M> & FixedParts<N>,
  handler: Handler<N, M>,
): void => {
  const route: Route = ROUTES[name]
  const given: RouteOptions<M> & { readonly path?: Readonly<Record<string, string>> } = options
  const { path: fixed = {}, schemas, body: mode = 'checked', bodyLimit, onRequest, ...config } = given
  const [method = '', declared = ''] = name.split(' ')
  const path = declared.replaceAll(/\{(\w+)\}/g, (part, key) => fixed[key] ?? part)
  const { query, body, answer } = { ...route, ...schemas }
  const params = route.params ?? paramsSchema(path)
  const { consumes, produces, tag = path.split('/')[1] ?? '', status } = route
  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: mode === 'text' ? { ...config, file: true } : config,
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    ...(onRequest === undefined ? {} : { onRequest }),
    schema: {
      tags: [tag],
      ...(consumes === undefined ? {} : { consumes: [consumes] }),
      ...(produces === undefined ? {} : { produces: [produces] }),
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined ? {} : { body: bodySchema(body, route, mode) }),
      response: { [status]: answer },
    },
    handler: (request, reply) => handler(request as RouteRequest<N, M>, reply.code(status)),
  })
}
