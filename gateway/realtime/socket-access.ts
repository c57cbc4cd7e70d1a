import type { IncomingMessage } from 'node:http'
import cookie from '@fastify/cookie'
import { personColor } from '#domain/color.ts'
import type { Applied, ReadModels } from '#projections/port.ts'
import { scopeOf } from '#projections/scope.ts'
import type { RoomAuthorizer, Rooms } from '#realtime/port.ts'
import { SESSION_COOKIE } from '../port.ts'

/** Sockets of callers that nobody has identified, at one time: from one address or IPv6 network, and in all. */
export const MAX_PER_SOURCE = 100
const MAX_IN_ALL = 1_000

/** Bounds how many sockets are open before their session is known. */
interface SocketLimit {
  /** Counts one in; answers how to count it out, which may be called more than once. Undefined: too many. */
  take(source: string): (() => void) | undefined
}

export const createSocketLimit = (perSource = MAX_PER_SOURCE, inAll = MAX_IN_ALL): SocketLimit => {
  const open = new Map<string, number>()
  let total = 0
  return {
    take(source) {
      const count = open.get(source) ?? 0
      if (count >= perSource || total >= inAll) return undefined
      open.set(source, count + 1)
      total += 1
      let isCounted = true
      return () => {
        if (!isCounted) return
        isCounted = false
        total -= 1
        const left = (open.get(source) ?? 1) - 1
        if (left === 0) open.delete(source)
        else open.set(source, left)
      }
    },
  }
}

/** Access token of an upgrade or socket request: an `Authorization` header counts alone, else the cookie. */
export const tokenOf = ({ headers }: IncomingMessage): string | undefined => {
  if (headers.authorization !== undefined) return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1]
  return headers.cookie === undefined ? undefined : cookie.parse(headers.cookie)[SESSION_COOKIE]
}

/** Whether a session may enter a flow's room, and whether as an editor: asked at the upgrade and on every change of access. */
export const openRoomAuthorizer =
  (read: ReadModels): RoomAuthorizer =>
  async (kind, id, session) => {
    const access = read.access(session)
    if (access === undefined || access.expires <= new Date().toISOString()) return { close: 4401 }
    if (!access.permissions.has(`read${kind}`)) return { close: 4403 }
    const scope = scopeOf(access)
    if ((await read.detail(scope, kind, id)) === undefined) return { close: 4404 }
    // Others meet who looks, not the person whose view is shown.
    const member = access.seenBy ?? access
    const [person] = await read.people(scope, [member.user])
    const name = [person?.firstname, person?.lastname].filter(Boolean).join(' ')
    return {
      user: member.user,
      session,
      name: name === '' ? member.username : name,
      color: personColor(member.user),
      mayEdit: access.seenBy === undefined && access.permissions.has(`update${kind}`),
    }
  }

/** Entities that may change anyone's rights. */
const FOR_ALL = new Set(['usergroup', 'role', 'hierarchy', 'dialogtask', 'bot'])

/** Sessions whose access may have changed: ids, or all. */
const concerned = ({ touched }: Applied, read: ReadModels, rooms: Rooms): readonly string[] | 'all' => {
  if (touched.some(({ entity }) => FOR_ALL.has(entity))) return 'all'
  const sessions = new Set<string>()
  for (const { entity, id } of touched) {
    if (entity === 'session') sessions.add(id)
    if (entity === 'user') for (const access of read.sessionsOf(id)) sessions.add(access.session)
    if (entity === 'user' || entity === 'dialog' || entity === 'handler')
      for (const session of rooms.sessions((flow, { user }) => user === id || flow === id)) sessions.add(session)
  }
  return [...sessions]
}

const RETRY_MS = 250

/** Repeats a failed recheck until it succeeds, so that no revoked user stays. */
const recheck = (rooms: Rooms, sessions: readonly string[] | undefined): void => {
  rooms.recheck(sessions).catch(() => setTimeout(() => recheck(rooms, sessions), RETRY_MS).unref())
}

/** Has rooms and sockets ask again as soon as a right changes, so that a revoked editor is out at once. */
export const watchAccess = (read: ReadModels, rooms: Rooms, ended: () => void): (() => void) =>
  read.onApplied(applied => {
    const sessions = concerned(applied, read, rooms)
    if (sessions !== 'all' && sessions.length === 0) return
    recheck(rooms, sessions === 'all' ? undefined : sessions)
    ended()
  })
