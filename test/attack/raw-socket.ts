import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** A TCP client that keeps to no protocol: it answers no close and never ends its side. */
export interface RawSocket {
  readonly socket: Socket
  received(): Buffer
  /** Resolves on the first bytes or on close. */
  readonly answered: Promise<void>
  /** Resolves when the server has released the socket. */
  readonly gone: Promise<void>
}

export const openRaw = (origin: string, lines: readonly string[]): RawSocket => {
  const { hostname, port } = new URL(origin)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  const chunks: Buffer[] = []
  const answered = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  socket.on('data', chunk => {
    chunks.push(chunk)
    answered.resolve()
  })
  socket.on('error', () => undefined)
  // A server that has released the socket answers the next byte with a reset.
  socket.on('end', () => {
    const bytes = setInterval(() => socket.write('x'), 100)
    socket.on('close', () => clearInterval(bytes))
  })
  socket.on('close', () => {
    answered.resolve()
    gone.resolve()
  })
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  return { socket, received: () => Buffer.concat(chunks), answered: answered.promise, gone: gone.promise }
}

export const upgradeOf = (path: string, headers: readonly string[] = []): readonly string[] => [
  `GET ${path} HTTP/1.1`,
  'Host: gateway',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ...headers,
]

/** Code of the close frame that follows the head of an upgrade. */
export const closeCodeOf = (received: Buffer): number | undefined => {
  const head = received.indexOf('\r\n\r\n')
  const frame = received.subarray(head + 4)
  return head >= 0 && frame[0] === 0x88 ? frame.readUInt16BE(2) : undefined
}

/** A masked binary frame of zeros, as a client sends it. */
export const frameOf = (length: number): Buffer => {
  const frame = Buffer.alloc(14 + length)
  frame[0] = 0x82
  frame[1] = 0xff
  frame.writeBigUInt64BE(BigInt(length), 2)
  return frame
}
