import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AgentRequest } from '#runtime/agent/agent-port.ts'
import type { Conversations } from '#runtime/port.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { trimmedText } from '#schemas/json.ts'
import { type PublicRoute, requestValue, Unproven } from '../http/public-route-checks.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

const MAX_BODY = 1_000_000
/** Unproven calls of one address within a minute. */
const MAX_FAILURES = 60

interface WebhookRoute {
  readonly Params: { readonly channel: string; readonly '*'?: string }
}

interface Opened {
  readonly fields: JsonObject
  readonly system: NonNullable<Awaited<ReturnType<Parts['agents']['open']>>>['system']
}

/** The request as adapters read it. */
const askedOf = ({ url, headers, body, params }: FastifyRequest): AgentRequest => ({
  path: (params as WebhookRoute['Params'])['*'] ?? '',
  query: new URL(url, 'http://gateway').searchParams,
  headers: Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ),
  body: (body ?? null) as Json,
})

/** Only callers with the channel's token learn whether it exists. */
const unproven = () => new Unproven({ code: 'agent.signature' })

/** A browser names its origin: only those of the channel may call, where it names some. */
const isAllowedOrigin = ({ headers }: FastifyRequest, { channel_origin: allowed }: JsonObject): boolean => {
  const origins = trimmedText(allowed)
  if (headers.origin === undefined || origins === '') return true
  return origins.split(';').some(origin => origin.trim() === headers.origin)
}

/** POST /agent/{channel}/webhook: chat events of an agent system. Ignores chats of other bots. */
export const addAgentWebhook = (
  app: FastifyInstance,
  { agents }: Parts,
  conversations: Pick<Conversations, 'agents'>,
): void => {
  const opened = requestValue<Opened>()
  const door: PublicRoute = {
    failures: { name: 'agent webhook', most: MAX_FAILURES, isPerTarget: true },
    isShared: true,
    async target(request) {
      const { channel } = request.params as WebhookRoute['Params']
      const found = await agents.open(channel)
      if (found?.row.enable !== true) throw unproven()
      opened.set(request, found)
      return { channel, bot: found.row.bot }
    },
    async proof(request) {
      const { system, fields } = opened.of(request)
      if (!isAllowedOrigin(request, fields)) throw unproven()
      if (system.isProvenByBody !== true && system.isProven?.(askedOf(request)) !== true) throw unproven()
    },
    async bodyProof(request, bytes) {
      const { system } = opened.of(request)
      if (system.isProvenByBody === true && system.isProven?.(askedOf(request), bytes) !== true) throw unproven()
    },
  }
  for (const url of ['/agent/:channel/webhook', '/agent/:channel/webhook/*'])
    app.post<WebhookRoute>(url, { bodyLimit: MAX_BODY, config: { door } }, async (request, reply) => {
      const { channel: id } = request.params
      const { fields, system } = opened.of(request)
      const received = await system.receive?.(askedOf(request))
      if (received === undefined) return refuse(reply, { code: 'agent.signature' })
      if (!received.ok) return refuse(reply, received.refusal)
      const chats = await conversations.agents()
      for (const { key, events } of received.value) await chats?.hear(id, key, events, fields)
      const { status, body } = system.answer ?? { status: 200, body: {} }
      return reply.code(status).send(body)
    })
}
