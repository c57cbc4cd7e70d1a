import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openEventStoreDb } from '#commands/store/eventstoredb/open-event-store-db.ts'
import type { EventStore } from '#commands/store/port.ts'
import { chanceOf, randomConversation } from '#runtime/metrics/fixture/bulk-facts.ts'
import { compareFigures, plainConversation } from '#runtime/metrics/fixture/compare-figures.ts'
import { MetricIndex } from '#runtime/metrics/metric-index.ts'
import { recountSample, verifyMetrics } from '#runtime/metrics/recount.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { startEventStoreDouble } from '#test/doubles/eventstoredb/event-store-double.ts'
import { report, SEED, sizeOf } from './size.ts'

const CONVERSATIONS = sizeOf('METRIC_CONVERSATIONS', { short: 1000, full: 10_000 })
const KILLS = sizeOf('METRIC_KILLS', { short: 10, full: 60 })
const TIMEOUT_MS = 3_600_000
/** Conversations that are written at the same time. */
const OPEN = 200
const WRITERS = 8

/** A node that is started again after each kill, until it is asked to end. */
class MortalIndex {
  readonly #args: readonly string[]
  #child: ChildProcess

  constructor(url: string, file: string) {
    this.#args = [join(import.meta.dirname, 'metrics-node.ts'), url, file]
    this.#child = this.#start()
  }

  async kill(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await gone
    this.#child = this.#start()
  }

  /** Ends the node when its figures include a position. */
  async end(position: string): Promise<void> {
    const child = this.#child
    const gone = once(child, 'exit')
    child.stdin?.end(`${position}\n`)
    await gone
  }

  #start(): ChildProcess {
    const child = spawn(process.execPath, this.#args, { stdio: ['pipe', 'pipe', 'inherit'] })
    if (child.stdout !== null) createInterface({ input: child.stdout }).resume()
    return child
  }
}

/** Writes conversations, many at a time, each in its own order. Returns the last position. */
const writeAll = async (store: EventStore, all: readonly (readonly StoredEvent[])[]): Promise<string> => {
  const chance = chanceOf(SEED)
  const waiting = all.map(events => [...events])
  const open = waiting.splice(0, OPEN)
  let last = ''
  const write = async () => {
    for (;;) {
      const events = open.splice(chance(open.length), 1)[0]
      if (events === undefined) return
      const event = events.shift()
      if (event === undefined) {
        const next = waiting.shift()
        if (next !== undefined) open.push(next)
        continue
      }
      const { stream, revision, position: _, ...given } = event
      const { position } = await store.append(stream, revision - 1, [{ ...given, id: randomUUID() }])
      if (position > last) last = position
      open.push(events)
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  return last
}

test(
  `figures of ${CONVERSATIONS} random conversations are equal live on two nodes with ${KILLS} kills, rebuilt, recounted and counted plainly [P-2884]`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-metric-fault-'))
    const double = await startEventStoreDouble({ folder })
    const store = await openEventStoreDb({ url: double.url })
    const chance = chanceOf(SEED + 1)
    const all = Array.from({ length: CONVERSATIONS }, (_, n) => randomConversation(`c${n}`, chance))
    const files = ['one', 'two'].map(name => join(folder, `${name}.sqlite`))
    const nodes = files.map(file => new MortalIndex(double.url, file))
    let isWritten = false
    const began = performance.now()
    const writing = writeAll(store, all).finally(() => {
      isWritten = true
    })
    let kills = 0
    while (kills < KILLS) {
      await pause(isWritten ? 200 : 500 + chance(2000))
      await nodes[chance(nodes.length)]?.kill()
      kills += 1
    }
    const last = await writing
    await Promise.all(nodes.map(node => node.end(last)))
    const indexes = [...files, join(folder, 'rebuilt.sqlite')].map(file => new MetricIndex(file))
    const [one, two, rebuilt] = indexes
    if (one === undefined || two === undefined || rebuilt === undefined) throw new Error('three indexes')
    await rebuilt.followConversations(store, error => {
      throw error
    })
    await rebuilt.reached(last)
    const dump = one.dump()
    expect(dump.length).toBeGreaterThan(1000)
    expect(two.dump()).toEqual(dump)
    expect(rebuilt.dump()).toEqual(dump)
    compareFigures(one, all.map(plainConversation))
    const sample = await recountSample({ index: one, log: store })
    expect(sample).toMatchObject({ differences: 0, lines: [] })
    await Promise.all(indexes.map(index => index.close()))
    for (const file of files) expect(await verifyMetrics({ file, log: store })).toMatchObject({ differences: 0 })
    report('figures', {
      conversations: CONVERSATIONS,
      events: all.reduce((sum, { length }) => sum + length, 0),
      counters: dump.length,
      kills,
      seconds: Math.round((performance.now() - began) / 1000),
    })
    await store.close()
    await double.stop()
    rmSync(folder, { recursive: true, force: true })
  },
  TIMEOUT_MS,
)
