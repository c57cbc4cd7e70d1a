import { expect, test } from 'vitest'
import { memoryStore } from '#commands/fixture/memory-store.ts'
import { appendEvents, exclusiveDrafts } from '../../log/stream-aggregate.ts'
import { beginnings } from './beginnings.ts'
import { copyStreams } from './sample-past.ts'
import { ScratchStore } from './scratch-store.ts'

const UNTIL = Date.parse('2026-11-21T15:00:00.000Z')
const DAY_MS = 86_400_000
const bot = { bot: 'a', channel: 'c', daily: 6, since: UNTIL - 60 * DAY_MS, understands: false }

test('plays the same beginnings for the same seed, over two months and within the day of people [P-2487]', () => {
  const begun = beginnings({ seed: 's', bots: [bot], until: UNTIL })
  expect(beginnings({ seed: 's', bots: [bot], until: UNTIL })).toEqual(begun)
  expect(beginnings({ seed: 'other', bots: [bot], until: UNTIL })).not.toEqual(begun)
  expect(begun.length).toBeGreaterThan(200)
  expect(begun.length).toBeLessThan(500)
  const times = begun.map(({ at }) => at)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[0]).toBeGreaterThan(bot.since)
  expect((times[0] ?? 0) - bot.since).toBeLessThan(3 * DAY_MS)
  expect(times.at(-1)).toBeLessThan(UNTIL)
  // From 7 to 22 in São Paulo, which is 10 to 1 in UTC.
  expect(times.filter(at => new Date(at - 3 * 3_600_000).getUTCHours() < 7)).toEqual([])
  expect(new Set(begun.map(({ seed }) => seed)).size).toBe(begun.length)
})

test('copies only the streams that the log lacks, each with its events as they are [P-2487]', async () => {
  const scratch = new ScratchStore()
  const tail = { revision: 0, hash: '' }
  for (const stream of ['conversation-a', 'deskrouter-q', 'conversation-b', 'deskplace-u'])
    await appendEvents(
      scratch,
      stream,
      tail,
      exclusiveDrafts(
        stream,
        [1, 2].map(n => ({ type: 'Happened', data: { n } })),
      ),
    )
  const log = memoryStore()
  const signal = new AbortController().signal
  const shares: number[] = []
  const given = { log, signal, isOurs: async () => true, made: (share: number) => shares.push(share) }
  const only = new Map([...scratch.streams].filter(([stream]) => stream === 'conversation-b'))
  expect(await copyStreams(only, given)).toBe(true)
  const first = (await log.revision('conversation-b')) === 2

  expect(await copyStreams(scratch.streams, given)).toBe(true)
  expect(await copyStreams(scratch.streams, given)).toBe(true)
  const streams: Record<string, number> = {}
  const hashes: string[] = []
  for await (const { stream, hash } of log.readAll()) {
    streams[stream] = (streams[stream] ?? 0) + 1
    hashes.push(hash)
  }
  expect(first).toBe(true)
  expect(streams).toEqual({ 'conversation-b': 2, 'conversation-a': 2, 'deskplace-u': 2 })
  const known = [...scratch.streams.values()].flat().map(({ hash }) => hash)
  expect(hashes.filter(hash => !known.includes(hash))).toEqual([])
  expect(Math.max(...shares)).toBeLessThan(1)
  expect(await copyStreams(scratch.streams, { ...given, isOurs: async () => false })).toBe(false)
})
