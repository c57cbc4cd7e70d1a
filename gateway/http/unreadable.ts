import type { Socket } from 'node:net'
import { hangUp } from '#realtime/refuse-upgrade.ts'
import { DEFAULT_LANGUAGE } from '#schemas/language.ts'
import { problemOf } from '../problem.ts'

const TOO_LARGE = 'HPE_HEADER_OVERFLOW'
const LARGE_HEADERS = { status: 431, title: 'Request Header Fields Too Large' } as const
const TIMEOUT = 'ERR_HTTP_REQUEST_TIMEOUT'
const TOO_SLOW = { status: 408, title: 'Request Timeout' } as const

const problemFor = (code: string | undefined) => {
  if (code === TOO_LARGE) return { ...problemOf({ code: 'request.toolarge' }, DEFAULT_LANGUAGE), ...LARGE_HEADERS }
  const unreadable = problemOf({ code: 'request.unreadable' }, DEFAULT_LANGUAGE)
  return code === TIMEOUT ? { ...unreadable, ...TOO_SLOW } : unreadable
}

/** Answers what is no HTTP, is sent too slowly, or has more headers than are read, before any request comes of it; then hangs up. */
export const refuseUnreadable = (error: Error & { readonly code?: string }, socket: Socket): void => {
  // Browsers open connections ahead: an answer to nothing would be taken as that of the request which comes next.
  const isUnused = error.code === TIMEOUT && socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused) {
    socket.destroy()
    return
  }
  const problem = problemFor(error.code)
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
