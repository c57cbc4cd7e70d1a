import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { refuseHttp, refuseUpgrade } from '#realtime/refuse-upgrade.ts'
import { peerCheck } from '#realtime/wire.ts'
import { clientFrame } from '#schemas/api/chat.ts'
import { parseJson } from '#schemas/json.ts'
import { DEFAULT_LANGUAGE, type Language, languageOf } from '#schemas/language.ts'
import type { Refusal, RefusalCode } from '#schemas/refusal.ts'
import { createSocketLimit } from '../http/guard.ts'
import { clientAddress, sourceOf } from '../http/rate-limit.ts'
import { problemOf } from '../problem.ts'
import type { Accept } from './accept-message.ts'
import type { ChatAccess, ChatSession } from './chat-access.ts'
import { type ChatParts, limitsOf } from './chat-port.ts'
import type { ChatTokens, TokenContent } from './chat-token.ts'
import { CHAT_FRAMES, type Frames, Listener, type Listeners } from './listener.ts'

const PROTOCOL = 'parley.chat.v1'
const CHAT = /^\/chat\/conversations\/([\w-]{1,100})\/stream$/
const MAX_FRAME = 32_768
const CLOSE_TIMEOUT_MS = 2_000
/** Frames of one socket in one second; more end it. */
const MAX_FRAMES_PER_S = 50

const CLOSE_CODES: Readonly<Partial<Record<RefusalCode, number>>> = {
  'chat.token': 4401,
  'auth.origin': 4403,
  'request.toomany': 4429,
  'server.draining': 4503,
}

/** Parsed upgrade request. */
export interface SocketRequest {
  readonly conversation: string
  readonly content: Promise<TokenContent | undefined>
  readonly after: string
  readonly frames: (session: ChatSession) => Frames
  /** Named in the answer, if the client asked for it. */
  readonly protocol: string | undefined
  /** Whether the client speaks on it too. */
  readonly isTwoWay: boolean
}

const protocolsOf = ({ headers }: IncomingMessage): readonly string[] =>
  (headers['sec-websocket-protocol'] ?? '').split(',').map(part => part.trim())

/** An upgrade to a conversation of the web chat: the token is the protocol after the chat's own. */
const chatSocket =
  (tokens: ChatTokens) =>
  (request: IncomingMessage): SocketRequest | undefined => {
    const url = URL.parse(request.url ?? '', 'http://gateway')
    const [, conversation] = CHAT.exec(url?.pathname ?? '') ?? []
    if (url === null || conversation === undefined) return undefined
    const [protocol, token] = protocolsOf(request)
    return {
      conversation,
      content: tokens.read(protocol === PROTOCOL ? token : undefined),
      after: (url.searchParams.get('after') ?? '').slice(0, 200),
      frames: () => CHAT_FRAMES,
      protocol: protocol === PROTOCOL ? PROTOCOL : undefined,
      isTwoWay: true,
    }
  }

interface Caller {
  /** Headers that name the page, and the address that it called. */
  readonly headers: Pick<IncomingHttpHeaders, 'origin' | 'host'>
  readonly language: Language
  readonly address: string
}

/** Without the request, which an open chat would keep in memory: some 4 kB. */
const callerOf = ({ headers }: IncomingMessage, address: string): Caller => {
  const { origin, host, 'accept-language': languages } = headers
  return {
    headers: { ...(origin !== undefined && { origin }), ...(host !== undefined && { host }) },
    language: languageOf(languages) ?? DEFAULT_LANGUAGE,
    address,
  }
}

/** The answer to a frame of the client; undefined for a frame that needs none. */
const answerFrame = async (
  text: string,
  session: ChatSession,
  { parts, access, accept, door }: Pick<Services, 'parts' | 'access' | 'accept' | 'door'>,
  { headers, language, address }: Caller,
) => {
  const problem = (refusal: Refusal, id?: string) => ({
    t: 'delivered',
    ...(id === undefined ? {} : { id }),
    problem: problemOf(refusal, language),
  })
  const given = parseJson(text)
  if (given === undefined) return problem({ code: 'request.unreadable' })
  const frame = clientFrame.safeParse(given)
  if (!frame.success) {
    const id = (given as { id?: unknown } | null)?.id
    return problem({ code: 'validation.failed' }, typeof id === 'string' ? id.slice(0, 100) : undefined)
  }
  if (frame.data.t === 'typing') parts.conversations.personTypes?.(session.conversation)
  if (frame.data.t !== 'send') return undefined
  const { t: _type, ...message } = frame.data
  // The channel may have been closed since the socket was opened.
  const open = await access.channel(session.channel.id, 'webchat', headers)
  if (!open.ok) return problem(open.refusal, message.id)
  const { id: channel, bot, verifyToken } = open.value
  if (verifyToken !== session.channel.verifyToken) return problem({ code: 'chat.token' }, message.id)
  const place = session.isShared ? { channel, bot } : { address, channel, bot }
  const retryAfter = door.take('message', place)
  if (retryAfter !== undefined) return problem({ code: 'request.toomany', params: { retryAfter } }, message.id)
  const stored = await accept(session, message)
  return stored.ok
    ? { t: 'delivered', id: message.id, position: stored.value.position }
    : problem(stored.refusal, message.id)
}

interface Services {
  readonly parts: ChatParts
  readonly access: ChatAccess
  readonly tokens: ChatTokens
  readonly accept: Accept
  readonly listeners: Listeners
  readonly door: Pick<FastifyInstance['openDoor'], 'take'>
}

/** Sockets that follow conversations. Answers whether an upgrade is one of them; a refused one is closed with its code. */
export const createChatSockets = (
  services: Services,
  more: (request: IncomingMessage) => SocketRequest | undefined,
): ((request: IncomingMessage, socket: Duplex, head: Buffer) => boolean) => {
  const { parts, access, tokens, listeners } = services
  const { sockets: most, socketsPerSource } = limitsOf(parts)
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_FRAME,
    handleProtocols: protocols => (protocols.has(PROTOCOL) ? PROTOCOL : false),
  })
  const limit = createSocketLimit(socketsPerSource, most)
  const addressOf = clientAddress(parts.settings.TRUSTED_PROXIES)
  const chat = chatSocket(tokens)

  const connect = async (request: IncomingMessage, socket: Duplex, head: Buffer, asked: SocketRequest) => {
    const close = (code: number) => refuseUpgrade(request, socket, code, '', asked.protocol)
    const address = sourceOf(addressOf(request))
    const release = limit.take(address)
    if (release === undefined) return close(4429)
    socket.once('close', release)
    const session = await access.session(await asked.content, asked.conversation, request.headers)
    if (!session.ok) return close(CLOSE_CODES[session.refusal.code] ?? 4404)
    const refusal = listeners.refusal(asked.conversation)
    if (refusal !== undefined) return close(CLOSE_CODES[refusal.code] ?? 4404)
    server.handleUpgrade(request, socket, head, webSocket =>
      serve(services, webSocket, socket, {
        ...{ frames: asked.frames(session.value), after: asked.after, isTwoWay: asked.isTwoWay },
        ...{ session: session.value, caller: callerOf(request, address) },
      }),
    )
  }

  return (request, socket, head) => {
    const asked = chat(request) ?? more(request)
    if (asked === undefined) return false
    socket.on('error', () => socket.destroy())
    connect(request, socket, head, asked).catch(error => {
      parts.log.error(error)
      refuseHttp(socket, '503 Service Unavailable')
    })
    return true
  }
}

interface OpenedSocket extends Pick<SocketRequest, 'after' | 'isTwoWay'> {
  readonly frames: Frames
  readonly session: ChatSession
  readonly caller: Caller
}

function serve(
  { parts, access, accept, listeners, door }: Services,
  webSocket: WebSocket,
  socket: Duplex,
  { frames, after, isTwoWay, session, caller }: OpenedSocket,
): void {
  const { conversation } = session
  const { conversations, now } = parts
  const close = (code: number) => {
    webSocket.close(code)
    // A reader that takes nothing does not take the close frame either.
    setTimeout(() => webSocket.terminate(), CLOSE_TIMEOUT_MS).unref()
  }
  const checkPeer = peerCheck(webSocket)
  const sink = {
    send: (text: string) => webSocket.send(text),
    check: (ping: () => void) => {
      // One write for both: ten thousand open chats get 400 pings a second.
      socket.cork()
      checkPeer()
      ping()
      socket.uncork()
    },
    pending: () => webSocket.bufferedAmount,
    close,
  }
  const listener = new Listener(
    {
      ...{ conversations, conversation, sink, now },
      isOpen: async () => (await parts.channel(session.channel.id))?.isEnabled === true,
      frames,
      limits: limitsOf(parts),
    },
    after,
  )
  const forget = listeners.add(conversation, listener)
  webSocket.on('error', () => undefined)
  webSocket.on('close', () => {
    listener.stop()
    forget()
  })
  let second = 0
  let count = 0
  webSocket.on('message', (data, isBinary) => {
    const time = Math.floor(performance.now() / 1000)
    count = time === second ? count + 1 : 1
    second = time
    if (count > MAX_FRAMES_PER_S) return listener.close(4429)
    if (isBinary || !isTwoWay) return
    answerFrame(String(data), session, { parts, access, accept, door }, caller)
      .then(answer => {
        if (answer !== undefined && webSocket.readyState === webSocket.OPEN) webSocket.send(JSON.stringify(answer))
      })
      .catch(error => {
        parts.log.error(error)
        listener.close(4503)
      })
  })
  void listener.run()
}
