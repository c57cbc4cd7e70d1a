import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject, trimmedText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { baseOf, type SystemAnswer, type SystemRequest, type SystemWire } from '../../outbound/system-wire.ts'
import {
  type AgentChat,
  type AgentCheck,
  type AgentEvent,
  type AgentLink,
  type AgentStep,
  agentOf,
  numberOf,
  type OpenAgentSystem,
  readAnswer,
  withFiles,
} from '../agent-port.ts'

const VERSION = 'v20.0'
const CHAT_MEDIA = 3
/** Time of the HTTP call beyond the server's timeout of a poll. */
const POLL_MARGIN_MS = 10_000
const SHORT_POLL_PAUSE_MS = 1_000
const NEXT_POLL_PAUSE_MS = 10
/** Label of the person's texts. */
const LABEL = 'User'
const UNAUTHORIZED = 401

const token = z.object({
  access_token: z.string(),
  expires_in: z.number().default(3600),
  resource_server_base_uri: z.string().optional(),
})
const started = z.object({ chatSessionId: z.string() })
const polled = z.object({
  chatSession: z.string(),
  messages: z
    .array(
      z.object({
        Type: z.string(),
        Status: z.string().nullish(),
        PartyTypeValue: z.string().nullish(),
        Label: z.string().nullish(),
        Text: z.string().nullish(),
        IsTyping: z.string().nullish(),
      }),
    )
    .default([]),
})

type Message = z.output<typeof polled>['messages'][number]

/** Keys that the contact centre sends in place of its standard texts. */
const isInternal = (text: string): boolean => text.startsWith('$Localized:')

const statusEvent = (status: string, id: string): readonly AgentEvent[] => {
  if (status === 'Waiting') return [{ kind: 'queued', id }]
  if (status === 'Active') return [{ kind: 'joined', id, agent: agentOf('') }]
  return status === 'Disconnected' ? [{ kind: 'closed', id: 'closed' }] : []
}

const eventOf = (
  { Type, Status, PartyTypeValue, Label, Text, IsTyping }: Message,
  id: string,
): readonly AgentEvent[] => {
  if (Type === 'Status') return statusEvent(Status ?? '', id)
  if (Type === 'AgentTyping') return [{ kind: 'typing', isTyping: IsTyping === 'True' }]
  const text = Text ?? ''
  if ((Type !== 'Text' && Type !== 'Ask') || PartyTypeValue === 'Client' || text === '' || isInternal(text)) return []
  if (PartyTypeValue !== 'Agent') return [{ kind: 'message', id, from: 'system', text }]
  return [{ kind: 'message', id, from: 'agent', agent: agentOf((Label ?? '').split('|')[0]), text }]
}

/** True when the session has ended: 404, or an error that says so. */
const isEnded = ({ status, body }: SystemAnswer): boolean =>
  status === 404 || (isObject(body) && body.error_description === 'SessionEnded')

/** Calls of one channel, with a token that is renewed once when refused. */
const openCalls = (fields: JsonObject, wire: SystemWire) => {
  const credentials = {
    accessKeyId: trimmedText(fields.channel_id),
    accessKeySecret: trimmedText(fields.channel_password),
  }
  const signIn = async () => {
    const url = `${baseOf(fields.channel_auth_url)}/authentication/v1/token/access-key`
    const answer = readAnswer(token, await wire.ask({ method: 'POST', url, body: credentials }))
    if (!answer.ok) return answer
    const { access_token, expires_in, resource_server_base_uri: base } = answer.value
    return accepted({ value: JSON.stringify([access_token, base ?? '']), seconds: expires_in })
  }
  const call = async (request: SystemRequest, stale?: string): Promise<Result<SystemAnswer>> => {
    const signed = await wire.remember('token', signIn, stale)
    if (!signed.ok) return signed
    const [key, given] = JSON.parse(signed.value) as [string, string]
    const base = baseOf(fields.url) || baseOf(given)
    const api = /\/incontactapi$/iu.test(base) ? base : `${base}/inContactAPI`
    const url = `${api}/services/${VERSION}${request.url}`
    const answer = await wire.call({ ...request, url, headers: [['authorization', `Bearer ${key}`]] })
    return answer.ok && answer.value.status === UNAUTHORIZED && stale === undefined
      ? call(request, signed.value)
      : answer
  }
  return {
    call,
    signIn,
    /** Returns the body of an answer with 2xx; `agent.gone` when the session has ended. */
    async ask(request: SystemRequest): Promise<Result<Json>> {
      const answer = await call(request)
      if (!answer.ok) return answer
      const { status, body } = answer.value
      if (status >= 200 && status < 300) return accepted(body ?? null)
      return isEnded(answer.value) ? refused('agent.gone') : wire.refusal(answer.value)
    },
  }
}

type Calls = ReturnType<typeof openCalls>

const sessionOf = ({ session }: AgentLink): string => `/contacts/chats/${encodeURIComponent(String(session))}`

const say = async ({ call }: Calls, wire: SystemWire, link: AgentLink, text: string): Promise<Result<AgentStep>> => {
  const body = { label: LABEL, message: text }
  const answer = await call({ method: 'POST', url: `${sessionOf(link)}/send-text`, body })
  if (!answer.ok) return answer
  const { status, body: told } = answer.value
  if (isEnded(answer.value)) return refused('agent.gone')
  // A page in place of an empty answer or JSON comes from a wrong address.
  return status >= 200 && status < 300 && (status === 202 || told !== undefined)
    ? accepted({})
    : wire.refusal(answer.value)
}

const open = async (calls: Calls, wire: SystemWire, { queue, person, fields, transcript }: AgentChat) => {
  const parameters = Object.values(fields).map(value => trimmedText(value))
  const body = { pointOfContact: queue, fromAddress: person.id, parameters, mediaType: CHAT_MEDIA }
  const answer = readAnswer(started, await calls.ask({ method: 'POST', url: '/contacts/chats', body }))
  if (!answer.ok) return answer
  const link = { session: answer.value.chatSessionId }
  if (transcript !== '') {
    const told = await say(calls, wire, link, transcript)
    if (!told.ok) return told
  }
  return accepted({ link })
}

/** Each answer has a new session. Repeated polls of a session return the same messages, so their ids do not change. */
const poll = async (
  { call }: Calls,
  wire: SystemWire,
  link: AgentLink,
  seconds: number,
): Promise<Result<AgentStep>> => {
  const timeout = seconds * 1000 + POLL_MARGIN_MS
  const answer = await call({ method: 'GET', url: `${sessionOf(link)}?timeout=${seconds}`, timeout })
  if (!answer.ok) return answer
  if (answer.value.status === 304) return accepted({})
  if (isEnded(answer.value)) return refused('agent.gone')
  const read = polled.safeParse(answer.value.body)
  if (answer.value.status !== 200 || !read.success) return wire.refusal(answer.value)
  const { chatSession, messages } = read.data
  const events = messages.flatMap((message, place) => eventOf(message, `${link.session} ${place}`))
  return accepted({ events, link: { ...link, session: chatSession } })
}

/** NICE CXone, chats of the Patron API: a session that changes with every poll. */
export const openCxone: OpenAgentSystem = (fields, wire) => {
  const calls = openCalls(fields, wire)
  const seconds = numberOf(fields, 'long_polling_timeout', 0)
  return {
    open: chat => open(calls, wire, chat),
    // The API does not report whether a text has arrived: it is not sent again.
    say: async (link, { text, files }, { isAgain }) =>
      isAgain ? accepted({}) : say(calls, wire, link, withFiles(text, files)),
    async close(link) {
      const closed = await calls.ask({ method: 'DELETE', url: sessionOf(link) })
      return closed.ok ? accepted({}) : closed
    },
    poll: link => poll(calls, wire, link, seconds),
    pollPause: seconds > 0 ? NEXT_POLL_PAUSE_MS : SHORT_POLL_PAUSE_MS,
    async check() {
      const signed = await calls.signIn()
      const checks: AgentCheck[] = [{ part: 'credentials', result: signed.ok ? accepted('') : signed }]
      return checks
    },
  }
}
