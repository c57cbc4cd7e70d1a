import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** RFC 6455, 4.2.2. */
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const KEY = /^[+/0-9A-Za-z]{22}==$/
const FINAL_CLOSE = 0x88
/** A reason of at most 123 bytes fits a control frame. */
const MAX_REASON = 123
/**
 * A peer that keeps its socket after the end loses it after this long, or after this many more bytes: what was on its
 * way is read and dropped, for a reset would take the close code from it.
 */
const LINGER_MS = 2_000
const LINGER_BYTES = 16_000_000

/**
 * Completes a WebSocket upgrade only to close it with a code, for a browser cannot see why an upgrade failed. No
 * WebSocket is made: what the client sends is dropped, and its socket is gone within two seconds.
 * @param protocol that the client asked for: without it a browser ends the socket before it sees the code
 */
export const refuseUpgrade = (
  request: IncomingMessage,
  socket: Duplex,
  code: number,
  reason = '',
  protocol?: string,
): void => {
  const { 'sec-websocket-key': key, 'sec-websocket-version': version, upgrade } = request.headers
  if (request.method !== 'GET' || upgrade?.toLowerCase() !== 'websocket' || version !== '13' || !KEY.test(key ?? '')) {
    refuseHttp(socket, '400 Bad Request')
    return
  }
  const accept = createHash('sha1').update(`${key}${ACCEPT_GUID}`).digest('base64')
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
  if (protocol !== undefined) head.push(`Sec-WebSocket-Protocol: ${protocol}`)
  socket.write(`${head.join('\r\n')}\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`)
  socket.write(closeFrame(code, reason))
  hangUp(socket)
}

/** Answers an upgrade with an HTTP status and hangs up. */
export const refuseHttp = (socket: Duplex, status: string): void => {
  socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  hangUp(socket)
}

/** Ends a socket after what was written to it, keeps nothing of what still comes, and destroys it when the peer does not end it. */
export const hangUp = (socket: Duplex): void => {
  for (const listener of socket.listeners('data')) socket.off('data', listener as () => void)
  let dropped = 0
  socket.on('data', (chunk: Buffer) => {
    dropped += chunk.length
    if (dropped > LINGER_BYTES) socket.destroy()
  })
  socket.on('error', () => socket.destroy())
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref()
  socket.on('close', () => clearTimeout(timer))
  socket.on('end', () => socket.destroy())
  socket.end()
  socket.resume()
}

function closeFrame(code: number, reason: string): Buffer {
  const text = Buffer.from(reason).subarray(0, MAX_REASON)
  const frame = Buffer.alloc(4 + text.length)
  frame[0] = FINAL_CLOSE
  frame[1] = 2 + text.length
  frame.writeUInt16BE(code, 2)
  frame.set(text, 4)
  return frame
}
