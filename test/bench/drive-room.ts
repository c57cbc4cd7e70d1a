import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { addNode, moveNodes } from '#domain/flow/document/edit.ts'
import { step1Frame, updateFrame } from '#realtime/wire.ts'
import { quantile } from './figure.ts'
import { processorTime } from './processor-time.ts'
import type { RoomServer } from './room-server.ts'
import { Sent } from './sent.ts'

export const EDITORS = 100
export const PER_SECOND = 400
const SECONDS = 5

export interface Run {
  /** Processor time of the server, ms per 10,000 delivered edits. */
  readonly cpu: number
  readonly p99: number
  readonly saved: readonly number[]
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

const NOTHING = new Uint8Array()

/** Sends the same edits through a server and measures what reaches the others and when. */
export const drive = async ({ url, pid, headers = {}, prefix = NOTHING, greeting }: RoomServer): Promise<Run> => {
  const perEditor = Math.ceil((PER_SECOND * SECONDS) / EDITORS) + 1
  const enveloped = (frame: Uint8Array) => Buffer.concat([prefix, frame])
  const sockets = await Promise.all(Array.from({ length: EDITORS }, () => open(url, headers)))
  const sent = new Sent<undefined>()
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
      for (const { at } of sent.in(data.subarray(2))) {
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
    sent.add(update, now, undefined)
    unsaved[editor]?.push(now)
    sockets[editor]?.send(frame)
  }
  await pause(1_000)
  const used = processorTime(pid) - before
  for (const socket of sockets) socket.close()
  await pause(200)
  return { cpu: (used / deliveries) * 10_000, p99: quantile(latencies, 0.99), saved }
}
