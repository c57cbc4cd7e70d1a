import { hash } from 'node:crypto'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import type { Json, JsonObject } from '#schemas/event.ts'
import { fieldText, objectOf, parseJson, stringsOf, trimmedText } from '#schemas/json.ts'
import { accepted, type Result, refused } from '#schemas/refusal.ts'
import type { SystemWire } from '../../outbound/system-wire.ts'
import {
  type AgentChat,
  type AgentCheck,
  type AgentEvent,
  type AgentLink,
  type AgentSocket,
  type AgentStep,
  agentOf,
  numberOf,
  type OpenAgentSystem,
  readAnswer,
  type SocketListener,
  withFiles,
} from '../agent-port.ts'

const PATH = '/CustomerControllerWeb'
const DEVICE = 'Parley'
const REPLY_MS = 10_000
/** A chat that nobody listens to: another node has it. */
const UNHEARD_MS = 60_000
/** Pings without any sign of life before the socket counts as broken. */
const MISSED_PINGS = 3
const MAX_COMFORT = 20
/** Frames kept before the chat has a listener. */
const MAX_EARLY = 100

const participant = z.object({ id: z.string().nullish(), name: z.string().nullish() })
const comfort = z.object({
  messages: z.array(z.object({ message: z.string(), sequence: z.number().nullish() })).default([]),
})
const frameSchema = z.object({
  type: z.string(),
  body: z.object({
    method: z.string().nullish(),
    guid: z.union([z.number(), z.string()]).nullish(),
    authenticationKey: z.string().nullish(),
    webOnHoldComfortGroups: z.array(comfort).nullish(),
    role: z.string().nullish(),
    displayName: z.string().nullish(),
    participants: z.array(participant).nullish(),
    endChatFlag: z.boolean().nullish(),
    isTyping: z.boolean().nullish(),
    message: z.string().nullish(),
    senderType: z.string().nullish(),
    timestamp: z.union([z.number(), z.string()]).nullish(),
    pagePushURL: z.string().nullish(),
    positionInQueue: z.number().nullish(),
    code: z.union([z.number(), z.string()]).nullish(),
    errorMessage: z.string().nullish(),
  }),
})
const queueSchema = z.object({
  body: z.object({
    metrics: z.array(z.object({ skillset: z.string().nullish(), availableAgentsInQueue: z.number().default(0) })),
  }),
})

type Frame = z.output<typeof frameSchema>

/** State of a chat in its link. `turn` counts the agents who left, so that one who comes again joins again. */
const stateOf = (link: AgentLink) => ({
  turn: numberOf(link, 'turn', 0),
  isJoined: link.isJoined === true,
  since: numberOf(link, 'since', 0),
  comfort: stringsOf(link.comfort),
})

const messageEvent = ({ displayName, message, senderType, timestamp }: Frame['body']): readonly AgentEvent[] => {
  const text = message ?? ''
  if (text.trim() === '' || senderType === 'customer') return []
  const id = `message ${timestamp ?? ''} ${hash('sha256', text, 'hex').slice(0, 12)}`
  if (senderType === 'system') return [{ kind: 'message', id, from: 'system', text }]
  return [{ kind: 'message', id, from: 'agent', agent: agentOf(displayName), text }]
}

const ACTIVE = new Set(['active_participant', 'agent', ''])

/** Events of a notification, and the link with what they change. */
export const readFrame = ({ body }: Frame, link: AgentLink): AgentStep => {
  const { turn, isJoined } = stateOf(link)
  switch (body.method) {
    case 'newParticipant': {
      // Supervisors listen or help; the chat stays with its agent.
      if (!ACTIVE.has(body.role ?? '')) return {}
      const id = `joined ${turn} ${body.participants?.at(-1)?.id ?? body.displayName ?? ''}`
      return { events: [{ kind: 'joined', id, agent: agentOf(body.displayName) }], link: { ...link, isJoined: true } }
    }
    case 'participantLeave':
      if (body.endChatFlag === true) return { events: [{ kind: 'closed', id: 'closed' }] }
      if ((body.participants ?? []).length > 0) return {}
      return {
        events: [{ kind: 'transferred', id: `transferred ${turn}` }],
        link: { ...link, isJoined: false, turn: turn + 1 },
      }
    case 'newMessage':
      return { events: messageEvent(body) }
    case 'newPushPageMessage': {
      const url = body.pagePushURL ?? ''
      const id = `page ${body.timestamp ?? ''} ${hash('sha256', url, 'hex').slice(0, 12)}`
      const agent = agentOf(body.displayName)
      return { events: url === '' ? [] : [{ kind: 'message', id, from: 'agent', agent, text: url }] }
    }
    case 'isTyping':
      return { events: [{ kind: 'typing', isTyping: body.isTyping !== false }] }
    case 'queueStatus': {
      const position = body.positionInQueue ?? 0
      const isPlace = !isJoined && Number.isInteger(position) && position > 0
      return { events: isPlace ? [{ kind: 'queued', id: `queue ${turn} ${position}`, position }] : [] }
    }
    case 'closeConversation':
      return { events: [{ kind: 'closed', id: 'closed' }] }
    default:
      return {}
  }
}

/** The refusal for an error of the server. */
const refusalOf = ({ body: { code, errorMessage } }: Frame): Result<never> => {
  const status = Number(code) || 0
  if (status === 503) return refused('agent.nobody')
  const params = { status, error: (errorMessage ?? '—').slice(0, 100) }
  if (status === 401 || status === 403) return refused('agent.unauthorized', { params })
  return refused(status === 404 ? 'agent.gone' : status >= 500 ? 'agent.failed' : 'agent.refused', { params })
}

interface Waiter {
  readonly isReply: (frame: Frame) => boolean
  readonly settle: (frame: Frame | undefined) => void
}

/** One open socket, with requests that wait for their replies. */
class ChatSocket {
  readonly #socket: WebSocket
  readonly #waiters = new Set<Waiter>()
  readonly #early: Frame[] = []
  /** ms since 1970 of the last sign of life. */
  heard = Date.now()
  #hear: ((frame: Frame) => void) | undefined
  #lost: (() => void) | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', data => this.#read(data))
    socket.on('pong', () => {
      this.heard = Date.now()
    })
    // The event `close` follows.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      for (const { settle } of this.#waiters) settle(undefined)
      this.#lost?.()
    })
  }

  get isHeard(): boolean {
    return this.#hear !== undefined
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  /** Hands on frames, those that came before as well. */
  listen(hear: (frame: Frame) => void, lost: () => void): void {
    this.#hear = hear
    this.#lost = lost
    for (const frame of this.#early.splice(0)) hear(frame)
    if (!this.isOpen) lost()
  }

  send(method: string, body: JsonObject = {}): void {
    this.#socket.send(JSON.stringify({ apiVersion: '1.0', type: 'request', body: { method, ...body } }))
  }

  /** Sends a request and waits for its reply; undefined: none came in time, or the socket broke. */
  ask(method: string, body: JsonObject, types: readonly string[]): Promise<Frame | undefined> {
    return new Promise(resolve => {
      const settle = (frame: Frame | undefined) => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        resolve(frame)
      }
      const timer = setTimeout(() => settle(undefined), REPLY_MS)
      const isReply = ({ type, body: { method: of } }: Frame) =>
        (types.includes(type) && of === method) || (type === 'error' && (of === method || of === undefined))
      const waiter = { isReply, settle }
      this.#waiters.add(waiter)
      this.send(method, body)
    })
  }

  ping(): void {
    this.#socket.ping()
    this.send('ping')
  }

  end(): void {
    this.#hear = undefined
    this.#lost = undefined
    this.#socket.terminate()
  }

  #read(data: RawData): void {
    this.heard = Date.now()
    const read = frameSchema.safeParse(parseJson(String(data)))
    if (!read.success) return
    const waiter = [...this.#waiters].find(({ isReply }) => isReply(read.data))
    if (waiter !== undefined) waiter.settle(read.data)
    if (read.data.type !== 'notification') return
    if (this.#hear !== undefined) this.#hear(read.data)
    else if (this.#early.length < MAX_EARLY) this.#early.push(read.data)
  }
}

/** Country, area and number of a Brazilian telephone; others are whole. */
const phoneOf = ({ data, id }: AgentChat['person']) => {
  const digits = (fieldText(data, 'phone') || id).replaceAll(/[^\d]/gu, '')
  const [, country, area, number] = /^(55)(\d{2})(\d{8,9})$/u.exec(digits) ?? []
  if (number === undefined) return { country: '', area: '', phoneNumber: /^\d{8,15}$/u.test(digits) ? digits : '' }
  return { country: `+${country}`, area: area ?? '', phoneNumber: number }
}

const intrinsicsOf = ({ person, queue, fields }: AgentChat): JsonObject => ({
  email: fieldText(person.data, 'email'),
  name: person.name,
  ...phoneOf(person),
  skillset: queue,
  customFields: Object.entries(fields).map(([title, value]) => ({ title, value: trimmedText(value) })),
})

const requestOf = (intrinsics: Json, guid: Json = null, authenticationKey: Json = null): JsonObject => ({
  guid,
  authenticationKey,
  deviceType: DEVICE,
  requestTranscript: false,
  intrinsics,
})

const NO_REPLY = refused('outbound.timeout', { params: { ms: REPLY_MS } })

/** Sockets of one channel, and the server's page of its queues. */
const openServer = (fields: JsonObject, wire: SystemWire) => {
  const given = URL.parse(trimmedText(fields.url))
  const base = given === null ? '' : given.origin + PATH
  const certificate = trimmedText(fields.certificate)
  const trust = certificate === '' ? {} : { ca: certificate }
  return {
    async socket(): Promise<Result<ChatSocket>> {
      const socket = await wire.socket(`${base}/chat`, trust.ca)
      if (socket.ok) return accepted(new ChatSocket(socket.value))
      const { code } = socket.refusal
      const isLater = code === 'outbound.unreachable' || code === 'outbound.timeout' || code === 'outbound.answer'
      // Nothing was asked for yet: another attempt opens no second chat.
      return isLater ? refused('agent.disconnected') : socket
    },
    async agents(skillset: string): Promise<Result<number>> {
      const request = { method: 'POST', url: `${base}/currentqueue`, body: { skillset }, ...trust } as const
      const answer = readAnswer(queueSchema, await wire.ask(request))
      if (!answer.ok) return answer
      const { metrics } = answer.value.body
      const own = metrics.find(each => each.skillset === skillset) ?? metrics[0]
      return accepted(own?.availableAgentsInQueue ?? 0)
    },
  }
}

type Server = ReturnType<typeof openServer>

const opened = async (server: Server, chat: AgentChat): Promise<Result<{ socket: ChatSocket; link: AgentLink }>> => {
  const socket = await server.socket()
  if (!socket.ok) return socket
  const intrinsics = intrinsicsOf(chat)
  const reply = await socket.value.ask('requestChat', requestOf(intrinsics), ['notification'])
  const { guid, authenticationKey, webOnHoldComfortGroups: groups } = reply?.body ?? {}
  if (reply?.type === 'notification' && guid !== null && guid !== undefined) {
    const texts = (groups ?? []).flatMap(({ messages }) =>
      messages.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0)).map(({ message }) => message),
    )
    const link = {
      ...{ guid, authenticationKey: authenticationKey ?? null, intrinsics, since: Date.now() },
      ...{ comfort: texts.slice(0, MAX_COMFORT), turn: 0, isJoined: false },
    }
    return accepted({ socket: socket.value, link })
  }
  socket.value.end()
  return reply?.type === 'error' ? refusalOf(reply) : NO_REPLY
}

/** The socket of a chat again, after a break or on another node. */
const resumed = async (server: Server, link: AgentLink): Promise<Result<ChatSocket>> => {
  const socket = await server.socket()
  if (!socket.ok) return socket
  const asked = requestOf(objectOf(link.intrinsics), link.guid, link.authenticationKey)
  const reply = await socket.value.ask('requestChat', asked, ['notification'])
  if (reply?.type === 'notification') return socket
  socket.value.end()
  return reply?.type === 'error' ? refused('agent.gone') : refused('agent.disconnected')
}

interface Times {
  readonly ping: number
  readonly retry: number
  readonly tries: number
  /** 0: no comfort messages. */
  readonly comfort: number
}

const timesOf = (fields: JsonObject): Times => ({
  ping: numberOf(fields, 'websocket_ping_interval', 15_000),
  retry: numberOf(fields, 'websocket_reconnect_retry_interval', 3_000),
  tries: numberOf(fields, 'websocket_reconnect_maxtries', 200),
  comfort: fields.play_comfort_message === true ? numberOf(fields, 'play_comfort_message_interval', 30) * 1000 : 0,
})

/** Listens to one chat: keeps its socket alive, resumes it, and says the comfort messages while nobody is there. */
class ListenedChat implements AgentSocket {
  readonly #server: Server
  readonly #sockets: Map<string, ChatSocket>
  readonly #times: Times
  readonly #listener: SocketListener
  readonly #timers: NodeJS.Timeout[] = []
  #link: AgentLink
  #failures = 0
  /** Number of the last comfort message. */
  #said = 0
  #isClosed = false

  constructor(
    server: Server,
    sockets: Map<string, ChatSocket>,
    times: Times,
    link: AgentLink,
    listener: SocketListener,
  ) {
    this.#server = server
    this.#sockets = sockets
    this.#times = times
    this.#link = link
    this.#listener = listener
    this.#timers.push(setInterval(() => this.#beat(), times.ping).unref())
    if (times.comfort > 0) this.#timers.push(setInterval(() => this.#comfort(), Math.min(times.comfort, 1_000)).unref())
    const known = sockets.get(this.#key)
    if (known === undefined) void this.#resume()
    else this.#attach(known)
  }

  close(): void {
    this.#isClosed = true
    for (const timer of this.#timers) clearInterval(timer)
    this.#sockets.get(this.#key)?.end()
    this.#sockets.delete(this.#key)
  }

  get #key(): string {
    return String(this.#link.guid)
  }

  #attach(socket: ChatSocket): void {
    this.#sockets.set(this.#key, socket)
    socket.listen(
      frame => this.#step(readFrame(frame, this.#link)),
      () => void this.#resume(),
    )
  }

  #step(step: AgentStep): void {
    if (this.#isClosed || (step.link === undefined && (step.events ?? []).length === 0)) return
    this.#link = step.link ?? this.#link
    this.#listener.step(step)
  }

  async #resume(): Promise<void> {
    this.#sockets.delete(this.#key)
    while (!this.#isClosed) {
      const socket = await resumed(this.#server, this.#link)
      if (socket.ok) {
        if (this.#isClosed) return socket.value.end()
        this.#failures = 0
        return this.#attach(socket.value)
      }
      if (socket.refusal.code === 'agent.gone') return this.#step({ events: [{ kind: 'closed', id: 'closed' }] })
      this.#failures += 1
      if (this.#failures > this.#times.tries)
        return this.#step({ events: [{ kind: 'error', id: 'disconnected', code: socket.refusal.code }] })
      await new Promise(resolve => setTimeout(resolve, this.#times.retry).unref())
    }
  }

  #beat(): void {
    const socket = this.#sockets.get(this.#key)
    if (socket === undefined || !socket.isOpen) return
    if (Date.now() - socket.heard > MISSED_PINGS * this.#times.ping) {
      socket.end()
      return void this.#resume()
    }
    socket.ping()
    if (!stateOf(this.#link).isJoined) socket.send('queueStatus')
  }

  /** The comfort message of the present interval; its id makes each of them one event. */
  #comfort(): void {
    const { isJoined, since, comfort: texts, turn } = stateOf(this.#link)
    const n = Math.floor((Date.now() - since) / this.#times.comfort)
    const text = texts[(n - 1) % texts.length]
    if (isJoined || n < 1 || text === undefined || this.#said === n) return
    this.#said = n
    this.#step({ events: [{ kind: 'message', id: `comfort ${turn} ${n}`, from: 'system', isShown: true, text }] })
  }
}

/** Avaya Aura Contact Center, Enterprise Web Chat: one socket per chat, resumed with its guid and key. */
export const openAacc: OpenAgentSystem = (fields, wire) => {
  const server = openServer(fields, wire)
  const times = timesOf(fields)
  /** Open sockets by the guid of their chat. */
  const sockets = new Map<string, ChatSocket>()
  const socketOf = ({ guid }: AgentLink): ChatSocket | undefined => {
    const socket = sockets.get(String(guid))
    return socket?.isOpen === true ? socket : undefined
  }
  const say = async (socket: ChatSocket, message: string): Promise<Result<AgentStep>> => {
    const reply = await socket.ask('newMessage', { message }, ['acknowledgement'])
    if (reply === undefined) return NO_REPLY
    return reply.type === 'error' ? refusalOf(reply) : accepted({})
  }
  return {
    async available(skillset) {
      const agents = await server.agents(skillset)
      return agents.ok ? accepted(agents.value > 0) : agents
    },
    async open(chat, { isAgain }) {
      // The server does not say whether a chat was opened.
      if (isAgain) return refused('agent.unknown')
      const made = await opened(server, chat)
      if (!made.ok) return made
      const { socket, link } = made.value
      sockets.set(String(link.guid), socket)
      setTimeout(() => {
        if (socket.isHeard || sockets.get(String(link.guid)) !== socket) return
        sockets.delete(String(link.guid))
        socket.end()
      }, UNHEARD_MS).unref()
      if (chat.transcript !== '') {
        const told = await say(socket, chat.transcript)
        if (!told.ok && told.refusal.code !== 'outbound.timeout') return told
      }
      return accepted({ link })
    },
    // The server does not say whether a message has arrived: it is not sent again.
    async say(link, { text, files }, { isAgain }) {
      if (isAgain) return accepted({})
      const socket = socketOf(link)
      return socket === undefined ? refused('agent.disconnected') : say(socket, withFiles(text, files))
    },
    async typing(link) {
      socketOf(link)?.send('isTyping', { isTyping: true })
      return accepted({})
    },
    async close(link) {
      const known = socketOf(link)
      const socket = known === undefined ? await resumed(server, link) : accepted(known)
      if (!socket.ok) return socket.refusal.code === 'agent.disconnected' ? refused('outbound.unreachable') : socket
      const reply = await socket.value.ask('closeConversation', {}, ['notification', 'acknowledgement'])
      socket.value.end()
      sockets.delete(String(link.guid))
      return reply?.type === 'error' ? refusalOf(reply) : accepted({})
    },
    connect: (link, listener) => new ListenedChat(server, sockets, times, link, listener),
    async check() {
      const agents = await server.agents(trimmedText(fields.defaultqueue))
      const checks: AgentCheck[] = [{ part: 'system', result: agents.ok ? accepted('') : agents }]
      if (!agents.ok) return checks
      const socket = await server.socket()
      if (socket.ok) socket.value.end()
      else return [{ part: 'system', result: socket }]
      return [...checks, { part: 'agents', result: agents.value > 0 ? accepted('') : refused('agent.nobody') }]
    },
  }
}
