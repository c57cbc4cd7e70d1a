import { createDecoder, readVarUint } from 'lib0/decoding'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { openFlow } from '#domain/flow/document/document.ts'
import { readFrame, step1Frame, step2Frame, updateFrame } from '#realtime/wire.ts'

const ACKNOWLEDGED = 100
const ROOM = 'room'

export interface RoomAddress {
  readonly origin: string
  readonly token: string
  readonly dialog: string
}

export const openSocket = ({ origin, token, dialog }: RoomAddress): WebSocket => {
  const url = `${origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?acks=1`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` }, perMessageDeflate: false })
  socket.binaryType = 'nodebuffer'
  // Every failure also emits `close`.
  socket.on('error', () => undefined)
  return socket
}

/** Resolves with what comes first: this event, or the socket's end with the code that it was closed with. */
export const until = (socket: WebSocket, event: 'open' | 'message' | 'close'): Promise<number | undefined> =>
  new Promise(resolve => {
    if (event !== 'close') socket.once(event, () => resolve(undefined))
    socket.once('close', code => resolve(code))
  })

/**
 * A person at work in a room of a gateway, with what a browser keeps when the connection is lost: the document, and
 * which of the edits are saved.
 */
export class RoomSocket {
  readonly doc = openFlow(new Y.Doc())
  /** The code that the last connection was closed with. */
  closed: number | undefined
  /** Messages that brought something of others. */
  seen = 0
  #socket: WebSocket | undefined
  #made = 0
  #saved = 0
  /** Number of the newest edit that each message of this connection carries, oldest first. */
  #carried: number[] = []

  constructor() {
    this.doc.on('update', (update: Uint8Array, origin: unknown) => {
      if (origin === ROOM) return
      this.#made += 1
      this.#send(updateFrame(update))
    })
  }

  /** Edits made so far; `saved` of them are durable. */
  get made(): number {
    return this.#made
  }

  get saved(): number {
    return this.#saved
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Resolves when everything this document has was sent and everything the room has came; rejects when it is closed. */
  join(address: RoomAddress): Promise<void> {
    this.leave()
    this.#carried = []
    this.closed = undefined
    const socket = openSocket(address)
    this.#socket = socket
    return new Promise((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        if (socket === this.#socket && this.#receive(data)) resolve()
      })
      socket.on('close', code => {
        if (socket === this.#socket) this.closed = code
        reject(new Error(`The room was closed with ${code}`))
      })
    })
  }

  leave(): void {
    this.#socket?.terminate()
    this.#socket = undefined
  }

  edit(change: (doc: Y.Doc) => void): void {
    change(this.doc)
  }

  #send(frame: Uint8Array): void {
    if (!this.isOpen) return
    this.#carried.push(this.#made)
    this.#socket?.send(frame)
  }

  /** True for the answer to the own step 1: from then on both sides have the same. */
  #receive(data: Buffer): boolean {
    if (data[0] === ACKNOWLEDGED) {
      const decoder = createDecoder(data.subarray(1))
      this.#saved = Math.max(this.#saved, this.#carried[readVarUint(decoder) - 1] ?? 0)
      return false
    }
    const frame = readFrame(data)
    if (frame?.kind === 'step1') {
      // The room asks for what it misses, and is asked in turn.
      this.#send(step2Frame(Y.encodeStateAsUpdate(this.doc, frame.stateVector)))
      this.#socket?.send(step1Frame(Y.encodeStateVector(this.doc)))
    }
    if (frame?.kind !== 'step2' && frame?.kind !== 'update') return false
    if (frame.kind === 'update') this.seen += 1
    Y.applyUpdate(this.doc, frame.update, ROOM)
    return frame.kind === 'step2'
  }
}
