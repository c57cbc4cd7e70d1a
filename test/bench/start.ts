import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import WebSocket from 'ws'
import * as Y from 'yjs'
import { addNode } from '#domain/flow/document/edit.ts'
import { updateFrame } from '#realtime/wire.ts'
import { type Client, discard, type Parley, startParley } from '../api/harness.ts'
import { buildGateway } from '../fixture/bundle.ts'
import { type Figure, isShort, median, rounded } from './figure.ts'
import { processorTime } from './processor-time.ts'

const STARTS = isShort ? 3 : 5
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
  /** Processor time until ready, s. */
  readonly processor: number
  readonly memory: number
}

/** The gateway as `npm start` runs it, without the script that looks for changed sources. */
export const bundled = () => {
  const { folder, options } = buildGateway()
  return { main: join(folder, 'main.js'), options }
}

/** Started once so that everything is there, then again and again: the medians. */
export const warmStarts = async (folder?: string): Promise<Starts> => {
  const gateway = bundled()
  let parley = await startParley({ ...gateway, env: ENV, ...(folder === undefined ? {} : { folder }) })
  await untilReady(parley)
  const times: number[] = []
  const works: number[] = []
  const memories: number[] = []
  for (let n = 0; n < STARTS; n++) {
    await parley.end()
    const began = performance.now()
    parley = await startParley({ ...gateway, folder: parley.folder, env: ENV })
    await untilReady(parley)
    times.push(performance.now() - began)
    works.push(processorTime(parley.pid))
    await pause(2_000)
    memories.push(memoryOf(parley.pid))
  }
  if (folder === undefined) await discard(parley)
  else await parley.end()
  return { seconds: median(times) / 1000, processor: median(works) / 1000, memory: median(memories) }
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
  const parley = await startParley({ ...bundled(), env: ENV })
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

/** s until a first start has its sample workspace complete. */
const firstStart = async (): Promise<number> => {
  const gateway = bundled()
  const began = performance.now()
  const parley = await startParley({ ...gateway, env: { ...ENV, PARLEY_SAMPLE: 'on' } })
  try {
    const client = await parley.signIn()
    while ((await client.get('/sample')).body.state !== 'finished') await pause(100)
    return (performance.now() - began) / 1000
  } finally {
    await discard(parley)
  }
}

const timeFigure = (what: string, seconds: number, most: number, more = ''): Figure => ({
  id: 'P8',
  what,
  measured: `${rounded(seconds, 2)} s${more}`,
  target: `≤ ${most} s`,
  met: seconds <= most,
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

export const startFigures = (of: string, { seconds, processor, memory }: Starts): readonly Figure[] => [
  timeFigure(`warm start until ready${of}`, seconds, 1, ` (processor time ${rounded(processor, 2)} s)`),
  memoryFigure(`resident memory of an idle gateway${of}`, memory, 140),
]

/** P8: starts, and what a gateway holds idle and with many rooms. */
export const start = async (): Promise<readonly Figure[]> => [
  ...startFigures('', await warmStarts()),
  memoryFigure(`resident memory with ${ROOMS} open rooms of ${BLOCKS} blocks`, await memoryOfRooms(), 600),
  timeFigure('first start until the sample workspace is complete', await firstStart(), 8),
]
