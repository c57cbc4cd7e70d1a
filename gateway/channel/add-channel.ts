import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Exchange } from '#runtime/channel/exchange/open-exchange.ts'
import type { Channels, ProviderChannel } from '#runtime/channel/open-channels.ts'
import type { ChannelAdapter, WebhookAnswer, WebhookRequest } from '#runtime/channel/port.ts'
import type { BotLog } from '#runtime/service/bot-log.ts'
import { isPushed } from '#schemas/channel-type.ts'
import { sourceOf } from '../http/client-address.ts'
import type { RateLimits } from '../http/rate-limit.ts'
import { RequestRefused } from '../http/request-refused.ts'
import { refuse } from '../problem.ts'

/** Meta's calls hold up to 3 MB. */
const MAX_BODY_BYTES = 3_145_728
/** Calls of one address within a minute that prove nothing. */
const MAX_FAILURES = 60
/** Events of one call; no provider sends as many. */
const MAX_EVENTS = 2_000

const EMPTY: WebhookAnswer = { status: 200, type: 'text/plain', body: '' }

interface ChannelRoutes {
  readonly channels: Channels
  readonly exchange: () => Promise<Exchange>
  readonly baseUrl: () => string
  readonly rates: RateLimits
  readonly botLog: Pick<BotLog, 'log'>
}

type Params = { readonly Params: { readonly id: string } }

const headersOf = ({ headers }: FastifyRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )

/** The request as the provider made it, at the address that it was given. */
const webhookRequest = (request: FastifyRequest, base: string): WebhookRequest => ({
  method: request.method === 'GET' ? 'GET' : 'POST',
  url: `${base}${request.url}`,
  query: new URL(request.url, 'http://localhost').searchParams,
  headers: headersOf(request),
  body: request.body instanceof Uint8Array ? request.body : new Uint8Array(),
})

const send = (reply: FastifyReply, { status, type, body }: WebhookAnswer) =>
  reply
    .code(status)
    .type(type === 'text/plain' ? 'text/plain; charset=utf-8' : type)
    .send(body)

/**
 * GET and POST /channel/{id}, also with a token as last part of the path: where providers of channels call. A call is
 * answered once everything in it is stored; the same again is stored once.
 */
export const addChannel = async (
  app: FastifyInstance,
  { channels, exchange, baseUrl, botLog, rates }: ChannelRoutes,
): Promise<void> => {
  const failures = rates.add('channel', MAX_FAILURES)
  const fail = (request: FastifyRequest, reply: FastifyReply, refusal: Parameters<typeof refuse>[1]) => {
    failures.count(sourceOf(request.ip))
    return refuse(reply, refusal)
  }
  const onRequest = async (request: FastifyRequest) => {
    const retryAfter = failures.wait(sourceOf(request.ip))
    if (retryAfter !== undefined) throw new RequestRefused({ code: 'request.toomany', params: { retryAfter } })
  }
  /** Neither a disabled channel nor one that is not there answers (D-4.01). */
  const find = async (id: string): Promise<(ProviderChannel & { readonly adapter: ChannelAdapter }) | undefined> => {
    const channel = /^[\w-]{1,100}$/.test(id) ? await channels.get(id) : undefined
    return channel?.isEnabled === true && channel.adapter !== undefined && isPushed(channel.type)
      ? { ...channel, adapter: channel.adapter }
      : undefined
  }
  const answer = async (request: FastifyRequest<Params>, reply: FastifyReply) => {
    const channel = await find(request.params.id)
    if (channel === undefined) return fail(request, reply, { code: 'entity.notfound' })
    const { adapter, fields, values } = channel
    const asked = webhookRequest(request, baseUrl())
    const greeting = adapter.handshake(asked, fields)
    if (greeting !== undefined) {
      if (greeting.status >= 400) failures.count(sourceOf(request.ip))
      return send(reply, greeting)
    }
    if (asked.method === 'GET') return fail(request, reply, { code: 'entity.notfound' })
    const verified = await adapter.verify(asked, fields, values)
    if (!verified.ok) {
      const { bot, type, id } = channel
      botLog.log({ level: 'warn', code: 'channel.refused', bot, service: `${type}:${id}` })
      return fail(request, reply, verified.refusal)
    }
    const events = await adapter.parse(asked, fields, values)
    if (!events.ok) return fail(request, reply, events.refusal)
    if (events.value.length > MAX_EVENTS) return refuse(reply, { code: 'request.toolarge' })
    const opened = await exchange()
    for (const event of events.value) await opened.take(channel, event)
    return send(reply, adapter.acknowledge?.(asked) ?? EMPTY)
  }
  await app.register(async routes => {
    // Signatures are over the bytes.
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    routes.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    for (const url of ['/channel/:id', '/channel/:id/:token']) {
      routes.get<Params>(url, { onRequest }, answer)
      routes.post<Params>(url, { onRequest, bodyLimit: MAX_BODY_BYTES }, answer)
    }
  })
}
