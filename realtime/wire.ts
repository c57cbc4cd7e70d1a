import type { Duplex } from 'node:stream'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
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

/** Returns the check of a socket's peer: it sends a ping, or terminates the socket if the last one has no answer. */
export const peerCheck = (webSocket: WebSocket): (() => void) => {
  let isAlive = true
  webSocket.on('pong', () => {
    isAlive = true
  })
  return () => {
    if (!isAlive) webSocket.terminate()
    isAlive = false
    webSocket.ping()
  }
}

/** Terminates a socket whose peer stops responding. */
export const keepAlive = (webSocket: WebSocket): void => {
  const ping = setInterval(peerCheck(webSocket), PING_MS).unref()
  webSocket.on('close', () => clearInterval(ping))
}

/** y-websocket's message types, and Parley's own 100. */
const SYNC = 0
const AWARENESS = 1
const QUERY_AWARENESS = 3
const ACKNOWLEDGED = 100

const STEP_1 = 0
const STEP_2 = 1
const UPDATE = 2

export type Frame =
  | { readonly kind: 'step1'; readonly stateVector: Uint8Array }
  | { readonly kind: 'step2'; readonly update: Uint8Array }
  | { readonly kind: 'update'; readonly update: Uint8Array }
  | { readonly kind: 'awareness'; readonly update: Uint8Array }
  | { readonly kind: 'query' }

/** Of messages that say nothing of the document. */
export const isAwareness = (data: Uint8Array): boolean => data[0] === AWARENESS || data[0] === QUERY_AWARENESS

/** Reads one binary frame; undefined when it is not one of the protocol's, or has bytes left over. */
export const readFrame = (data: Uint8Array): Frame | undefined => {
  try {
    const decoder = decoding.createDecoder(data)
    const frame = readMessage(decoder)
    return decoding.hasContent(decoder) ? undefined : frame
  } catch {
    return undefined
  }
}

const readMessage = (decoder: decoding.Decoder): Frame | undefined => {
  switch (decoding.readVarUint(decoder)) {
    case SYNC:
      return readSync(decoder)
    case AWARENESS:
      return { kind: 'awareness', update: decoding.readVarUint8Array(decoder) }
    case QUERY_AWARENESS:
      return { kind: 'query' }
    default:
      return undefined
  }
}

const readSync = (decoder: decoding.Decoder): Frame | undefined => {
  const step = decoding.readVarUint(decoder)
  const body = decoding.readVarUint8Array(decoder)
  switch (step) {
    case STEP_1:
      return { kind: 'step1', stateVector: body }
    case STEP_2:
      return { kind: 'step2', update: body }
    case UPDATE:
      return { kind: 'update', update: body }
    default:
      return undefined
  }
}

const sync = (step: number, body: Uint8Array): Uint8Array => {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, SYNC)
  encoding.writeVarUint(encoder, step)
  encoding.writeVarUint8Array(encoder, body)
  return encoding.toUint8Array(encoder)
}

export const step1Frame = (stateVector: Uint8Array): Uint8Array => sync(STEP_1, stateVector)
export const step2Frame = (update: Uint8Array): Uint8Array => sync(STEP_2, update)
export const updateFrame = (update: Uint8Array): Uint8Array => sync(UPDATE, update)

export const awarenessFrame = (update: Uint8Array): Uint8Array => {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, AWARENESS)
  encoding.writeVarUint8Array(encoder, update)
  return encoding.toUint8Array(encoder)
}

/** Count of a connection's document messages that are stored. */
export const acknowledgedFrame = (count: number): Uint8Array => {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, ACKNOWLEDGED)
  encoding.writeVarUint(encoder, count)
  return encoding.toUint8Array(encoder)
}

/** One client's entry of an awareness message. `state` is JSON text; "null" says that the client left. */
export interface AwarenessEntry {
  readonly client: number
  readonly clock: number
  readonly state: string
}

/** Throws on malformed input or more than 1,000 entries. */
export const readAwareness = (update: Uint8Array): readonly AwarenessEntry[] => {
  const decoder = decoding.createDecoder(update)
  const count = decoding.readVarUint(decoder)
  if (count > 1000) throw new RangeError('awareness of more than 1,000 clients')
  const entries: AwarenessEntry[] = []
  for (let i = 0; i < count; i++) {
    const client = decoding.readVarUint(decoder)
    const clock = decoding.readVarUint(decoder)
    entries.push({ client, clock, state: decoding.readVarString(decoder) })
  }
  if (decoding.hasContent(decoder)) throw new RangeError('bytes left over')
  return entries
}

export const writeAwareness = (entries: readonly AwarenessEntry[]): Uint8Array => {
  const encoder = encoding.createEncoder()
  encoding.writeVarUint(encoder, entries.length)
  for (const entry of entries) {
    encoding.writeVarUint(encoder, entry.client)
    encoding.writeVarUint(encoder, entry.clock)
    encoding.writeVarString(encoder, entry.state)
  }
  return encoding.toUint8Array(encoder)
}
