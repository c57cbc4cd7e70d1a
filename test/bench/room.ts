import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { addNode, moveNodes } from '#domain/flow/edit.ts'
import { step1Frame, updateFrame } from '#realtime/protocol.ts'
import { discard, startParley } from '../api/harness.ts'
import { type Figure, median, quantile, rounded } from './figure.ts'

const EDITORS = 100
const PER_SECOND = 400
const SECONDS = 8
const ROUNDS = 3
const TICKS_PER_SECOND = 100

interface Run {
  /** Processor time of the server, ms per 10,000 deliveries. */
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

/** Sends the same edits through a server and measures what reaches the others and when. */
const drive = async (url: string, headers: Record<string, string>, pid: number): Promise<Run> => {
  const perEditor = Math.ceil((PER_SECOND * SECONDS) / EDITORS) + 1
  const sockets = await Promise.all(Array.from({ length: EDITORS }, () => open(url, headers)))
  const sentAt = new Map<string, number>()
  const latencies: number[] = []
  const saved: number[] = []
  const unsaved = sockets.map((): number[] => [])
  const acknowledged = sockets.map(() => 0)
  let deliveries = 0
  for (const [index, socket] of sockets.entries()) {
    socket.on('message', (data: Buffer) => {
      if (data[0] === 100) {
        const count = (data[1] ?? 0) < 128 ? (data[1] ?? 0) : ((data[1] ?? 0) & 127) + (data[2] ?? 0) * 128
        for (const at of unsaved[index]?.splice(0, count - (acknowledged[index] ?? 0)) ?? [])
          saved.push(performance.now() - at)
        acknowledged[index] = count
        return
      }
      if (data[0] !== 0 || data[1] !== 2) return
      deliveries++
      const at = sentAt.get(data.subarray(2).toString('base64'))
      if (at !== undefined) latencies.push(performance.now() - at)
    })
    socket.send(step1Frame(Y.encodeStateVector(new Y.Doc())))
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
    const frame = Buffer.from(updateFrame(update))
    const now = performance.now()
    sentAt.set(frame.subarray(2).toString('base64'), now)
    unsaved[editor]?.push(now)
    sockets[editor]?.send(frame)
  }
  await pause(1_000)
  const used = processorTime(pid) - before
  for (const socket of sockets) socket.close()
  await pause(200)
  return { cpu: (used / deliveries) * 10_000, p99: quantile(latencies, 0.99), saved }
}

const startServer = async (file: string): Promise<{ child: ChildProcess; port: string }> => {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise<string>(resolve =>
    child.stdout?.once('data', (data: Buffer) => resolve(String(data).trim())),
  )
  return { child, port }
}

const throughRelay = async (): Promise<Run> => {
  const { child, port } = await startServer('./bare-relay.ts')
  try {
    return await drive(`ws://127.0.0.1:${port}/`, {}, child.pid ?? 0)
  } finally {
    child.kill()
  }
}

const throughParley = async (): Promise<Run> => {
  const parley = await startParley({ env: { PARLEY_SAMPLE: 'off', LOG_LEVEL: 'warn' } })
  try {
    const client = await parley.signIn()
    const bot = (await client.post('/bot', { name: 'Bench' })).body.id
    const task = (await client.post('/dialogtask', { name: 'Bench', bot })).body.id
    const dialog = (await client.post('/dialog', { name: 'Bench', dialogtask: task })).body.id
    const url = `${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?acks=1`
    return await drive(url, { authorization: `Bearer ${client.token}` }, parley.pid)
  } finally {
    await discard(parley)
  }
}

/** P4 and P5. */
export const room = async (): Promise<readonly Figure[]> => {
  const relays: Run[] = []
  const rooms: Run[] = []
  for (let round = 0; round < ROUNDS; round++) {
    relays.push(await throughRelay())
    rooms.push(await throughParley())
  }
  const ratio = median(rooms.map((run, round) => run.cpu / (relays[round]?.cpu ?? Number.NaN)))
  const p99 = median(rooms.map(run => run.p99))
  const relayP99 = median(relays.map(run => run.p99))
  const saved = quantile(
    rooms.flatMap(run => run.saved),
    0.95,
  )
  return [
    {
      id: 'P4',
      what: `one room, ${EDITORS} editors, ${PER_SECOND} messages/s: processor time of a bare relay's`,
      measured: `${rounded(ratio, 2)}× (${rounded(median(rooms.map(run => run.cpu)))} of ${rounded(median(relays.map(run => run.cpu)))} ms per 10,000)`,
      target: '≤ 1.5×',
      met: ratio <= 1.5,
      detail: { ratio: rounded(ratio, 3) },
    },
    {
      id: 'P4',
      what: 'the same room: p99 until an edit is shown',
      measured: `${rounded(p99)} ms (relay ${rounded(relayP99)} ms)`,
      target: "≤ the relay's + 10 ms",
      met: p99 <= relayP99 + 10,
      detail: { p99: rounded(p99), relayP99: rounded(relayP99) },
    },
    {
      id: 'P5',
      what: '"saved" after an edit, the same room: p95',
      measured: `${rounded(saved)} ms`,
      target: '≤ 100 ms',
      met: saved <= 100,
      detail: { p95: rounded(saved) },
    },
  ]
}
