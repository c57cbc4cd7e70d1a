import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
  onRequestAsyncHookHandler,
} from 'fastify'
import { z } from 'zod'
import { fieldErrors } from '#domain/field/validate.ts'
import { PATH_PARAMS, type Route } from '#schemas/api/route.ts'
import { type AnswerOf, ROUTES, type RouteName } from '#schemas/api/routes.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { FILE_BOUNDS, OPEN_BOUNDS, readJsonBody, readUtf8 } from '#schemas/json.ts'
import type { Refusal } from '#schemas/refusal.ts'
import { RequestRefused } from './failure.ts'

const MAX_ERRORS = 20

/** Dotted paths of strings that are not well-formed Unicode, keys included. */
const illFormed = (root: Json): readonly string[] => {
  const found: string[] = []
  const open: { value: Json; path: string }[] = [{ value: root, path: '' }]
  for (let place = open.pop(); place !== undefined && found.length < MAX_ERRORS; place = open.pop()) {
    const { value, path } = place
    if (typeof value === 'string' && !value.isWellFormed()) found.push(path)
    if (value === null || typeof value !== 'object') continue
    for (const [key, member] of Object.entries(value)) {
      const inner = path === '' ? key : `${path}.${key}`
      if (!key.isWellFormed()) found.push(inner.toWellFormed())
      open.push({ value: member as Json, path: inner })
    }
  }
  return found
}

/** A route's schema that is built on its first use: most of the hundreds of routes are never called in a process. */
class DeferredSchema {
  readonly #build: () => z.ZodType
  #schema: z.ZodType | undefined

  constructor(build: () => z.ZodType) {
    this.#build = build
  }

  get schema(): z.ZodType {
    this.#schema ??= this.#build()
    return this.#schema
  }
}

export type RouteSchema = z.ZodType | DeferredSchema

export const deferSchema = (build: () => z.ZodType): DeferredSchema => new DeferredSchema(build)

export const builtSchema = (schema: RouteSchema): z.ZodType =>
  schema instanceof DeferredSchema ? schema.schema : schema

/** Bytes of a body that needs no session. */
const OPEN_BODY_LIMIT = 8_192

/** Bodies are JSON unless a route says otherwise; a file stays the text that it is, for the reader of its format. */
export const addBodyParser = (app: FastifyInstance): void => {
  app.addHook('onRoute', route => {
    if (route.config?.open === true) route.bodyLimit = OPEN_BODY_LIMIT
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (/charset=(?!"?utf-?8"?\s*(;|$))/i.test(request.headers['content-type'] ?? ''))
      return done(new RequestRefused({ code: 'request.mediatype' }))
    // Packed bodies are not unpacked: a small one can hold more than memory does.
    if (!/^(?:identity)?$/i.test(request.headers['content-encoding'] ?? ''))
      return done(new RequestRefused({ code: 'request.mediatype' }))
    const { open, file } = request.routeOptions.config
    const isFile = file === true
    const bounds = open === true ? OPEN_BOUNDS : FILE_BOUNDS
    const read = isFile ? readUtf8(body as Buffer) : readJsonBody(body as Buffer, bounds)
    if (!read.ok) return done(new RequestRefused(read.refusal))
    if (read.value !== undefined && !isFile) {
      const paths = illFormed(read.value)
      if (paths.length > 0) return done(new RequestRefused(characters(paths)))
    }
    done(null, read.value)
  })
}

function characters(paths: readonly string[]): Refusal {
  return { code: 'validation.failed', errors: paths.map(path => ({ path, code: 'characters' })) }
}

/** Without these the framework loads its own compilers, a twentieth of all modules; `addValidation` replaces them. */
export const SCHEMA_CONTROLLER: NonNullable<FastifyServerOptions['schemaController']> = {
  compilersFactory: {
    buildValidator: (() => () => () => true) as never,
    buildSerializer: () => () => data => JSON.stringify(data),
  },
}

/** Route schemas are zod's: invalid input is a 422 with errors[]. A missing body counts as an empty one. */
export const addValidation = (app: FastifyInstance): void => {
  app.setValidatorCompiler<RouteSchema>(({ schema, httpPart }) => {
    const checked = checkedLater.get(schema) ?? schema
    return data => {
      const input = httpPart === 'body' ? (data ?? {}) : data
      const parsed = builtSchema(checked).safeParse(input)
      if (parsed.success) return { value: parsed.data }
      if (httpPart === 'params') return { error: new RequestRefused({ code: 'entity.notfound' }) }
      const errors = fieldErrors(parsed.error, input)
      return { error: new RequestRefused({ code: 'validation.failed', errors }) }
    }
  })
  app.setSerializerCompiler(() => data => JSON.stringify(data as Json))
}

const anyObject: z.ZodType<JsonObject> = z.custom<JsonObject>(
  value => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/** Bodies that the documentation shows in full and that are checked behind the route, by what they must be before it. */
const checkedLater = new WeakMap<RouteSchema, z.ZodType>()

/** Checked by the command handler, after it has authorized the caller. */
const commandBody = <S extends RouteSchema>(schema: S): S => {
  checkedLater.set(schema, anyObject)
  return schema
}

/** Accepts any file: the reader of its format refuses it with the format's own errors. */
const fileBody = <S extends RouteSchema>(schema: S): S => {
  checkedLater.set(schema, z.unknown())
  return schema
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file of up to 64 MB: `request.body` is its text. */
    file?: boolean
  }
}

/** Aborts when the connection of a request closes. */
export const closedSignal = ({ raw }: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  raw.once('close', () => controller.abort())
  return controller.signal
}

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
