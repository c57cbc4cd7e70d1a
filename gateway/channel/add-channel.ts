import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChannelAdapter, WebhookAnswer, WebhookRequest } from '#runtime/channel/channel-port.ts'
import { channelEndpoint, type Intake } from '#runtime/channel/exchange/intake.ts'
import type { Channels, ChannelWatch, ProviderChannel } from '#runtime/channel/open-channels.ts'
import { verifyToken } from '#runtime/channel/shared/signature.ts'
import type { BotLog } from '#runtime/service/bot-log.ts'
import { isPushed } from '#schemas/channel-type.ts'
import type { RefusalCode } from '#schemas/refusal.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import { refuse } from '../problem.ts'

/** Meta's calls hold up to 3 MB. */
const MAX_BODY_BYTES = 3_145_728
/** Calls of one address to one channel within a minute that prove nothing. */
const MAX_FAILURES = 60
/** Events of one call; no provider sends as many. */
const MAX_EVENTS = 2_000

const EMPTY: WebhookAnswer = { status: 200, type: 'text/plain', body: '' }

interface ChannelRoutes {
  readonly channels: Channels
  readonly intake: Intake
  readonly baseUrl: () => string
  readonly botLog: Pick<BotLog, 'log'>
  readonly watch: ChannelWatch
}

type Params = { readonly Params: { readonly id: string } }
type UsableChannel = ProviderChannel & { readonly adapter: ChannelAdapter }

const headersOf = ({ headers }: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** The request as the provider made it, at the address that it was given. */
const webhookRequest = (request: FastifyRequest, base: string, body: unknown): WebhookRequest => ({
  method: request.method === 'GET' ? 'GET' : 'POST',
  url: `${base}${request.url}`,
  query: new URL(request.url, 'http://localhost').searchParams,
  headers: headersOf(request),
  body: body instanceof Uint8Array ? body : new Uint8Array(),
})

const send = (reply: FastifyReply, { status, type, body }: WebhookAnswer) =>
  reply
    .code(status)
    .type(type === 'text/plain' ? 'text/plain; charset=utf-8' : type)
    .send(body)

const unproven = (code: RefusalCode) => new Unproven({ code })

/** Checks of the routes of a channel. */
const channelDoors = ({ channels, baseUrl, botLog, watch }: ChannelRoutes) => {
  const found = requestValue<UsableChannel>()
  const answers = requestValue<WebhookAnswer>()

  /** To others than its provider a disabled channel is one that is not there (D-4.01). */
  const target: PublicRoute['target'] = async request => {
    const { id } = request.params as Params['Params']
    const channel = /^[\w-]{1,100}$/.test(id) ? await channels.get(id) : undefined
    if (channel?.adapter === undefined || !isPushed(channel.type)) throw unproven('entity.notfound')
    found.set(request, { ...channel, adapter: channel.adapter })
    return { channel: id, bot: channel.bot }
  }
  const verify = async (request: FastifyRequest, body: Uint8Array) => {
    const { adapter, fields, values, bot, type, id, isEnabled } = found.of(request)
    const verified = await adapter.verify(webhookRequest(request, baseUrl(), body), fields, values)
    if (verified.ok) return watch.provenCall(id)
    watch.unprovenCall(id)
    if (!isEnabled) throw unproven('entity.notfound')
    botLog.log({ level: 'warn', code: 'channel.refused', bot, service: `${type}:${id}` })
    throw new Unproven(verified.refusal)
  }
  const failures = { name: 'channel', most: MAX_FAILURES, isPerTarget: true }
  const greeted: PublicRoute = {
    failures,
    target,
    async proof(request) {
      const { adapter, fields, isEnabled } = found.of(request)
      if (!isEnabled) throw unproven('entity.notfound')
      const greeting = adapter.handshake(webhookRequest(request, baseUrl(), undefined), fields)
      if (greeting === undefined) throw unproven('entity.notfound')
      if (greeting.status >= 400) throw unproven('access.forbidden')
      answers.set(request, greeting)
    },
  }
  const called: PublicRoute = {
    failures,
    target,
    isShared: true,
    async proof(request) {
      // A token is read from the head of a request, a signature covers its body.
      if (found.of(request).adapter.verify === verifyToken) await verify(request, new Uint8Array())
    },
    async bodyProof(request, body) {
      if (found.of(request).adapter.verify !== verifyToken) await verify(request, body)
    },
  }
  return { greeted, called, found, answers }
}

/**
 * GET and POST /channel/{id}, also with a token as last part of the path: webhooks of channel providers. Answers once
 * everything in a call is stored; stores a repeated event once, on any route.
 */
export const addChannel = async (app: FastifyInstance, services: ChannelRoutes): Promise<void> => {
  const { greeted, called, found, answers } = channelDoors(services)
  const answer = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    const channel = found.of(request)
    const { adapter, fields, values, isEnabled } = channel
    const asked = webhookRequest(request, services.baseUrl(), request.body)
    const events = await adapter.parse(asked, fields, values)
    if (!events.ok) return refuse(reply, events.refusal)
    if (events.value.length > MAX_EVENTS) return refuse(reply, { code: 'request.toolarge' })
    // The provider repeats a refused call: its events are stored once.
    const retryAfter = await services.intake.take(channelEndpoint(channel), events.value)
    // Receipts and opt-outs count nevertheless.
    if (!isEnabled) return refuse(reply, { code: 'entity.notfound' })
    if (retryAfter > 0) return refuse(reply, { code: 'request.toomany', params: { retryAfter } })
    return send(reply, adapter.acknowledge?.(asked) ?? EMPTY)
  }
  await app.register(async routes => {
    // Signatures cover the raw bytes.
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    routes.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    for (const url of ['/channel/:id', '/channel/:id/:token']) {
      routes.get<Params>(url, { config: { door: greeted } }, async (request, reply) => send(reply, answers.of(request)))
      routes.post<Params>(url, { bodyLimit: MAX_BODY_BYTES, config: { door: called } }, answer)
    }
  })
}
