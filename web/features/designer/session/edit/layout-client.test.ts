import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endLayout, layOut, prepareLayout } from './layout-client.ts'

/** As much of ELK's worker as asking it takes: it answers what it was given. */
class Worker {
  static running = 0
  static started = 0
  static isSlow = false
  onmessage: ((event: { data: object }) => void) | undefined
  constructor() {
    Worker.running += 1
    Worker.started += 1
  }
  postMessage({ id, cmd, graph }: { id: number; cmd: string; graph?: object }) {
    if (cmd === 'layout' && Worker.isSlow) return
    queueMicrotask(() => this.onmessage?.({ data: { id, data: graph } }))
  }
  terminate() {
    Worker.running -= 1
  }
}

const GRAPH = { id: 'flow', children: [] }
const lasting = () => new AbortController().signal

beforeEach(() => {
  Object.assign(Worker, { running: 0, started: 0, isSlow: false })
  vi.stubGlobal('Worker', Worker)
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  endLayout()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('starts the layout worker ahead, reuses it, and stops it after an unused minute', async () => {
  prepareLayout()
  await vi.waitFor(() => expect(Worker.running).toBe(1))
  expect(await layOut(GRAPH, lasting())).toMatchObject({ id: 'flow' })
  await vi.advanceTimersByTimeAsync(50_000)
  await layOut(GRAPH, lasting())
  expect(Worker.started).toBe(1)
  await vi.advanceTimersByTimeAsync(50_000)
  expect(Worker.running).toBe(1)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(Worker.running).toBe(0)
})

test('stops a cancelled layout at once, keeps a finished one, and starts the next in a new worker', async () => {
  const done = new AbortController()
  await layOut(GRAPH, done.signal)
  done.abort()
  Worker.isSlow = true
  const stop = new AbortController()
  const running = layOut(GRAPH, stop.signal)
  await vi.advanceTimersByTimeAsync(0)
  expect([Worker.running, Worker.started]).toEqual([1, 1])
  stop.abort(new Error('called off'))
  await expect(running).rejects.toThrow('called off')
  expect(Worker.running).toBe(0)
  Worker.isSlow = false
  expect(await layOut(GRAPH, lasting())).toMatchObject({ id: 'flow' })
  expect(Worker.started).toBe(2)
})

test('stops the layout worker when the designer closes', async () => {
  await layOut(GRAPH, lasting())
  endLayout()
  await vi.advanceTimersByTimeAsync(0)
  expect(Worker.running).toBe(0)
})
