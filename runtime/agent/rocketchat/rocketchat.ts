import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { trimmedText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import { isSameSecret } from '../../channel/shared/signature.ts'
import { baseOf, type SystemAnswer, type SystemWire } from '../../outbound/system-wire.ts'
import {
  type AgentChat,
  type AgentCheck,
  type AgentEvent,
  type AgentLink,
  type AgentMessage,
  type AgentPerson,
  type AgentRequest,
  type AgentStep,
  agentOf,
  numberOf,
  type OpenAgentSystem,
  readAnswer,
  withFiles,
} from '../agent-port.ts'

/** The server refuses longer ones (its own default limit). */
const MAX_TEXT = 5000
const HISTORY = 50

const config = z.object({
  config: z.object({
    enabled: z.boolean().optional(),
    online: z.boolean().optional(),
    departments: z.array(z.object({ _id: z.string(), name: z.string().optional() })).default([]),
  }),
})
const room = z.object({
  room: z.object({
    _id: z.string(),
    servedBy: z.object({ username: z.string() }).nullish(),
    closedAt: z.string().nullish(),
  }),
})
const file = z.object({ publicFilePath: z.string().optional(), type: z.string().optional() })
const message = z.object({
  _id: z.string(),
  msg: z.string().nullish(),
  /** Kind of a message from the server itself. */
  t: z.string().nullish(),
  /** Token of the visitor, whose own messages are delivered as well. */
  token: z.string().nullish(),
  agentId: z.string().nullish(),
  username: z.string().nullish(),
  u: z.object({ username: z.string().nullish(), name: z.string().nullish() }).nullish(),
  file: z.object({ name: z.string().nullish(), type: z.string().nullish() }).nullish(),
  fileUpload: z.union([file, z.array(file)]).nullish(),
})
const history = z.object({ messages: z.array(message.extend({ ts: z.json().optional() })) })
const served = z.object({ username: z.string().nullish(), ts: z.string().nullish() })
const webhook = z.object({
  type: z.string(),
  visitor: z.object({ token: z.string().nullish() }).nullish(),
  agent: z.object({ username: z.string().nullish(), name: z.string().nullish() }).nullish(),
  servedBy: served.nullish(),
  departmentId: z.string().nullish(),
  lastMessageAt: z.string().nullish(),
  closedAt: z.string().nullish(),
  messages: z.array(message).default([]),
})

type Message = z.output<typeof message>

/** The server names an error in a text, with status 400. */
const GONE = /room-closed|invalid-room|invalid-token|error-room-does-not-exist/u
const NOBODY = /no-agents?-online/u

const judge = (wire: SystemWire, answer: Result<SystemAnswer>): Result<Json> => {
  if (!answer.ok) return answer
  const { status, body } = answer.value
  if (status >= 200 && status < 300 && body !== undefined) return accepted(body)
  const words = JSON.stringify(body ?? null)
  if (GONE.test(words)) return refused('agent.gone')
  if (NOBODY.test(words)) return refused('agent.nobody')
  return wire.refusal(answer.value)
}

/** Events for messages of the server itself that report the state of the chat. */
const systemEvent = ({ _id: id, t }: Message): AgentEvent | undefined => {
  if (t === 'livechat-close') return { kind: 'closed', id: 'closed' }
  return t === 'livechat_transfer_history' ? { kind: 'transferred', id } : undefined
}

const filesOf = ({ file: named, fileUpload }: Message) =>
  [fileUpload ?? []]
    .flat()
    .flatMap(({ publicFilePath: url, type }) =>
      url === undefined ? [] : [{ name: named?.name ?? 'file', type: named?.type ?? type ?? '', url }],
    )

const eventOf = (said: Message, agent: AgentPerson): readonly AgentEvent[] => {
  if (said.t !== null && said.t !== undefined && said.t !== '') {
    const event = systemEvent(said)
    if (event !== undefined) return [event]
    return trimmedText(said.msg) === '' ? [] : [{ kind: 'message', id: said._id, from: 'system', text: said.msg ?? '' }]
  }
  const files = filesOf(said)
  if (trimmedText(said.msg) === '' && files.length === 0) return []
  return [{ kind: 'message', id: said._id, from: 'agent', agent, text: said.msg ?? '', files }]
}

const visitorOf = ({ key, person, queue, fields }: AgentChat): JsonObject => {
  const known = [...Object.entries(fields), ...Object.entries(person.data)].flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && name !== 'email' ? [{ key: name, value, overwrite: true }] : [],
  )
  const email = trimmedText(person.data.email)
  return {
    token: key,
    name: person.name || `Visitor ${key.slice(0, 6)}`,
    ...(email === '' ? {} : { email }),
    ...(queue === '' ? {} : { department: queue }),
    ...(known.length === 0 ? {} : { customFields: known }),
  }
}

const joinedBy = (agent: AgentPerson, username: string | null | undefined): AgentEvent => ({
  kind: 'joined',
  id: `joined ${username}`,
  agent,
})

/** Livechat calls of one channel, with errors by class. */
const openCalls = (fields: JsonObject, wire: SystemWire) => {
  const server = baseOf(fields.url)
  const base = `${server}/api/v1`
  const user = trimmedText(fields.channel_id)
  const headers =
    user === '' ? [] : [['x-user-id', user] as const, ['x-auth-token', trimmedText(fields.channel_password)] as const]
  const get = async (path: string) => judge(wire, await wire.call({ method: 'GET', url: `${base}${path}`, headers }))
  const post = async (path: string, body: JsonObject) =>
    judge(wire, await wire.call({ method: 'POST', url: `${base}${path}`, headers, body }))
  return {
    get,
    post,
    hasUser: user !== '',
    /** The key is for the server's own files alone. */
    file: (url: string) =>
      wire.download({
        method: 'GET',
        url,
        ...(URL.parse(url)?.origin === URL.parse(server)?.origin ? { headers } : {}),
      }),
    person: (name: string | null | undefined, username: string | null | undefined) =>
      agentOf(name ?? username, username ? `${server}/avatar/${encodeURIComponent(username)}` : ''),
    async config(queue: string) {
      const at = queue === '' ? '' : `?department=${encodeURIComponent(queue)}`
      const answer = readAnswer(config, await get(`/livechat/config${at}`))
      return answer.ok ? accepted(answer.value.config) : answer
    },
    async say(key: string, rid: string, { id, text, files }: AgentMessage): Promise<Result<AgentStep>> {
      const msg = withFiles(text, files).slice(0, MAX_TEXT)
      if (msg === '') return accepted({})
      // The server treats a message with a known id as the same message.
      const sent = await post('/livechat/message', { token: key, rid, msg, _id: id })
      return sent.ok ? accepted({}) : sent
    },
  }
}

type Calls = ReturnType<typeof openCalls>

const open = async ({ get, post, say, person }: Calls, chat: AgentChat) => {
  const registered = await post('/livechat/visitor', { visitor: visitorOf(chat) })
  if (!registered.ok) return registered
  const opened = readAnswer(room, await get(`/livechat/room?token=${encodeURIComponent(chat.key)}`))
  if (!opened.ok) return opened
  const { _id: rid, servedBy } = opened.value.room
  if (chat.transcript !== '') {
    const text = chat.transcript.slice(-MAX_TEXT)
    const told = await say(chat.key, rid, { id: `${chat.key}t`, text, files: [] })
    if (!told.ok) return told
  }
  const events = servedBy ? [joinedBy(person(undefined, servedBy.username), servedBy.username)] : []
  return accepted({ link: { key: chat.key, rid }, events })
}

const poll = async ({ get, person }: Calls, { key, rid }: AgentLink): Promise<Result<AgentStep>> => {
  const at = `/livechat/messages.history/${encodeURIComponent(String(rid))}`
  const query = `?token=${encodeURIComponent(String(key))}&limit=${HISTORY}`
  const answer = readAnswer(history, await get(at + query))
  if (!answer.ok) return answer
  const events = answer.value.messages
    .toReversed()
    .filter(said => trimmedText(said.token) === '')
    .flatMap(said => eventOf(said, person(said.u?.name, said.u?.username)))
  return accepted({ events })
}

const eventsOf = (
  { type, agent, servedBy, messages, lastMessageAt, closedAt, departmentId }: z.output<typeof webhook>,
  person: Calls['person'],
): readonly AgentEvent[] => {
  const by = person(agent?.name, agent?.username)
  const username = servedBy?.username ?? agent?.username
  switch (type) {
    case 'LivechatSessionQueued':
      return [{ kind: 'queued', id: `queued ${departmentId ?? ''} ${lastMessageAt ?? ''}` }]
    case 'LivechatSessionTaken':
      return [joinedBy(username === agent?.username ? by : person(undefined, username), username)]
    case 'LivechatSessionForwarded':
      return [
        { kind: 'transferred', id: `transferred ${servedBy?.ts ?? lastMessageAt ?? ''}` },
        ...(servedBy?.username ? [joinedBy(person(undefined, servedBy.username), servedBy.username)] : []),
      ]
    case 'Message':
      // The visitor's own messages are delivered as well; only an agent's messages name their agent.
      return messages.filter(({ agentId }) => trimmedText(agentId) !== '').flatMap(said => eventOf(said, by))
    case 'LivechatSession':
      return closedAt ? [{ kind: 'closed', id: 'closed' }] : []
    default:
      return []
  }
}

const check = async ({ config: configOf, get, hasUser }: Calls, queue: string): Promise<readonly AgentCheck[]> => {
  const answer = await configOf(queue)
  const checks: AgentCheck[] = [{ part: 'system', result: answer.ok ? accepted('') : answer }]
  if (!answer.ok) return checks
  if (hasUser) {
    const me = readAnswer(z.object({ username: z.string() }), await get('/me'))
    checks.push({ part: 'credentials', result: me.ok ? accepted(me.value.username) : me })
  }
  const found = answer.value.departments.find(({ _id }) => _id === queue)
  const unknown = refused('agent.notfound', { params: { status: 200, error: queue } })
  if (queue !== '') checks.push({ part: 'queue', result: found === undefined ? unknown : accepted(found.name ?? '') })
  checks.push({ part: 'agents', result: answer.value.online === true ? accepted('') : refused('agent.nobody') })
  return checks
}

/** Rocket.Chat Omnichannel 6 to 8: Livechat's REST calls, and the server's one webhook. */
export const openRocketChat: OpenAgentSystem = (fields, wire) => {
  const calls = openCalls(fields, wire)
  const pollPause = numberOf(fields, 'check_agent_message_availibility_interval', 0)
  const isProven = ({ headers }: Omit<AgentRequest, 'body'>) =>
    isSameSecret(headers['x-rocketchat-livechat-token'] ?? '', trimmedText(fields.verifytoken))
  return {
    // A server with a queue takes chats while no agent is free.
    ...(fields.queue_enabled === true
      ? {}
      : {
          async available(queue) {
            const answer = await calls.config(queue)
            return answer.ok ? accepted(answer.value.enabled !== false && answer.value.online === true) : answer
          },
        }),
    open: chat => open(calls, chat),
    say: (link, said) => calls.say(String(link.key), String(link.rid), said),
    async close({ rid, key }) {
      const closed = await calls.post('/livechat/room.close', { rid: String(rid), token: String(key) })
      return closed.ok ? accepted({}) : closed
    },
    ...(pollPause > 0 ? { pollPause, poll: link => poll(calls, link) } : {}),
    fetchFile: url => calls.file(url),
    isProven,
    receive({ body, ...head }) {
      if (!isProven(head)) return refused('agent.signature')
      const read = webhook.safeParse(body)
      if (!read.success) return refused('request.unreadable')
      const key = trimmedText(read.data.visitor?.token)
      return accepted(key === '' ? [] : [{ key, events: eventsOf(read.data, calls.person) }])
    },
    check: () => check(calls, trimmedText(fields.defaultqueue)),
  }
}
