import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import type { EventStore } from '#commands/store/port.ts'
import { chanceOf, randomConversation } from './fixture/bulk-facts.ts'
import { MetricIndex } from './metric-index.ts'
import { recountNightly, recountResults, recountSample } from './recount.ts'

const COUNT = 80

test('a nightly recount of a sample names facts and counters that differ from the log, once a night on each node [P-2885]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-recount-'))
  const chance = chanceOf(3)
  const events = Array.from({ length: COUNT }, (_, n) => randomConversation(`c${n}`, chance)).flat()
  const log = {
    async *read(stream: string) {
      yield* events.filter(event => event.stream === stream)
    },
  } as unknown as EventStore
  const file = join(folder, 'metrics.sqlite')
  const index = new MetricIndex(file)
  for (const event of events) void index.apply('log', event)
  const whole = await recountSample({ index, log, oneIn: 1 })
  expect(whole).toMatchObject({ conversations: COUNT, differences: 0, lines: [] })
  expect(whole.days).toBeGreaterThan(20)
  expect(whole.counters).toBeGreaterThan(1000)
  expect(await recountSample({ index, log })).toMatchObject({ conversations: expect.any(Number), days: 1 })
  await new Promise(resolve => setImmediate(resolve))

  const database = new DatabaseSync(file)
  const wrong = database.prepare("SELECT bot, day FROM metric WHERE what = 'started' LIMIT 1").get()
  database
    .prepare("UPDATE metric SET n = n + 1 WHERE what = 'started' AND bot = ? AND day = ?")
    .run(String(wrong?.bot), String(wrong?.day))
  database.exec("UPDATE metricfact SET measures = ' started ' WHERE conversation = 'c7'")
  database.close()
  const found = await recountSample({ index, log, oneIn: 1 })
  expect(found.lines[0]).toMatch(/^conversation c7 of bot-\d on 2026-/u)
  expect(found.lines[1]).toMatch(new RegExp(`^${String(wrong?.bot)} ${String(wrong?.day)} started .*shown`, 'u'))
  expect(found.differences).toBeGreaterThan(1)

  const store = await openEmbeddedStore({ folder: join(folder, 'console') })
  // 3:30 and 12:00 in São Paulo.
  const night = (node: string, time: string) =>
    recountNightly({ index, log, store, node, oneIn: 1, now: () => Date.parse(time) })
  const today = new Date().toISOString().slice(0, 10)
  expect(await night('one', `${today}T15:00:00Z`)).toBeUndefined()
  expect(await night('one', `${today}T06:30:00Z`)).toMatchObject({ conversations: COUNT })
  expect(await night('one', `${today}T07:30:00Z`)).toBeUndefined()
  expect(await night('two', `${today}T06:30:00Z`)).toBeDefined()
  const results = await recountResults(store)
  expect(results.map(({ node }) => node)).toEqual(['two', 'one'])
  expect(results[0]).toMatchObject({ conversations: COUNT, differences: found.differences })
  await index.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})
