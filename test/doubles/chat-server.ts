import { createHmac, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import cookie from '@fastify/cookie'
import Fastify from 'fastify'
import { addChat } from '#gateway/chat/add-chat.ts'
import type { ChatChannel, ChatLimits } from '#gateway/chat/chat-port.ts'
import { refusalOf } from '#gateway/http/failure.ts'
import { addBodyParser, addValidation } from '#gateway/http/handle.ts'
import { addPublicRouteChecks } from '#gateway/http/public-route-checks.ts'
import { PublicRouteLimits, RateLimits } from '#gateway/http/rate-limit.ts'
import { addHeaders } from '#gateway/http/server.ts'
import { refuse } from '#gateway/problem.ts'
import { openFolderStorage } from '#runtime/storage/folder-storage.ts'
import { KeptBytes, keepWithin } from '#runtime/storage/kept-bytes.ts'
import { DEFAULT_LANGUAGE, languageOf } from '#schemas/language.ts'
import { settingsSchema } from '#schemas/settings.ts'
import { WIDE_LIMITS } from '#test/fixture/wide-limits.ts'
import { memoryConversations, type Script } from './memory-conversations.ts'

export const VERIFY_TOKEN = 'verify-token-of-the-channel'
/** A page that may talk to the web chat. */
export const SITE = 'https://shop.example'

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

const CHANNEL: ChatChannel = {
  id: 'web',
  bot: 'bot',
  type: 'webchat',
  isEnabled: true,
  verifyToken: VERIFY_TOKEN,
  origins: [SITE],
  deniedTypes: ['application/pdf'],
}

const BUTTONS = [
  { id: '1', type: 'reply', title: 'Sim', value: 'sim' },
  { id: '2', type: 'reply', title: 'Não', value: 'nao' },
]

/** Asks for a name, offers buttons, ends. */
export const ASK_NAME: Script = said => {
  if (said === undefined) return { say: [{ text: 'Qual é o seu nome?' }], wait: { kind: 'text' } }
  if (said.type === 'choice') return { say: [{ text: `${said.value}!` }], ends: said.value === '2' }
  if (said.text === 'two') return { say: [{ text: 'first', delay: 0 }, { text: 'second' }] }
  return { say: [{ text: `Olá ${said.text}, certo?`, actions: BUTTONS }], wait: { kind: 'confirm' } }
}

/** The chat API over HTTP as the gateway serves it, with scripted conversations behind it. Test code only. */
export const startChatServer = async (
  script: Script,
  given: {
    readonly limits?: Partial<ChatLimits>
    readonly channels?: readonly Partial<ChatChannel>[]
    readonly settings?: Readonly<Record<string, string>>
    /** Bytes of files that the bot keeps. */
    readonly keptBytes?: number
  } = {},
) => {
  const conversations = memoryConversations(script)
  const channels = new Map(
    [{}, { id: 'closed', isEnabled: false }, { id: 'api', type: 'rest' }, ...(given.channels ?? [])].map(channel => [
      channel.id ?? CHANNEL.id,
      { ...CHANNEL, ...channel },
    ]),
  )
  const folder = await mkdtemp(join(tmpdir(), 'chat-files-'))
  const lines: string[] = []
  let clock = 0
  let url = ''
  const app = Fastify({
    bodyLimit: 1_000_000,
    forceCloseConnections: true,
    logger: { level: 'trace', stream: { write: (line: string) => void lines.push(line) } },
  })
  app.decorateRequest('session', undefined)
  app.decorateRequest('language', {
    getter() {
      return languageOf(this.headers['accept-language']) ?? DEFAULT_LANGUAGE
    },
  })
  const settings = settingsSchema.parse({ ...WIDE_LIMITS, ...given.settings })
  const rates = new RateLimits({ now: () => Date.now() + clock })
  const limits = new PublicRouteLimits(settings, { rates })
  addPublicRouteChecks(app, { limits, bodyMs: settings.LIMIT_BODY_SECONDS * 1000 })
  addBodyParser(app)
  addValidation(app)
  app.setErrorHandler((error, _request, reply) => refuse(reply, refusalOf(error as Error, app.log)))
  await app.register(cookie)
  await addHeaders(app, settings)
  const stored = await openFolderStorage(folder)
  const kept = new KeptBytes({ most: given.keptBytes ?? Number.POSITIVE_INFINITY })
  await kept.connect({ storage: stored, botOf: async () => CHANNEL.bot })
  const chat = await addChat(app, {
    settings,
    rates,
    log: app.log,
    conversations,
    storage: keepWithin(stored, kept),
    hmac: text => createHmac('sha256', 'index key').update(text).digest('hex'),
    channel: async id => channels.get(id),
    appearance: async () => ({
      theme: { primary: '#123456' },
      menu: [{ id: 'restart' }],
      historyLength: 3,
      isRemembered: true,
    }),
    baseUrl: () => url,
    now: () => Date.now() + clock,
    limits: given.limits ?? {},
  })
  app.server.on('upgrade', (request, socket, head) => {
    if (!chat.upgrade(request, socket, head)) socket.destroy()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isRaw = body === undefined || body instanceof FormData
    const response = await fetch(url + path, {
      method,
      headers: { ...(isRaw ? {} : { 'content-type': 'application/json' }), 'accept-language': 'en', ...headers },
      ...(body === undefined ? {} : { body: isRaw ? (body as FormData) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /json/.test(response.headers.get('content-type') ?? '')
    // biome-ignore lint/suspicious/noExplicitAny: tests read any answer
    return { status: response.status, headers: response.headers, text, body: isJson ? (JSON.parse(text) as any) : {} }
  }

  return {
    url,
    conversations,
    channels,
    lines,
    send,
    /** Moves the clock of tokens and limits. */
    later: (ms: number) => {
      clock += ms
    },
    open: (body: object = {}, headers: Record<string, string> = {}) =>
      send('POST', '/chat/web/conversations', body, headers),
    /** Sends a message of a person to their conversation. */
    say: (conversation: string, token: string, message: object, headers: Record<string, string> = {}) =>
      send(
        'POST',
        `/chat/conversations/${conversation}/messages`,
        { id: randomUUID(), ...message },
        { ...bearer(token), ...headers },
      ),
    async close() {
      await app.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type ChatServer = Awaited<ReturnType<typeof startChatServer>>
