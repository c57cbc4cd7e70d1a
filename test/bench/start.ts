import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { addNode } from '#domain/flow/document/edit.ts'
import { updateFrame } from '#realtime/wire.ts'
import { type Client, discard, type Parley, startParley } from '../api/harness.ts'
import { buildGateway } from '../fixture/bundle.ts'
import { type Figure, median, rounded } from './figure.ts'
import { MILLION, millionEvents } from './million.ts'

const STARTS = 5
const ROOMS = 1000
const BLOCKS = 100
/** Rooms that are filled at the same time. */
const CONCURRENT = 10
const SAVED = 100
const ENV = { PARLEY_SAMPLE: 'off', LOG_LEVEL: 'warn' }

/** Resident memory of a process, MB. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN) / 1024

/** Ready to take requests, which is later than listening while read models are being built. */
const untilReady = async (parley: Parley): Promise<void> => {
  while ((await fetch(`${parley.origin}/botadmin/api/health/ready`)).status !== 200) await pause(20)
}

interface Starts {
  readonly seconds: number
  readonly memory: number
}

/** Started once so that everything is there, then again and again: the medians. */
const warmStarts = async (folder?: string): Promise<Starts> => {
  const main = join(buildGateway().folder, 'main.js')
  let parley = await startParley({ main, env: ENV, ...(folder === undefined ? {} : { folder }) })
  await untilReady(parley)
  const times: number[] = []
  const memories: number[] = []
  for (let n = 0; n < STARTS; n++) {
    await parley.end()
    const began = performance.now()
    parley = await startParley({ main, folder: parley.folder, env: ENV })
    await untilReady(parley)
    times.push(performance.now() - began)
    await pause(2_000)
    memories.push(memoryOf(parley.pid))
  }
  if (folder === undefined) await discard(parley)
  else await parley.end()
  return { seconds: median(times) / 1000, memory: median(memories) }
}

/** Opens a dialog's room, draws in it, and stays in it once everything is saved. */
const fill = async (parley: Parley, client: Client, dialog: string): Promise<WebSocket> => {
  const doc = new Y.Doc()
  for (let n = 0; n < BLOCKS; n++) addNode(doc, { id: `n${n}`, type: 'text', title: `block ${n}`, x: n, y: n }, 'bench')
  const url = `${parley.origin.replace('http', 'ws')}/botadmin/realtime/dialog-${dialog}?acks=1`
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${client.token}` }, perMessageDeflate: false })
  socket.binaryType = 'nodebuffer'
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => socket.send(updateFrame(Y.encodeStateAsUpdate(doc))))
    socket.on('message', (data: Buffer) => {
      if (data[0] === SAVED && (data[1] ?? 0) > 0) resolve()
    })
    socket.once('error', reject).once('close', code => reject(new Error(`A room closed with ${code}`)))
  })
  return socket
}

/** MB that a gateway holds while a member is in each of many rooms. */
const memoryOfRooms = async (): Promise<number> => {
  const parley = await startParley({ main: join(buildGateway().folder, 'main.js'), env: ENV })
  try {
    const client = await parley.signIn()
    const bot = (await client.post('/bot', { name: 'Bench' })).body.id
    const task = (await client.post('/dialogtask', { name: 'Bench', bot })).body.id
    const sockets: WebSocket[] = []
    while (sockets.length < ROOMS) {
      const names = Array.from({ length: CONCURRENT }, (_, n) => `Dialog ${sockets.length + n}`)
      const opened = names.map(async name => {
        const { body } = await client.post('/dialog', { name, dialogtask: task })
        return fill(parley, client, body.id)
      })
      sockets.push(...(await Promise.all(opened)))
    }
    await pause(2_000)
    const memory = memoryOf(parley.pid)
    for (const socket of sockets) socket.terminate()
    return memory
  } finally {
    await discard(parley)
  }
}

const startFigure = (what: string, seconds: number): Figure => ({
  id: 'P8',
  what,
  measured: `${rounded(seconds, 2)} s`,
  target: '≤ 1 s',
  met: seconds <= 1,
  detail: { seconds: rounded(seconds, 3) },
})

const memoryFigure = (what: string, memory: number, most: number): Figure => ({
  id: 'P8',
  what,
  measured: `${Math.round(memory)} MB`,
  target: `≤ ${most} MB`,
  met: memory <= most,
  detail: { megabytes: Math.round(memory) },
})

/** P8: warm start on a small and on a large store, and what a gateway holds idle and with many rooms. */
export const start = async (): Promise<readonly Figure[]> => {
  const small = await warmStarts()
  const large = await warmStarts(await millionEvents())
  return [
    startFigure('warm start until ready', small.seconds),
    startFigure(`warm start until ready, ${MILLION} stored events`, large.seconds),
    memoryFigure('resident memory of an idle gateway', small.memory, 140),
    memoryFigure(`resident memory of an idle gateway, ${MILLION} stored events`, large.memory, 140),
    memoryFigure(`resident memory with ${ROOMS} open rooms of ${BLOCKS} blocks`, await memoryOfRooms(), 1000),
  ]
}
