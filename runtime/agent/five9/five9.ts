import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { trimmedText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isSameSecret } from '../../channel/shared/signature.ts'
import { baseOf, type SystemRequest, type SystemWire } from '../../outbound/system-wire.ts'
import {
  type AgentChat,
  type AgentCheck,
  type AgentEvent,
  type AgentLink,
  type AgentRequest,
  agentOf,
  type OpenAgentSystem,
  readAnswer,
  withFiles,
} from '../agent-port.ts'

const HOST = 'https://app.five9.com'
const TYPE = 'Parley'
/** The service moved: its hosts are requested again. */
const MIGRATED = 435

const place = z.object({ host: z.string(), port: z.union([z.string(), z.number()]).optional() })
const session = z.object({
  tokenId: z.string(),
  orgId: z.string(),
  context: z.object({ farmId: z.string() }),
  metadata: z.object({
    dataCenters: z.array(z.object({ active: z.boolean(), apiUrls: z.array(place).default([]) })).default([]),
  }),
})
const created = z.object({ id: z.string() })
const profiles = z.array(
  z.object({ agentLoggedIn: z.boolean().default(false), openForBusiness: z.boolean().default(true) }),
)
const callback = z.object({
  externalId: z.string(),
  eventSerialNumber: z.union([z.number(), z.string()]).nullish(),
  displayName: z.string().nullish(),
  text: z.string().nullish(),
  messageId: z.string().nullish(),
  from: z.string().nullish(),
})

type Session = z.output<typeof session>

/** Host that serves the session; a test double keeps its own scheme and port. */
const apiOf = (base: string, { metadata: { dataCenters } }: Session): string => {
  const [url] = dataCenters.find(({ active }) => active)?.apiUrls ?? []
  return url === undefined ? base : `https://${url.host}${url.port === undefined ? '' : `:${url.port}`}`
}

/** The kind is a part of the path, `conversations/{id}/{kind}/…`, with any prefix and suffix. */
const KINDS = ['accept', 'message', 'typing', 'transfer', 'terminate'] as const
const kindOf = (path: string) => KINDS.find(kind => path.split('/').includes(kind))

const eventsOf = (path: string, told: z.output<typeof callback>): readonly AgentEvent[] => {
  const agent = agentOf(told.displayName)
  const id = String(told.messageId ?? told.eventSerialNumber ?? '')
  switch (kindOf(path)) {
    case 'accept':
      return [{ kind: 'joined', id: `joined ${id}`, agent }]
    case 'message':
      if (told.from === 'CLIENT' || trimmedText(told.text) === '') return []
      return [{ kind: 'message', id, from: told.from === 'SYSTEM' ? 'system' : 'agent', agent, text: told.text ?? '' }]
    case 'typing':
      return [{ kind: 'typing', isTyping: true }]
    case 'transfer':
      return [{ kind: 'transferred', id: `transferred ${id}` }]
    case 'terminate':
      return [{ kind: 'closed', id: 'closed' }]
    default:
      return []
  }
}

const openCalls = (fields: JsonObject, wire: SystemWire) => {
  const base = baseOf(fields.url) || HOST
  const service = (host: string) => `${host}/appsvcs/rs/svc`
  const call = async (link: AgentLink, { url, ...request }: SystemRequest): Promise<Result<Json>> => {
    const headers = [['authorization', `Bearer-${link.token}`] as const, ['farmId', String(link.farm)] as const]
    const answer = await wire.call({ ...request, url: `${service(String(link.host))}${url}`, headers })
    if (!answer.ok) return answer
    const { status, body } = answer.value
    if (status === 404 || status === MIGRATED) return refused('agent.gone')
    return status >= 200 && status < 300 && (status === 204 || body !== undefined)
      ? accepted(body ?? null)
      : wire.refusal(answer.value)
  }
  return {
    call,
    async signIn() {
      const url = `${service(base)}/auth/anon?cookieless=true`
      const body = { tenantName: trimmedText(fields.channel_id) }
      const answer = readAnswer(session, await wire.ask({ method: 'POST', url, body }))
      if (!answer.ok) return answer
      const { tokenId: token, orgId: org, context } = answer.value
      const host = base === HOST ? apiOf(base, answer.value) : base
      return accepted({ token, org, farm: context.farmId, host })
    },
  }
}

type Calls = ReturnType<typeof openCalls>

const open = async ({ call, signIn }: Calls, fields: JsonObject, chat: AgentChat) => {
  const signed = await signIn()
  if (!signed.ok) return signed
  const { key, person, queue, transcript, said, webhook } = chat
  const [firstName = '', ...rest] = person.name.split(' ')
  const own = Object.entries(chat.fields).map(([name, value]) => [`Custom.${name}`, value] as const)
  const body: JsonObject = {
    campaignName: queue,
    tenantId: signed.value.org,
    externalId: key,
    type: TYPE,
    callbackUrl: `${webhook}/${encodeURIComponent(trimmedText(fields.verifytoken))}`,
    priority: 0,
    contact: {
      firstName,
      lastName: rest.join(' '),
      email: trimmedText(person.data.email),
      number1: trimmedText(person.data.phone),
    },
    attributes: {
      Question: said,
      ...(transcript === '' ? {} : { 'Custom.external_history': transcript }),
      ...Object.fromEntries(own),
    },
  }
  const answer = readAnswer(created, await call(signed.value, { method: 'POST', url: '/conversations', body }))
  return answer.ok ? accepted({ link: { ...signed.value, id: answer.value.id } }) : answer
}

/** Five9 Messaging: a separate session for each chat, and callbacks whose path names their kind. */
export const openFive9: OpenAgentSystem = (fields, wire) => {
  const calls = openCalls(fields, wire)
  const { call, signIn } = calls
  const at = ({ id }: AgentLink) => `/conversations/${encodeURIComponent(String(id))}`
  const loggedIn = async (queue: string) => {
    const signed = await signIn()
    if (!signed.ok) return signed
    const url = `/agents/${encodeURIComponent(signed.value.token)}/logged_in_profiles?profiles=${encodeURIComponent(queue)}`
    const answer = readAnswer(profiles, await call(signed.value, { method: 'GET', url }))
    return answer.ok ? accepted(answer.value.some(each => each.agentLoggedIn && each.openForBusiness)) : answer
  }
  const isProven = ({ path }: Omit<AgentRequest, 'body'>) =>
    isSameSecret(path.split('/')[0] ?? '', trimmedText(fields.verifytoken))
  return {
    available: loggedIn,
    open: chat => open(calls, fields, chat),
    // The API does not report whether a message has arrived: it is not sent again.
    async say(link, { text, files }, { isAgain }) {
      if (isAgain) return accepted({})
      const body = { messageType: 'TEXT', message: withFiles(text, files) }
      const sent = await call(link, { method: 'POST', url: `${at(link)}/messages`, body })
      return sent.ok ? accepted({}) : sent
    },
    async close(link) {
      const closed = await call(link, { method: 'DELETE', url: at(link) })
      return closed.ok ? accepted({}) : closed
    },
    isProven,
    receive({ body, ...head }) {
      if (!isProven(head)) return refused('agent.signature')
      const [, ...rest] = head.path.split('/')
      const read = callback.safeParse(body)
      if (!read.success) return refused('request.unreadable')
      return accepted([{ key: read.data.externalId, events: eventsOf(rest.join('/'), read.data) }])
    },
    async check() {
      const signed = await signIn()
      const checks: AgentCheck[] = [{ part: 'system', result: signed.ok ? accepted('') : signed }]
      if (!signed.ok) return checks
      const there = await loggedIn(trimmedText(fields.defaultqueue))
      const result = !there.ok ? there : there.value ? accepted('') : refused('agent.nobody')
      checks.push({ part: 'agents', result })
      return checks
    },
  }
}
