import { type MlServer, type MlServerCall, startMlServer } from '../ml/ml-server.ts'
import { sample } from './agent-server.ts'

export const ROCKETCHAT_USER = 'integration-1'
export const ROCKETCHAT_TOKEN = 'planted-personal-token'
export const ROCKETCHAT_SECRET = 'planted-webhook-secret'

interface Said {
  readonly _id: string
  readonly msg: string
  readonly token?: string
  readonly t?: string
  readonly agentId?: string
  readonly username?: string
}

interface Room {
  readonly _id: string
  readonly token: string
  isOpen: boolean
  readonly messages: Said[]
}

export interface RocketChatServer extends MlServer {
  /** Whether agents are online; the webhook for events, and its secret. */
  readonly is: { isOnline: boolean; webhook: string; secret: string }
  /** By the visitor's token. */
  readonly rooms: ReadonlyMap<string, Room>
  readonly visitors: ReadonlyMap<string, Record<string, unknown>>
  /** Words of visitors, each once. */
  said(): readonly string[]
  /** Calls the webhook with a sample of the corpus, for the newest room. Answers the status. */
  tell(name: string, change?: Record<string, unknown>): Promise<number>
  /** An agent writes in the newest room. */
  write(msg: string, id?: string): Promise<number>
}

/** Livechat's REST calls and webhook, in the form of the corpus. */
export const startRocketChatServer = async (): Promise<RocketChatServer> => {
  const rooms = new Map<string, Room>()
  const visitors = new Map<string, Record<string, unknown>>()
  const held = { isOnline: true, webhook: '', secret: ROCKETCHAT_SECRET, count: 0 }
  const failed = (error: string) => ({ status: 400, body: { success: false, error, errorType: error } })
  const ok = (body: object) => ({ body: { ...body, success: true } })

  const roomOf = (token: string) => {
    const open = rooms.get(token)
    if (open?.isOpen === true) return ok({ room: { _id: open._id, open: true, v: { token } }, newRoom: false })
    if (!held.isOnline) return failed('no-agent-online')
    held.count += 1
    const room: Room = { _id: `room-${held.count}`, token, isOpen: true, messages: [] }
    rooms.set(token, room)
    return ok({ room: { _id: room._id, open: true, v: { token } }, newRoom: true })
  }
  const written = ({ token, rid, msg, _id }: Record<string, string>) => {
    const room = rooms.get(token ?? '')
    if (room === undefined) return failed('[invalid-token]')
    if (room._id !== rid) return failed('invalid-room')
    if (!room.isOpen) return failed('room-closed')
    const known = room.messages.find(message => message._id === _id)
    const message = known ?? { _id: _id ?? '', msg: msg ?? '', token: token ?? '' }
    if (known === undefined) room.messages.push(message)
    return ok({ message })
  }
  const closed = ({ token, rid }: Record<string, string>) => {
    const room = rooms.get(token ?? '')
    if (room === undefined || room._id !== rid) return failed('invalid-room')
    if (!room.isOpen) return failed('room-closed')
    room.isOpen = false
    return ok({ rid })
  }
  const answer = ({ method, path, query, headers, body }: MlServerCall) => {
    const user = headers['x-user-id']
    if (user !== undefined && (user !== ROCKETCHAT_USER || headers['x-auth-token'] !== ROCKETCHAT_TOKEN)) {
      return { status: 401, body: { status: 'error', message: 'You must be logged in to do this.' } }
    }
    const given = body === '' ? {} : JSON.parse(body)
    const token = query.get('token') ?? ''
    switch (`${method} ${path.replace('/api/v1', '')}`) {
      case 'GET /livechat/config':
        return ok({
          config: {
            enabled: true,
            online: held.isOnline,
            departments: [
              { _id: 'sac', name: 'SAC' },
              { _id: 'd2', name: 'Trocas' },
            ],
          },
        })
      case 'GET /me':
        return ok({ _id: user, username: 'integration' })
      case 'POST /livechat/visitor':
        visitors.set(given.visitor.token, given.visitor)
        return ok({ visitor: { _id: `v-${given.visitor.token}`, token: given.visitor.token } })
      case 'GET /livechat/room':
        return visitors.has(token) ? roomOf(token) : failed('[invalid-token]')
      case 'POST /livechat/message':
        return written(given)
      case 'POST /livechat/room.close':
        return closed(given)
      default: {
        const room = rooms.get(token)
        return path.includes('/livechat/messages.history/') && room !== undefined
          ? ok({ messages: room.messages.toReversed().map(({ agentId: _, ...said }) => said), unreadNotLoaded: 0 })
          : { status: 404, body: { success: false, error: 'not found' } }
      }
    }
  }
  const server = await startMlServer(answer, status => ({ success: false, error: `error-${status}` }))
  const newest = (): Room => {
    const room = [...rooms.values()].at(-1)
    if (room === undefined) throw new Error('No room was opened')
    return room
  }
  const post = async (body: Record<string, unknown>): Promise<number> => {
    const { status } = await fetch(held.webhook, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-rocketchat-livechat-token': held.secret },
      body: JSON.stringify(body),
    })
    return status
  }
  const tell = (name: string, change: Record<string, unknown> = {}) => {
    const given = sample('rocketchat', name)
    const room = newest()
    const visitor = { ...(given.visitor as object), token: room.token }
    if (given.type === 'LivechatSession') room.isOpen = false
    return post({ ...given, _id: room._id, visitor, ...change })
  }
  return Object.assign(server, {
    rooms,
    visitors,
    tell,
    said: () =>
      [...rooms.values()].flatMap(({ messages }) =>
        messages.flatMap(({ msg, token }) => (token === undefined ? [] : [msg])),
      ),
    async write(msg: string, id = `agent-${msg}`) {
      const said = {
        _id: id,
        username: 'joao',
        msg,
        agentId: 'aXjjcPwq4Pcp7xftH',
        u: { _id: 'aXjjcPwq4Pcp7xftH', username: 'joao', name: 'Joao' },
      }
      newest().messages.push(said)
      return held.webhook === '' ? 0 : tell('in-webhook-agent-message', { messages: [said] })
    },
    is: held,
  })
}
