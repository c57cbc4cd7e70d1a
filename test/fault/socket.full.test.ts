import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { nodesOf, propertiesOf } from '#domain/flow/document/document.ts'
import { addNode } from '#domain/flow/document/edit.ts'
import { type Client, discard, type ParleyProcess, startParley } from '#test/api/harness.ts'
import { measured, memoryOf, openFilesOf } from './memory-of.ts'
import { openSocket, RoomSocket, until } from './room-socket.ts'
import { BUSY, report, sizeOf, TIMEOUT_MS } from './size.ts'

const SOCKETS = sizeOf('SOCKETS', { short: 1000, full: 10_000 })
const BATCH_SIZE = 100
/** Opened and dropped before the first memory sample: excludes one-time allocations. */
const WARM = 500
const MEBIBYTE = 1024 * 1024

let folder: string
let parley: ParleyProcess
let admin: Client
let dialog: string
let memory: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-socket-'))
  memory = join(folder, 'memory')
  parley = await startParley({ env: measured(memory) })
  admin = await parley.signIn()
  const bot = (await admin.post('/bot', { name: 'Bot' })).body.id
  const dialogtask = (await admin.post('/dialogtask', { name: 'Task', bot })).body.id
  dialog = (await admin.post('/dialog', { name: 'Flow', dialogtask })).body.id
}, TIMEOUT_MS)
afterAll(async () => {
  await discard(parley)
  rmSync(folder, { recursive: true, force: true })
})

const room = () => ({ origin: parley.origin, token: admin.token, dialog })
const connections = async () => {
  const text = await (await fetch(`${parley.origin}/botadmin/api/metrics`)).text()
  return Number(/^parley_room_connections (\d+)$/m.exec(text)?.[1])
}
const dropped = async (socket: WebSocket, when: 'open' | 'message') => {
  await until(socket, when)
  socket.terminate()
}

/** Ways in which a socket comes and goes without a word. */
const WAYS: readonly (() => Promise<void>)[] = [
  async () => {
    const socket = connect(Number(new URL(parley.origin).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.destroy()
  },
  async () => {
    const socket = connect(Number(new URL(parley.origin).port), '127.0.0.1')
    await once(socket, 'connect')
    socket.write('POST /botadmin/api/bot HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"na')
    socket.destroy()
  },
  () => dropped(openSocket(room()), 'open'),
  () => dropped(openSocket(room()), 'message'),
  () => dropped(openSocket({ ...room(), token: 'none' }), 'open'),
  async () => {
    const url = `${parley.origin.replace('http', 'ws')}/botadmin/socket.io/?EIO=4&transport=websocket`
    const socket = new WebSocket(url)
    socket.on('error', () => undefined)
    await until(socket, 'open')
    socket.send(`40${JSON.stringify({ token: admin.token })}`)
    await dropped(socket, 'message')
  },
]

/** Threads of the read models start when several requests come at once: seven files each. One leaking way leaves 140. */
const THREAD_FILES = 20

const openAndDrop = async (count: number) => {
  for (let made = 0; made < count; made += BATCH_SIZE)
    await Promise.all(Array.from({ length: BATCH_SIZE }, (_, n) => WAYS[n % WAYS.length]?.()))
  await expect.poll(connections, { timeout: 20_000 }).toBe(0)
}

test(
  `${SOCKETS} sockets opened and dropped leave no memory and no file behind`,
  async () => {
    const started = performance.now()
    await openAndDrop(WARM)
    const [before, files] = [await memoryOf(parley.pid, memory), openFilesOf(parley.pid)]
    await openAndDrop(SOCKETS)
    await expect.poll(() => openFilesOf(parley.pid), { timeout: 20_000 }).toBeLessThanOrEqual(files + THREAD_FILES)
    const after = await memoryOf(parley.pid, memory)
    const grown = (after.heapUsed - before.heapUsed) / MEBIBYTE
    expect(grown).toBeLessThan(3)
    expect((await admin.post('/bot', { name: 'After' })).status).toBe(201)
    report('Sockets', {
      sockets: SOCKETS,
      'heap before, MiB': (before.heapUsed / MEBIBYTE).toFixed(1),
      'after, MiB': (after.heapUsed / MEBIBYTE).toFixed(1),
      'files open before': files,
      after: openFilesOf(parley.pid),
      seconds: Math.round((performance.now() - started) / 1000),
    })
  },
  TIMEOUT_MS,
)

test(
  'cuts a client that never reads, and keeps serving the others',
  async () => {
    // Given two people at work, and one who has stopped to read
    const [ana, joao] = [new RoomSocket(), new RoomSocket()]
    await Promise.all([ana.join(room()), joao.join(room())])
    ana.edit(doc => addNode(doc, { id: 'a', type: 'text', title: 'a', x: 0, y: 0 }, 'me'))
    const deaf = openSocket(room())
    await until(deaf, 'message')
    deaf.pause()
    await expect.poll(connections, BUSY).toBe(3)
    // When more is drawn than a connection may have waiting
    for (let n = 0; n < 200 && (await connections()) === 3; n++) {
      ana.edit(doc => propertiesOf(doc, 'a')?.set('memo', `${n} ${'x'.repeat(400_000)}`))
      await expect.poll(() => ana.saved, { timeout: 10_000 }).toBeGreaterThan(ana.made - 5)
    }
    // Then it is cut, and they have everything
    await expect.poll(connections, { timeout: 10_000 }).toBe(2)
    await expect.poll(() => ana.saved, { timeout: 10_000 }).toBe(ana.made)
    joao.edit(doc => addNode(doc, { id: 'b', type: 'text', title: 'b', x: 0, y: 0 }, 'me'))
    await expect.poll(() => nodesOf(ana.doc).has('b'), BUSY).toBe(true)
    expect(propertiesOf(joao.doc, 'a')?.get('memo')).toBe(propertiesOf(ana.doc, 'a')?.get('memo'))
    expect([ana.closed, joao.closed]).toEqual([undefined, undefined])
    const { heapUsed, arrayBuffers } = await memoryOf(parley.pid, memory)
    expect((heapUsed + arrayBuffers) / MEBIBYTE).toBeLessThan(150)
    deaf.terminate()
    for (const socket of [ana, joao]) socket.leave()
  },
  TIMEOUT_MS,
)
