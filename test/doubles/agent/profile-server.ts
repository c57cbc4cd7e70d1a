import type { JsonObject } from '#schemas/event.ts'
import { type MlServer, type MlServerCall, startMlServer } from '../ml/ml-server.ts'

export const PROFILE_SECRET = 'planted-client-secret'
export const PROFILE_TOKEN = 'planted-session-token'
export const PROFILE_HOOK = 'planted-hook-secret'

export interface ProfileServer extends MlServer {
  readonly chats: { readonly key: string; readonly body: Record<string, unknown>; isOpen: boolean }[]
  /** Messages that agents received; those with a known id once where the system recognizes them. */
  readonly said: string[]
  /** Events of the next poll. */
  readonly events: Record<string, unknown>[]
  readonly is: { free: number; token: string; status: number | undefined }
}

interface Behaviour {
  /** Chats and messages with a known key or id are taken for the same. */
  readonly recognizes: boolean
}

/** A contact centre without a published interface, as the profiles of the tests declare it. */
export const startProfileServer = async ({ recognizes }: Behaviour): Promise<ProfileServer> => {
  const chats: ProfileServer['chats'] = []
  const said: string[] = []
  const ids = new Set<string>()
  const events: Record<string, unknown>[] = []
  const is: ProfileServer['is'] = { free: 1, token: PROFILE_TOKEN, status: undefined }
  let told = 0
  const signIn = (body: string) =>
    body.includes(PROFILE_SECRET) ? { body: { access_token: is.token, expires_in: 900 } } : { status: 401, body: {} }
  const openChat = (body: Record<string, unknown>) => {
    const key = String(body.key)
    const known = recognizes ? chats.findIndex(chat => chat.key === key) : -1
    if (known < 0) chats.push({ key, body, isOpen: true })
    return { status: 201, body: { id: known < 0 ? chats.length : known + 1 } }
  }
  const say = ({ id, text }: Record<string, unknown>) => {
    if (!(recognizes && ids.has(String(id)))) said.push(String(text))
    ids.add(String(id))
    return { status: 202, body: { taken: true } }
  }
  const answer = ({ method, path, headers, query, body }: MlServerCall) => {
    if (path === '/token') return signIn(body)
    if (headers.authorization !== `Bearer ${is.token}` && headers['x-session'] !== is.token)
      return { status: 401, body: { message: `no session ${String(headers.authorization)}` } }
    if (is.status !== undefined) return { status: is.status, body: { code: 'E-17' } }
    if (path === '/agents') return { body: { free: is.free, queue: query.get('queue') } }
    const given = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>)
    if (path === '/chats' && method === 'POST') return openChat(given)
    if (path === '/chats') {
      const place = chats.findIndex(({ key }) => key === query.get('key'))
      return { body: place < 0 ? {} : { id: place + 1 } }
    }
    const [, , id = '', part] = path.split('/')
    const chat = chats[Number(id) - 1]
    if (chat?.isOpen !== true) return { status: 404, body: {} }
    if (method === 'DELETE') chat.isOpen = false
    if (part === 'messages') return method === 'POST' ? say(given) : { body: { known: ids.has(query.get('id') ?? '') } }
    if (part === 'place') return { body: { position: 3 } }
    if (part !== 'events') return { body: {} }
    told += 1
    return { body: { events: events.splice(0), cursor: `c${told}` } }
  }
  const server = await startMlServer(answer, status => ({ message: `error ${status}` }))
  return Object.assign(server, { chats, said, events, is })
}

const LIST = (of: string) =>
  `${of}.events[$not(from = "customer")].{"kind": type, "id": id, "agent": {"name": agent}, "text": text, "position": position}`

/** The profile of the double. */
export const profileOf = (by: 'poll' | 'longpoll' | 'webhook', isOnce: boolean, change: object = {}): JsonObject => {
  const call = { method: 'GET', path: '/chats/{link.id}/events', query: { chat: '{chat.key}', after: '{link.after}' } }
  const find = (path: string, query: JsonObject, answer: string) => ({ find: { method: 'GET', path, query, answer } })
  return {
    format: 'parley-agent-profile',
    version: 1,
    auth:
      by === 'longpoll'
        ? {
            scheme: 'login',
            call: { path: '/token', body: '{"user": fields.channel_id, "password": "$secret:channel_password"}' },
            token: 'answer.access_token',
            name: 'x-session',
          }
        : { scheme: 'oauth2', url: '/token' },
    available: { method: 'GET', path: '/agents', query: { queue: '{queue}' }, answer: 'answer.free > 0' },
    open: {
      path: '/chats',
      body: '{"key": chat.key, "name": chat.person.name, "queue": queue, "history": chat.transcript}',
      link: '{"id": answer.id}',
      once: isOnce && by === 'poll' ? find('/chats', { key: '{chat.key}' }, 'answer') : isOnce,
    },
    say: {
      path: '/chats/{link.id}/messages',
      body: '{"id": message.id, "text": message.text}',
      once:
        isOnce && by === 'poll' ? find('/chats/{link.id}/messages', { id: '{message.id}' }, 'answer.known') : isOnce,
    },
    close: { method: 'DELETE', path: '/chats/{link.id}' },
    events:
      by === 'webhook'
        ? { by, list: LIST('body') }
        : {
            by,
            call,
            list: LIST('answer'),
            cursor: '{"after": answer.cursor}',
            ...(by === 'poll' ? { pause: 500 } : {}),
          },
    ...(by === 'webhook' ? { webhook: { verify: { scheme: 'token' }, key: 'body.key' } } : {}),
    ...change,
  }
}

export const profileFields = ({ url }: { readonly url: string }, profile: JsonObject) => ({
  url,
  channel_id: 'client',
  channel_password: PROFILE_SECRET,
  verifytoken: PROFILE_HOOK,
  custom_message_service_url: null,
  channel_extra_info: profile,
})
