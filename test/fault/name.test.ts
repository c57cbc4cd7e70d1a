import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Client, Parley } from '#test/api/harness.ts'
import { isFull } from '#test/fixture/full.ts'
import { report, sizeOf, TIMEOUT_MS } from './size.ts'

process.env.PARLEY_TEST_STORE = 'eventstoredb'
const { discard, startParley } = await import('#test/api/harness.ts')
const { openParley } = await import('#test/api/open-parley.ts')
const { doubleOf } = await import('#test/api/store-behind.ts')

const TAKERS = sizeOf('R6', { short: 100, full: 1000 })
const NODES = 3

const nodes: Parley[] = []
const clients: Client[] = []
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-name-'))
  const { url } = await doubleOf(folder)
  // The short form has them in one process, which starts in a third of the time.
  const begin = isFull || TAKERS > 100 ? startParley : openParley
  nodes.push(await begin({ folder }))
  const others = Array.from({ length: NODES - 1 }, () => begin({ env: { EVENTSTORE_URL: url } }))
  nodes.push(...(await Promise.all(others)))
  for (const node of nodes) clients.push(await node.signIn())
}, TIMEOUT_MS)
afterAll(async () => {
  for (const node of nodes.toReversed()) await discard(node)
})

const everywhere = <T>(ask: (client: Client) => Promise<T>) => Promise.all(clients.map(ask))
const bearersOf = async (client: Client, name: string) =>
  (await client.get(`/bot?name=${encodeURIComponent(name)}`)).body.items.map(({ id }) => id)

test(
  `one name, ${TAKERS} takers on three gateways: one winner, and nobody is left waiting for it`,
  async () => {
    const started = performance.now()
    const spellings = ['Wanted', 'wanted', ' WANTED ', 'Ｗanted']
    const answers = await Promise.all(
      Array.from({ length: TAKERS }, (_, n) => clients[n % NODES]?.post('/bot', { name: spellings[n % 4] })),
    )
    const seconds = (performance.now() - started) / 1000
    const told = new Map<string, number>()
    for (const answer of answers) {
      const what = `${answer?.status} ${answer?.status === 201 ? '' : answer?.body.code}`.trim()
      told.set(what, (told.get(what) ?? 0) + 1)
    }
    expect(Object.fromEntries(told)).toEqual({ '201': 1, '409 entity.name.taken': TAKERS - 1 })
    const winner = answers.find(answer => answer?.status === 201)?.body.id
    const listed = async (client: Client) => (await client.get('/bot')).body.total
    for (const client of clients) await expect.poll(() => listed(client), { timeout: 10_000 }).toBe(1)
    const name = String((await clients[0]?.get(`/bot/${winner}`))?.body.name)
    expect(await everywhere(client => bearersOf(client, name))).toEqual(clients.map(() => [winner]))

    const givenUp = performance.now()
    // Given up on one node it can be had on another at once.
    expect((await clients[0]?.delete(`/bot/${winner}`, { confirm: 'CONFIRM' }))?.status).toBe(200)
    expect((await clients[1]?.post('/bot', { name: 'wanted' }))?.status).toBe(201)
    expect((await clients[2]?.post('/bot', { name: 'wanted' }))?.status).toBe(409)
    // Half a minute was lost where a node waited to hear that it has everything [P-2190].
    expect(performance.now() - givenUp).toBeLessThan(10_000)
    const late = async (client: Client) =>
      /^parley_read_model_late_waits (\d+)$/m.exec((await client.get('/metrics')).text)?.[1]
    expect(await everywhere(late)).toEqual(clients.map(() => '0'))
    report('R6', { takers: TAKERS, nodes: NODES, winners: 1, 'seconds for all': seconds.toFixed(1) })
  },
  TIMEOUT_MS,
)
