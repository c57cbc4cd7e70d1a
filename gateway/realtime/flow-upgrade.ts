import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FlowKind, Rooms } from '#realtime/port.ts'
import { isOwnOrigin } from '../origin.ts'
import type { Authentication, Parts } from '../port.ts'
import { tokenOf } from './token.ts'

const ROOM = /^\/botadmin\/realtime\/(dialog|handler)-([A-Za-z0-9_-]{1,100})$/
const SOCKET_IO = '/botadmin/socket.io'

/**
 * WebSocket upgrades to flow rooms. A foreign Origin gets none; a caller without a session gets one that is closed with
 * its code, for a browser cannot see why an upgrade failed.
 */
export const addFlowUpgrade = (server: Server, parts: Parts, authentication: Authentication, rooms: Rooms): void => {
  const sessionOf = async (request: IncomingMessage, ticket: string | null) => {
    if (ticket !== null) return authentication.ticket(ticket)
    const token = tokenOf(request)
    return token === undefined ? undefined : authentication.session(token)
  }

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = URL.parse(request.url ?? '', 'http://gateway')
    const room = ROOM.exec(url?.pathname ?? '')
    if (url === null || room === null) return reject(socket, '404 Not Found')
    const { origin } = request.headers
    if (origin !== undefined && !isOwnOrigin(origin, parts.publicUrl(), request.headers))
      return reject(socket, '403 Forbidden')
    const access = await sessionOf(request, url.searchParams.get('ticket'))
    rooms.upgrade(request, socket, head, {
      kind: room[1] as FlowKind,
      id: room[2] ?? '',
      session: access?.session ?? '',
      acks: url.searchParams.get('acks') === '1',
    })
  }

  server.on('upgrade', (request, socket, head) => {
    if (request.url?.startsWith(SOCKET_IO)) return
    socket.on('error', () => socket.destroy())
    upgrade(request, socket, head).catch(error => {
      parts.log.error(error)
      reject(socket, '503 Service Unavailable')
    })
  })
}

function reject(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
