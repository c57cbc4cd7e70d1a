import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type onSendHookHandler,
} from 'fastify'
import { openAccountWebhook } from '#runtime/campaign/meta/check-account.ts'
import { Intake, NumberTable } from '#runtime/channel/exchange/intake.ts'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import { DEFAULT_LANGUAGE, type Language, languageOf } from '#schemas/language.ts'
import type { Refusal } from '#schemas/refusal.ts'
import type { Settings } from '#schemas/settings.ts'
import { addAgentWebhook } from '../agent/webhook.ts'
import { addChannel } from '../channel/add-channel.ts'
import { addChat } from '../chat/add-chat.ts'
import { addChatPage } from '../chat/chat-page.ts'
import { chatParts } from '../chat/chat-parts.ts'
import { addDraftPage } from '../chat/draft-page.ts'
import { addMetaWebhook } from '../meta/webhook.ts'
import { addActionServer } from '../ml/action-server.ts'
import { addDocumentation } from '../openapi.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'
import { addApi } from '../routes/api.ts'
import { addPublicFile, addTemplateFile } from '../routes/file.ts'
import { addShortUrl } from '../routes/short-url.ts'
import { refuseScim } from '../scim/scim-answer.ts'
import { addScim, SCIM_BASE } from '../scim/scim-route.ts'
import type { ServerParts } from '../server-parts.ts'
import { addWeb } from '../web.ts'
import { refusalOf, refuseUnreadable } from './failure.ts'
import { createGuard } from './guard.ts'
import { addBodyParser, addValidation, SCHEMA_CONTROLLER } from './handle.ts'
import { addPublicRouteChecks, undeclaredRoutes } from './public-route-checks.ts'
import { PublicRouteLimits } from './rate-limit.ts'

/** Tells an unknown path from a known one asked with the wrong method. Made before the routes are registered. */
class KnownPaths {
  readonly #methods = new Map<string, Set<string>>()
  readonly #patterns = new Map<string, readonly string[]>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', route => {
      for (const method of [route.method].flat()) this.#add(route.url, method)
    })
  }

  /** Methods of a path without its query, sorted; empty when no route has it. */
  allowed(path: string): readonly string[] {
    const segments = path.split('/')
    const methods = new Set<string>()
    for (const [url, pattern] of this.#patterns)
      if (matches(pattern, segments)) for (const method of this.#methods.get(url) ?? []) methods.add(method)
    return [...methods].sort()
  }

  #add(url: string, method: string): void {
    const known = this.#methods.get(url) ?? new Set()
    this.#methods.set(url, known.add(method))
    if (!url.includes('*')) this.#patterns.set(url, url.split('/'))
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
}

/**
 * HEAD shares the route of GET. Separate routes, as made by the framework, cost a third of the start. Call before the
 * routes are registered.
 */
const addHead = (app: FastifyInstance): void => {
  app.addHook('onRoute', route => {
    if (route.method !== 'GET') return
    route.method = ['GET', 'HEAD']
    route.onSend = [...[route.onSend ?? []].flat(), withoutBody]
  })
}

const withoutBody: onSendHookHandler = (request, reply, payload, done) => {
  if (request.method !== 'HEAD') return done(null, payload)
  if (isStream(payload)) payload.on('error', error => reply.log.error(error)).resume()
  else reply.header('content-length', Buffer.byteLength((payload as string | Buffer | null | undefined) ?? ''))
  done(null, null)
}

const isStream = (payload: unknown): payload is NodeJS.ReadableStream =>
  typeof (payload as Partial<NodeJS.ReadableStream> | null | undefined)?.resume === 'function'

/** Links a click, its request, the resulting events and their log lines. */
const CORRELATION_HEADER = 'x-correlation-id'

/** As the caller chose it, else a new one. */
const correlationOf = (headers: Readonly<Record<string, string | readonly string[] | undefined>>): string => {
  const given = headers[CORRELATION_HEADER]
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : randomUUID()
}

/** Each answer tells its correlation, and the log who asked what and how it was answered, never what was in it. */
const addCorrelation = (app: FastifyInstance, { log }: Parts): void => {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(CORRELATION_HEADER, request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply
    const level = status >= 500 ? 'warn' : status >= 400 && request.method !== 'GET' ? 'info' : 'debug'
    const user = request.session?.access.user
    const route = request.routeOptions.url
    log[level](
      { correlation: request.id, user, method: request.method, route, status, ms: Math.round(elapsedTime) },
      'answered',
    )
  })
}

const API_BASE = '/botadmin/api'
const SIGN_IN = `${API_BASE}/auth/login`
const BODY_LIMIT = 1_000_000
/** Slow or endless requests end here; uploads of 64 MB fit. */
const REQUEST_TIMEOUT = 120_000
/** Within this time the head of a request must be there, ms; found at most this much later. */
const HEADERS_TIMEOUT_MS = 15_000
const TIMEOUT_CHECK_MS = 5_000

function addFigures(app: FastifyInstance, { metrics }: ServerParts['parts']): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    if (route === SIGN_IN) metrics.signIns.inc({ outcome: reply.statusCode === 200 ? 'accepted' : 'refused' })
  })
}

/** Lets the spans of a request continue the trace of its caller. */
const addTraces = (app: FastifyInstance, { tracer }: ServerParts['parts']): void => {
  if (tracer?.isOn !== true) return
  // The last hook before the handler: a body that arrives in between would leave the trace.
  app.addHook('preHandler', (request, _reply, done) => tracer.receive(request.headers.traceparent, () => done()))
}

const addDoor = (app: FastifyInstance, { settings, metrics, rates }: ServerParts['parts']) => {
  const limits = new PublicRouteLimits(settings, {
    rates,
    refused: (limit, scope) => metrics.limited.inc({ limit, scope }),
  })
  metrics.observe('parley_open_body_bytes', 'Bytes of bodies without a session in memory', () =>
    limits.heldInNode('bodybytes'),
  )
  return addPublicRouteChecks(app, { limits, bodyMs: settings.LIMIT_BODY_SECONDS * 1000 })
}

/** The one intake of all addresses that providers call. */
const openIntake = (app: FastifyInstance, parts: ServerParts['parts'], exchange: () => Promise<Exchange>): Intake => {
  const numbers = new NumberTable(parts)
  app.addHook('onClose', () => numbers.close())
  const senders = app.openDoor.sender
  const { news, seen } = openAccountWebhook(parts, numbers)
  const { store, botLog, tracer } = parts
  return new Intake({ numbers, exchange, senders, news, seen, store, botLog, tracer })
}

/** Routes outside of the API: links, files, the console and the web chat. */
async function addOpenPages(app: FastifyInstance, { parts, conversations, flows }: ServerParts): Promise<void> {
  addShortUrl(app, parts)
  addPublicFile(app, parts)
  addTemplateFile(app, parts)
  if (conversations !== undefined) {
    app.decorate('openChat', await addChat(app, chatParts(parts, conversations)))
    addActionServer(app, parts)
    addAgentWebhook(app, parts, conversations)
    const { channels, settings, botLog, channelWatch } = parts
    const baseUrl = () => settings.BOT_ROUTER_URL ?? parts.publicUrl()
    const { exchange } = conversations
    if (exchange !== undefined) {
      const intake = openIntake(app, parts, () => exchange())
      addMetaWebhook(app, parts, intake)
      await addChannel(app, { channels, intake, baseUrl, botLog, watch: channelWatch })
    }
  }
  await addWeb(app)
  addChatPage(app, parts)
  addDraftPage(app, parts, flows)
}

const languageFor = ({ headers, session }: FastifyRequest): Language =>
  languageOf(headers['accept-language']) ?? session?.language ?? DEFAULT_LANGUAGE

const createApp = ({ settings, log }: ServerParts['parts']): FastifyInstance => {
  const proxies = settings.TRUSTED_PROXIES
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => correlationOf(headers),
    trustProxy: proxies.length > 0 ? [...proxies] : false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: TIMEOUT_CHECK_MS },
    // On a machine under load the start of a gateway takes longer than any limit that would show a fault.
    pluginTimeout: 0,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController: SCHEMA_CONTROLLER,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, request, reply) => {
      // Such a request has no decorators.
      Object.assign(request, { language: languageFor(request) })
      refuse(reply, refusalOf(error, log))
    },
  })
}

/** Ends connections that never sent a request, as browsers open them ahead: Node waits for their first one until its time-out. */
const endUnused = (app: FastifyInstance): void => {
  const unused = new Set<Socket>()
  app.server.on('connection', socket => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  for (const used of ['request', 'upgrade']) app.server.on(used, ({ socket }: IncomingMessage) => unused.delete(socket))
  app.addHook('preClose', async () => {
    for (const socket of unused) socket.destroy()
  })
}

/** The HTTP side, ready to listen. */
export const buildServer = async (given: ServerParts): Promise<FastifyInstance> => {
  const { parts, authentication, sessions } = given
  const app = createApp(parts)
  app.decorateRequest('session', undefined)
  app.decorateRequest('language', {
    getter() {
      return languageFor(this)
    },
  })
  endUnused(app)
  addHead(app)
  const routes = addDoor(app, parts)
  const known = new KnownPaths(app)
  addBodyParser(app)
  addValidation(app)
  addFigures(app, parts)
  addTraces(app, parts)
  // A connection that is kept for the next request would hold up the end of the node until its time-out.
  app.addHook('onSend', async (_request, reply) => {
    if (parts.readiness.isLeaving) reply.header('connection', 'close')
  })
  app.setErrorHandler((error, _request, reply) => refuse(reply, refusalOf(error as Error, parts.log)))
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const [path = ''] = request.url.split('?')
    const allow = known.allowed(path)
    // A path with the right method but no route has a part that is too long: it does not exist.
    const refusal: Refusal =
      allow.length > 0 && !allow.includes(request.method)
        ? { code: 'request.method', params: { allow: allow.join(', ') } }
        : { code: 'entity.notfound' }
    return path.startsWith(`${SCIM_BASE}/`) ? refuseScim(reply, refusal) : refuse(reply, refusal)
  }
  app.setNotFoundHandler(refuseUnknown)
  await app.register(cookie)
  await addHeaders(app, parts.settings)
  // The not-found handler runs after the body is parsed; here no body is read.
  app.addHook('onRequest', async (request, reply) => (request.is404 ? refuseUnknown(request, reply) : undefined))
  addDocumentation(app, parts.work)
  const addGuard = createGuard(parts, sessions)
  await app.register(
    async api => {
      api.addHook('onRoute', route => {
        route.config = { ...route.config, isGuarded: true }
      })
      addCorrelation(api, parts)
      addGuard(api)
      api.addHook('onSend', async (_request, reply) => {
        if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
      })
      await authentication.routes(api)
      await addApi(api, given)
    },
    { prefix: API_BASE },
  )
  await app.register(
    async scim => {
      addCorrelation(scim, parts)
      addScim(scim, { parts, addGuard })
    },
    { prefix: SCIM_BASE },
  )
  authentication.pages(app)
  await addOpenPages(app, given)
  const undeclared = undeclaredRoutes(routes)
  if (undeclared.length > 0) throw new Error(`needs no session and declares no checks: ${undeclared.join(', ')}`)
  return app
}

/** The same for every answer, so helmet is asked once and not with each request. */
export const addHeaders = async (app: FastifyInstance, settings: Settings): Promise<void> => {
  const headers = await headersOf(settings)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Allows inline styles (the console's components create them at run time), but no inline scripts. */
const headersOf = async (settings: Settings): Promise<Readonly<Record<string, string>>> => {
  const secure = settings.PUBLIC_URL?.startsWith('https:') === true
  const reports = settings.METABASE_URL === undefined ? [] : [new URL(settings.METABASE_URL).origin]
  const asked = Fastify({ schemaController: SCHEMA_CONTROLLER })
  await asked.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', 'https:'],
        mediaSrc: ["'self'", 'blob:', 'https:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: reports.length === 0 ? ["'none'"] : reports,
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    hsts: secure,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  asked.get('/', async (_request, reply) => reply.raw.getHeaders())
  return (await asked.inject('/')).json()
}
