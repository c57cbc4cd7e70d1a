import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { createDecoder, readVarUint8Array } from 'lib0/decoding'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { addNode, moveNodes } from '#domain/flow/edit.ts'
import { step1Frame, updateFrame } from '#realtime/protocol.ts'
import { quantile } from './figure.ts'
import type { RoomServer } from './room-server.ts'

export const EDITORS = 100
export const PER_SECOND = 400
const SECONDS = 5
const TICKS_PER_SECOND = 100

export interface Run {
  /** Processor time of the server, ms per 10,000 edits shown to somebody. */
  readonly cpu: number
  readonly p99: number
  readonly saved: readonly number[]
}

/** utime + stime of a process, ms. */
const processorTime = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
}

const open = (url: string, headers: Record<string, string>) =>
  new Promise<WebSocket>((resolve, reject) => {
    const socket = new WebSocket(url, { headers, perMessageDeflate: false })
    socket.binaryType = 'nodebuffer'
    socket.once('open', () => resolve(socket))
    socket.once('error', reject)
  })

/** The updates of one person dragging blocks about: real edits of one document each. */
const editsOf = (editor: number, count: number): readonly Uint8Array[] => {
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  addNode(doc, { id: `n${editor}`, type: 'text', title: `block ${editor}`, x: 0, y: 0 }, 'bench')
  for (let n = 1; n < count; n++) moveNodes(doc, new Map([[`n${editor}`, { x: n * 20, y: editor * 100 }]]), 'bench')
  return updates
}

/** When edits were sent, looked up by the messages that show them: a server may put several into one. */
class Sent {
  /** By client id, each with the clock that its structs end at. */
  readonly #edits = new Map<number, { readonly end: number; readonly at: number }[]>()
  /** The same message comes to a hundred sockets and is read once. */
  readonly #read = new Map<string, readonly number[]>()

  add(update: Uint8Array, at: number): void {
    for (const [client, end] of Y.parseUpdateMeta(update).to)
      this.#edits.set(client, [...(this.#edits.get(client) ?? []), { end, at }])
  }

  in(body: Buffer): readonly number[] {
    const key = body.toString('base64')
    const known = this.#read.get(key) ?? this.#find(readVarUint8Array(createDecoder(body)))
    this.#read.set(key, known)
    return known
  }

  #find(update: Uint8Array): readonly number[] {
    const { from, to } = Y.parseUpdateMeta(update)
    return [...to].flatMap(([client, last]) => {
      const edits = this.#edits.get(client) ?? []
      return edits.filter(({ end }) => end > (from.get(client) ?? 0) && end <= last).map(({ at }) => at)
    })
  }
}

const NOTHING = new Uint8Array()

/** Sends the same edits through a server and measures what reaches the others and when. */
export const drive = async ({ url, pid, headers = {}, prefix = NOTHING, greeting }: RoomServer): Promise<Run> => {
  const perEditor = Math.ceil((PER_SECOND * SECONDS) / EDITORS) + 1
  const enveloped = (frame: Uint8Array) => Buffer.concat([prefix, frame])
  const sockets = await Promise.all(Array.from({ length: EDITORS }, () => open(url, headers)))
  const sent = new Sent()
  const latencies: number[] = []
  const saved: number[] = []
  const unsaved = sockets.map((): number[] => [])
  const acknowledged = sockets.map(() => 0)
  let deliveries = 0
  for (const [index, socket] of sockets.entries()) {
    socket.on('message', (message: Buffer) => {
      const data = message.subarray(prefix.length)
      if (data[0] === 100) {
        const count = (data[1] ?? 0) < 128 ? (data[1] ?? 0) : ((data[1] ?? 0) & 127) + (data[2] ?? 0) * 128
        for (const at of unsaved[index]?.splice(0, count - (acknowledged[index] ?? 0)) ?? [])
          saved.push(performance.now() - at)
        acknowledged[index] = count
        return
      }
      if (data[0] !== 0 || data[1] !== 2) return
      const now = performance.now()
      for (const at of sent.in(data.subarray(2))) {
        deliveries++
        latencies.push(now - at)
      }
    })
    if (greeting !== undefined) socket.send(greeting)
    socket.send(enveloped(step1Frame(Y.encodeStateVector(new Y.Doc()))))
  }
  await pause(500)
  const edits = sockets.map((_, editor) => editsOf(editor, perEditor))
  deliveries = 0
  const before = processorTime(pid)
  const started = performance.now()
  for (let n = 0; n < PER_SECOND * SECONDS; n++) {
    const wait = started + (n * 1000) / PER_SECOND - performance.now()
    if (wait > 1) await pause(wait)
    const editor = n % EDITORS
    const update = edits[editor]?.[Math.floor(n / EDITORS)]
    if (update === undefined) continue
    const frame = enveloped(updateFrame(update))
    const now = performance.now()
    sent.add(update, now)
    unsaved[editor]?.push(now)
    sockets[editor]?.send(frame)
  }
  await pause(1_000)
  const used = processorTime(pid) - before
  for (const socket of sockets) socket.close()
  await pause(200)
  return { cpu: (used / deliveries) * 10_000, p99: quantile(latencies, 0.99), saved }
}
