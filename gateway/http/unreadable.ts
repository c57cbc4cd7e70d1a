import type { Socket } from 'node:net'
import { hangUp } from '#realtime/refuse-upgrade.ts'
import { DEFAULT_LANGUAGE } from '#schemas/language.ts'
import { problemOf } from '../problem.ts'

const TOO_LARGE = 'HPE_HEADER_OVERFLOW'
const LARGE_HEADERS = { status: 431, title: 'Request Header Fields Too Large' } as const

/** Answers what is no HTTP, or has more headers than are read, before any request comes of it; then hangs up. */
export const refuseUnreadable = (error: Error & { readonly code?: string }, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem =
    error.code === TOO_LARGE
      ? { ...problemOf({ code: 'request.toolarge' }, DEFAULT_LANGUAGE), ...LARGE_HEADERS }
      : problemOf({ code: 'request.unreadable' }, DEFAULT_LANGUAGE)
  const body = JSON.stringify(problem)
  const head = [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  hangUp(socket)
}
