import { afterEach, beforeEach, expect, it } from 'vitest'
import { originStream } from '#schemas/events/origin.ts'
import { openPeopleBench, type PeopleBench } from './fixture/people-bench.ts'
import { sweepOrigins } from './origin-log.ts'

const DAY_MS = 86_400_000
let bench: PeopleBench
beforeEach(async () => {
  bench = await openPeopleBench()
})
afterEach(() => bench.close())

it('removes addresses, browsers and names that were tried after 90 days [P-1804]', async () => {
  const seen = { address: '192.0.2.7', agent: 'curl/8.5.0' }
  await bench.people.signIn({ username: 'nobody-has-it', password: 'x', seen })
  const stream = originStream(bench.now().toISOString())
  expect((await bench.events(stream)).map(({ data }) => data)).toMatchObject([
    { user: null, fields: { ...seen, name: 'no… (13)' } },
  ])
  const later = (days: number) => new Date(bench.now().getTime() + days * DAY_MS)
  const deleted: string[] = []
  const store = { ...bench.store, delete: async (name: string) => void deleted.push(name) }
  expect(await sweepOrigins(store, later(90))).toBe(0)
  expect(await sweepOrigins(store, later(91))).toBe(1)
  expect(deleted).toEqual([stream])
})
