import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { outgoing, wireOf } from './wire.ts'

describe('ready frames', () => {
  let server: WebSocketServer

  beforeAll(async () => {
    server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false })
    await once(server, 'listening')
  })
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
})
