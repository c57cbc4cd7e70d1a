import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { closeSocketGracefully } from './refuse-upgrade.ts'

/** Messages made ready once for however many sockets they go to. */
export interface Outgoing {
  readonly payloads: readonly Uint8Array[]
  /** Each as an unmasked, unfragmented binary frame (RFC 6455, 5.2). */
  readonly frames: Buffer
}

/** Socket methods used by a connection. */
export interface Wire {
  /** Bytes that the peer has yet to take. */
  readonly waiting: number
  send(message: Outgoing): void
  close(code: number, reason: string): void
  terminate(): void
}

const FINAL_BINARY = 0x82
const LENGTH_16 = 126
const LENGTH_64 = 127

export const outgoing = (payload: Uint8Array): Outgoing => {
  const { length } = payload
  const size = length < LENGTH_16 ? 2 : length < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(size + length)
  frame[0] = FINAL_BINARY
  if (size === 2) frame[1] = length
  else if (size === 4) {
    frame[1] = LENGTH_16
    frame.writeUInt16BE(length, 2)
  } else {
    frame[1] = LENGTH_64
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.set(payload, size)
  return { payloads: [payload], frames: frame }
}

/** Several messages for one write. */
export const together = (messages: readonly Outgoing[]): Outgoing => {
  const [only] = messages
  if (only !== undefined && messages.length === 1) return only
  return {
    payloads: messages.flatMap(({ payloads }) => payloads),
    frames: Buffer.concat(messages.map(({ frames }) => frames)),
  }
}

/** A close frame holds 123 bytes of reason at most, and a reason may name what a client sent. */
const MAX_REASON = 123

const shortened = (reason: string): string => {
  let short = reason.slice(0, MAX_REASON)
  while (Buffer.byteLength(short) > MAX_REASON) short = short.slice(0, -1)
  return short.toWellFormed()
}

/**
 * Sends ready frames on the socket that an uncompressed WebSocket stands on: framing for each of a hundred editors is
 * most of what showing an edit costs.
 */
export const wireOf = (webSocket: WebSocket, socket: Duplex): Wire => ({
  get waiting() {
    return socket.writableLength
  },
  send: message => {
    if (webSocket.readyState === webSocket.OPEN) socket.write(message.frames)
  },
  close: (code, reason) => {
    webSocket.close(code, shortened(reason))
    // Later client data is dropped: frames are not assembled any more.
    closeSocketGracefully(socket)
  },
  terminate: () => webSocket.terminate(),
})

export const bytesOf = (data: RawData): Uint8Array => {
  if (data instanceof ArrayBuffer) return new Uint8Array(data)
  return Array.isArray(data) ? Buffer.concat(data) : data
}

const PING_MS = 25_000

/** Terminates a socket whose peer stops responding. */
export const keepAlive = (webSocket: WebSocket): void => {
  let isAlive = true
  const ping = setInterval(() => {
    if (!isAlive) webSocket.terminate()
    isAlive = false
    webSocket.ping()
  }, PING_MS).unref()
  webSocket.on('pong', () => {
    isAlive = true
  })
  webSocket.on('close', () => clearInterval(ping))
}
