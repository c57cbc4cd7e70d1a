import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { closeCodeOf, frameOf, openRaw, upgradeOf } from '#test/attack/raw-socket.ts'
import { outgoing, together, wireOf } from './wire.ts'

describe('ready frames', async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
  await once(server, 'listening')
  afterAll(() => server.close())

  test.each([0, 1, 125, 126, 65_535, 65_536, 1_000_000])('a message of %i bytes arrives as what it was', async size => {
    const payload = new Uint8Array(size).fill(7)
    server.once('connection', (webSocket, { socket }) => wireOf(webSocket, socket).send(outgoing(payload)))
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const [data, isBinary] = await once(client, 'message')
    expect(isBinary).toBe(true)
    expect(new Uint8Array(data)).toEqual(payload)
    client.terminate()
  })

  test('several messages in one write arrive one by one', async () => {
    const messages = [[1, 2], [], new Array(300).fill(3)].map(bytes => outgoing(Uint8Array.from(bytes)))
    server.once('connection', (webSocket, { socket }) => wireOf(webSocket, socket).send(together(messages)))
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const arrived: number[] = []
    client.on('message', (data: Buffer) => arrived.push(data.length))
    await vi.waitFor(() => expect(arrived).toEqual([2, 0, 300]))
    client.terminate()
  })

  test.each(['x'.repeat(500), 'é'.repeat(200), '😀'.repeat(100)])(
    'a reason of any length fits into the close',
    async reason => {
      server.once('connection', (webSocket, { socket }) => wireOf(webSocket, socket).close(4400, reason))
      const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
      const [code, told] = await once(client, 'close')
      expect(code).toBe(4400)
      expect(reason.startsWith(String(told).replace(/\ufffd$/, ''))).toBe(true)
    },
  )

  test('nothing is read after a close, and a client that ignores it loses its socket', async () => {
    let messages = 0
    server.once('connection', (webSocket, { socket }) => {
      webSocket.on('message', () => {
        messages += 1
      })
      wireOf(webSocket, socket).close(4403, 'no longer allowed')
    })
    const raw = openRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, upgradeOf('/'))
    await raw.answered
    raw.socket.write(frameOf(1_000))
    await raw.gone
    expect(closeCodeOf(raw.received())).toBe(4403)
    expect(messages).toBe(0)
  })
})
