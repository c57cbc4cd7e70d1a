import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FlowKind, Rooms } from '#realtime/port.ts'
import { refuseHttp, refuseUpgrade } from '#realtime/refuse-upgrade.ts'
import type { OpenChat } from '../chat/add-chat.ts'
import type { DeskSockets } from '../desk/desk-socket.ts'
import { createSocketLimit, isApiToken, tokenOf } from '../http/guard.ts'
import { isOwnOrigin } from '../http/headers.ts'
import { clientAddress, sourceOf } from '../http/rate-limit.ts'
import type { Authentication, Parts } from '../port.ts'

const ROOM = /^\/botadmin\/realtime\/(dialog|handler)-([A-Za-z0-9_-]{1,100})$/
const DESK = '/botadmin/realtime/desk'
const SOCKET_IO = '/botadmin/socket.io/'

/**
 * WebSocket upgrades to flow rooms and to the desk. A foreign Origin gets none; a caller without a session gets one that is closed with
 * its code, for a browser cannot see why an upgrade failed.
 */
export const addFlowUpgrade = (
  server: Server,
  parts: Parts,
  authentication: Authentication,
  rooms: Rooms,
  { chat, desk }: { readonly chat?: OpenChat | undefined; readonly desk?: DeskSockets } = {},
): void => {
  const limit = createSocketLimit()
  const addressOf = clientAddress(parts.settings.TRUSTED_PROXIES)

  const sessionOf = async (request: IncomingMessage, ticket: string | null) => {
    if (ticket !== null) return authentication.ticket(ticket)
    const token = tokenOf(request)
    if (token === undefined) return undefined
    const isSent = request.headers.authorization !== undefined && isApiToken(token)
    return isSent ? authentication.token(token, addressOf(request)) : authentication.session(token)
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '', 'http://gateway')
    const room = ROOM.exec(url?.pathname ?? '')
    const isDesk = desk !== undefined && url?.pathname === DESK
    if (url === null || (room === null && !isDesk)) return refuseHttp(socket, '404 Not Found')
    const { origin } = request.headers
    if (origin !== undefined && !isOwnOrigin(origin, parts.publicUrl(), request.headers))
      return refuseHttp(socket, '403 Forbidden')
    const release = limit.take(sourceOf(addressOf(request)))
    if (release === undefined) return refuseHttp(socket, '429 Too Many Requests')
    socket.once('close', release)
    const access = await sessionOf(request, url.searchParams.get('ticket'))
    if (access === undefined) return refuseUpgrade(request, socket, 4401)
    // Rooms and the desk are for people at a screen.
    if (access.token !== undefined) return refuseUpgrade(request, socket, 4403)
    release()
    if (room === null) return desk?.upgrade(request, socket, head, access)
    rooms.upgrade(request, socket, head, {
      kind: room[1] as FlowKind,
      id: room[2] ?? '',
      session: access.session,
      acks: url.searchParams.get('acks') === '1',
    })
  }

  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(SOCKET_IO) || chat?.upgrade(request, socket, head)) return
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch(error => {
      parts.log.error(error)
      refuseHttp(socket, '503 Service Unavailable')
    })
  })
}
