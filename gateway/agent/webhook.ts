import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AgentRequest } from '#runtime/agent/port.ts'
import type { Conversations } from '#runtime/port.ts'
import type { Json } from '#schemas/event.ts'
import { sourceOf } from '../http/client-address.ts'
import type { Parts } from '../port.ts'
import { refuse } from '../problem.ts'

const MAX_BODY = 1_000_000
/** Unproven calls of one address within a minute. */
const MAX_FAILURES = 60

interface WebhookRoute {
  readonly Params: { readonly channel: string; readonly '*'?: string }
}

/** The request as adapters read it. */
const askedOf = ({ url, headers, body, params }: FastifyRequest<WebhookRoute>): AgentRequest => ({
  path: params['*'] ?? '',
  query: new URL(url, 'http://gateway').searchParams,
  headers: Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ),
  body: (body ?? null) as Json,
})

/** POST /agent/{channel}/webhook: what an agent system tells of its chats. Chats that are not of this bot are passed over. */
export const addAgentWebhook = (
  app: FastifyInstance,
  { agents, rates }: Parts,
  conversations: Pick<Conversations, 'agents'>,
): void => {
  const failures = rates.add('agent webhook', MAX_FAILURES)
  for (const url of ['/agent/:channel/webhook', '/agent/:channel/webhook/*'])
    app.post<WebhookRoute>(url, { bodyLimit: MAX_BODY }, async (request, reply) => {
      const source = sourceOf(request.ip)
      const retryAfter = failures.wait(source)
      if (retryAfter !== undefined) return refuse(reply, { code: 'request.toomany', params: { retryAfter } })
      const { channel: id } = request.params
      const channel = await agents.open(id)
      const received = channel?.system.receive?.(askedOf(request))
      // Whether there is such a channel is told to those who have its token alone.
      if (
        channel === undefined ||
        received === undefined ||
        (!received.ok && received.refusal.code === 'agent.signature')
      ) {
        failures.count(source)
        return refuse(reply, { code: 'agent.signature' })
      }
      if (!received.ok) return refuse(reply, received.refusal)
      const chats = await conversations.agents()
      for (const { key, events } of received.value) await chats?.hear(id, key, events, channel.fields)
      return {}
    })
}
