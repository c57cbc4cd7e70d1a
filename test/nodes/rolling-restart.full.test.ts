import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { report, sizeOf } from '#test/fault/size.ts'
import { ReadyProxy } from './ready-proxy.ts'
import { startStoreWorld } from './store-world.ts'
import { Talker } from './talker.ts'

/** Requests a second, through the proxy. */
const RATE = sizeOf('ROLLING_RATE', { short: 200, full: 200 })
const PEOPLE = Math.ceil(RATE / 4)
/** Between two restarts, ms. */
const CALM_MS = 3000
const READY = { timeout: 60_000, interval: 100 }
const TICK_MS = 20
const CALL_MS = 30_000

let close: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const each of close.toReversed()) await each()
  close = []
})

type Send = () => Promise<Response>

/** Sends requests at a constant rate, whether earlier ones are answered or not. */
class Load {
  readonly failures: string[] = []
  readonly times: number[] = []
  readonly #open = new Set<Promise<void>>()
  #isOver = false

  async run(kinds: readonly Send[]): Promise<void> {
    const began = performance.now()
    let sent = 0
    while (!this.#isOver) {
      const due = ((performance.now() - began) / 1000) * RATE
      for (; sent < due; sent += 1) {
        const send = kinds[sent % kinds.length]
        if (send !== undefined) this.#track(send)
      }
      await pause(TICK_MS)
    }
    await Promise.all(this.#open)
  }

  stop(): void {
    this.#isOver = true
  }

  #track(send: Send): void {
    const done = this.#once(send).finally(() => this.#open.delete(done))
    this.#open.add(done)
  }

  async #once(send: Send): Promise<void> {
    const began = performance.now()
    try {
      const answer = await send()
      const text = await answer.text()
      if (!answer.ok) this.failures.push(`${new URL(answer.url).pathname} ${answer.status} ${text}`)
    } catch (error) {
      this.failures.push(error instanceof Error ? `${error.message}: ${String(error.cause)}` : String(error))
    }
    this.times.push(performance.now() - began)
  }
}

/** Each in turn. */
const cycle = <T>(all: readonly T[]) => {
  let turn = -1
  return (): T => {
    turn = (turn + 1) % all.length
    return all[turn] as T
  }
}

const percentile = (times: readonly number[], part: number): number =>
  Math.round(times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0)

test(
  `no request of ${RATE} a second fails while three gateways restart one after another [P-1563]`,
  async () => {
    const world = await startStoreWorld({ DRAIN_SECONDS: '3' })
    close.push(() => world.close())
    const proxy = new ReadyProxy(() => world.gateways.map(({ origin }) => origin))
    close.push(() => proxy.close())
    const allReady = () => vi.waitFor(() => expect(proxy.ready).toHaveLength(3), READY)
    await allReady()
    const admin = await world.gateways[0]?.parley.signIn()
    const people = Array.from({ length: PEOPLE }, () => new Talker(world, 'webchat', randomUUID()))
    await Promise.all(people.map(person => person.begin(() => proxy.origin)))

    const call = (client: number, path: string, method = 'GET', body?: object): Promise<Response> =>
      fetch(`${proxy.origin}/botadmin/api${path}`, {
        method,
        headers: {
          authorization: `Bearer ${admin?.token}`,
          'x-client': String(client),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_MS),
      })
    const load = new Load()
    const speakers = cycle(people)
    const readers = cycle(people)
    const clients = cycle(people.keys().toArray())
    const say = () => speakers().send(proxy.origin, randomUUID(), 'oi')
    const look = () => readers().look(proxy.origin)
    const list = () => call(clients(), '/bot')
    const write = () => call(clients(), '/codesample', 'POST', { name: randomUUID() })
    const running = load.run([say, list, look, write, say, list, look, list])

    await pause(CALM_MS)
    const codes: (number | null)[] = []
    for (const gateway of world.gateways) {
      codes.push(await gateway.end('SIGTERM'))
      await gateway.start()
      await allReady()
      await pause(CALM_MS)
    }
    load.stop()
    await running
    report('rolling restart', {
      'requests a second': RATE,
      requests: load.times.length,
      failed: load.failures.length,
      'p50 ms': percentile(load.times, 0.5),
      'p99 ms': percentile(load.times, 0.99),
      'max ms': percentile(load.times, 1),
    })
    expect(codes).toEqual([0, 0, 0])
    expect(load.failures).toEqual([])
  },
  15 * 60_000,
)
