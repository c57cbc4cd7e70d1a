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
 * A peer that keeps its socket open loses it after this long, or after this many more bytes: bytes in transit are read
 * and dropped, because a reset would discard the close code.
 */
const LINGER_MS = 2_000
const LINGER_BYTES = 16_000_000

/**
 * Completes a WebSocket upgrade only to close it with a code, because browsers cannot see why an upgrade failed.
 * Creates no WebSocket: drops client data and closes the socket within two seconds. @param protocol requested by the
 * client: without it a browser closes the socket before it reads the code
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
  closeSocketGracefully(socket)
}

/** Answers an upgrade with an HTTP status and hangs up. */
export const refuseHttp = (socket: Duplex, status: string): void => {
  socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  closeSocketGracefully(socket)
}

/** Ends a socket after what was written to it, keeps nothing of what still comes, and destroys it when the peer does not end it. */
export const closeSocketGracefully = (socket: Duplex): void => {
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
