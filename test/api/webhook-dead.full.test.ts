import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Client, discard, type ParleyProcess, startParley } from './harness.ts'

const EVENTS = 40
const PAUSE_MS = 100
const MAX_DELAY_MS = 1_000

let parley: ParleyProcess
let admin: Client
const servers: Server[] = []
beforeAll(async () => {
  parley = await startParley({ env: { ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = await parley.signIn()
}, 120_000)
afterAll(async () => {
  await discard(parley)
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

/** Returns its address. */
const listen = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

test('a receiver that never answers delays another webhook by less than a second [P-2789]', {
  timeout: 120_000,
}, async () => {
  /** Arrivals of bots, ms. */
  const arrivals = new Map<string, number>()
  const url = await listen(async (request, response) => {
    const { data } = (await json(request)) as { readonly data: { readonly id: string } }
    arrivals.set(data.id, performance.now())
    response.end()
  })
  let waiting = 0
  const dead = await listen(() => {
    waiting += 1
  })
  let made = 0
  const makeBot = () => {
    made += 1
    return admin.create('bot', { name: `Bot ${made}` })
  }
  const types = ['entity.created']
  /** Median time from the answer to a creation until its event arrives, ms. */
  const delay = async (): Promise<number> => {
    const times: (readonly [string, number])[] = []
    for (let n = 0; n < EVENTS; n++) {
      times.push([await makeBot(), performance.now()])
      await pause(PAUSE_MS)
    }
    await vi.waitFor(() => expect(times.every(([id]) => arrivals.has(id))).toBe(true), 30_000)
    return median(times.map(([id, answered]) => (arrivals.get(id) ?? Number.NaN) - answered))
  }
  await admin.create('webhook', { name: 'alive', url, types })
  // A webhook begins once its node has seen it.
  await vi.waitFor(async () => {
    await makeBot()
    expect(arrivals.size).toBeGreaterThan(0)
  }, 30_000)
  const alone = await delay()
  await admin.create('webhook', { name: 'dead', url: dead, types })
  await vi.waitFor(async () => {
    await makeBot()
    expect(waiting).toBeGreaterThan(0)
  }, 30_000)
  const beside = await delay()
  expect(beside - alone).toBeLessThan(MAX_DELAY_MS)
  // Its calls are still open.
  expect(waiting).toBeLessThan(made)
})
