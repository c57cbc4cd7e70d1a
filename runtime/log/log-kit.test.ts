import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { appendAtEnd, appendIfFirst, endOf, NO_EVENTS, type StreamEnd } from '#commands/pipeline/append.ts'
import { openEmbeddedStore } from '#commands/store/embedded/open-embedded-store.ts'
import { type EventStore, WrongRevision } from '#commands/store/port.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { FollowedIndex } from './followed-index.ts'
import { isFree, LeaseTerm } from './lease.ts'
import { ExclusiveWriter, exclusiveDrafts, removeStream, streamAggregate } from './stream-aggregate.ts'

let folder: string
let store: EventStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-log-'))
  store = await openEmbeddedStore({ folder })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const added = (stream: string, n: number) => exclusiveDrafts(stream, [{ type: 'Added', data: { n } }])
const failed = (error: unknown) => {
  throw error
}

describe('an append at an exact revision', () => {
  test('of several writers at one revision succeeds for one', async () => {
    const ends = await Promise.all([1, 2, 3].map(n => appendIfFirst(store, 's', NO_EVENTS, added('s', n))))
    expect(ends.filter(end => end !== undefined)).toEqual([await endOf(store, 's')])
  })

  test('succeeds for all writers that take any revision', async () => {
    await Promise.all([1, 2, 3].map(n => appendAtEnd(store, 's', added('s', n))))
    expect((await endOf(store, 's')).revision).toBe(3)
    await removeStream(store, 's')
    expect(await endOf(store, 's')).toEqual(NO_EVENTS)
  })

  test('fails for good for an exclusive writer once another one has written', async () => {
    const written: StoredEvent[] = []
    const writer = new ExclusiveWriter(store, 's', NO_EVENTS, event => void written.push(event))
    const position = await writer.write([{ type: 'Added', data: { n: 1 } }])
    expect(written.map(({ revision, position }) => [revision, position])).toEqual([[1, position]])
    await appendAtEnd(store, 's', added('s', 2))
    for (let n = 3; n < 5; n += 1)
      await expect(writer.write([{ type: 'Added', data: { n } }])).rejects.toThrow(WrongRevision)
    expect((await endOf(store, 's')).revision).toBe(2)
  })
})

describe('a stream aggregate', () => {
  const sums = (limit: number, of = store) =>
    streamAggregate<{ end: StreamEnd; sum: number }>(of, {
      initial: { end: NO_EVENTS, sum: 0 },
      fold: (state, { data }) => ({ ...state, sum: state.sum + Number(data.n) }),
      limit,
    })

  // Deadlines of chats compare the states that they saw.
  test('returns the same object as long as nobody writes', async () => {
    const all = sums(1)
    const first = await all.write('a', () => added('a', 1))
    const decided: object[] = []
    await all.write('a', state => {
      decided.push(state)
      return []
    })
    expect([await all.refresh('a'), await all.load('a'), ...decided].every(state => state === first)).toBe(true)
    await appendAtEnd(store, 'a', added('a', 1))
    expect(await all.refresh('a')).not.toBe(first)
  })

  test('decides again on the newest state after a conflict', async () => {
    const [one, other] = [sums(10), sums(10)]
    await one.write('s', () => added('s', 1))
    await other.write('s', ({ sum }) => added('s', sum + 1))
    const seen: number[] = []
    const { sum, end } = await one.write('s', state => {
      seen.push(state.sum)
      return added('s', state.sum)
    })
    expect([seen, sum, end]).toEqual([[1, 3], 6, await endOf(store, 's')])
  })

  test('serializes the writes to one stream', async () => {
    const all = sums(10)
    const append = vi.spyOn(store, 'append')
    await Promise.all([1, 2, 3, 4].map(() => all.write('s', ({ sum }) => added('s', sum + 1))))
    expect((await all.load('s')).sum).toBe(15)
    expect(append).toHaveBeenCalledTimes(4)
  })

  test('caches the newest states up to its limit', async () => {
    const all = sums(2)
    for (const stream of ['a', 'b', 'c']) await all.write(stream, () => added(stream, 1))
    expect(['a', 'b', 'c'].map(stream => all.cached(stream)?.sum)).toEqual([undefined, 1, 1])
    const read = vi.spyOn(store, 'read')
    expect((await all.load('c')).sum).toBe(1)
    expect(read).not.toHaveBeenCalled()
    await appendAtEnd(store, 'c', added('c', 1))
    expect((await all.refresh('c')).sum).toBe(2)
    await all.evict('c')
    expect(all.cached('c')).toBeUndefined()
  })

  test('without a limit caches nothing', async () => {
    const all = sums(0)
    await all.write('s', () => added('s', 1))
    await appendAtEnd(store, 's', added('s', 1))
    expect((await all.load('s')).sum).toBe(2)
  })
})

class CountIndex extends FollowedIndex {
  constructor(version = 1) {
    const schema = 'CREATE TABLE IF NOT EXISTS count (stream TEXT PRIMARY KEY, n INTEGER NOT NULL) STRICT'
    super(join(folder, 'count.sqlite'), { version, schema })
  }

  protected change({ stream }: StoredEvent): void {
    this.sql.run('INSERT INTO count VALUES (?, 1) ON CONFLICT (stream) DO UPDATE SET n = n + 1', stream)
  }

  count(stream: string): number {
    return Number(this.sql.get('SELECT n FROM count WHERE stream = ?', stream)?.n ?? 0)
  }
}

describe('a followed index', () => {
  const following = { name: 'counts', prefixes: ['count-'], failed }

  test('has what was written when it is followed, and what is waited for', async () => {
    await appendAtEnd(store, 'count-a', added('count-a', 1))
    const index = new CountIndex()
    await index.follow(store, following)
    expect(index.count('count-a')).toBe(1)
    const { position } = await appendAtEnd(store, 'count-a', added('count-a', 1))
    await index.reached(position)
    expect(index.count('count-a')).toBe(2)
    await index.close()
  })

  test('continues at its position after a restart, and begins again with another version', async () => {
    const first = new CountIndex()
    await first.follow(store, following)
    const { position } = await appendAtEnd(store, 'count-a', added('count-a', 1))
    await first.reached(position)
    await first.close()
    for (const version of [1, 2]) {
      const index = new CountIndex(version)
      expect(index.position(store.id)).toBe(version === 1 ? position : '')
      await index.follow(store, following)
      expect(index.count('count-a')).toBe(1)
      await index.close()
    }
  })

  test('applies each event once after following restarts', async () => {
    const index = new CountIndex()
    const heard: string[] = []
    const again = { ...following, heard: ({ stream }: StoredEvent) => void heard.push(stream) }
    await index.follow(store, again)
    await index.follow(store, again)
    const { position } = await appendAtEnd(store, 'count-a', added('count-a', 1))
    await index.reached(position)
    await vi.waitFor(() => expect(heard).toEqual(['count-a']))
    expect(index.count('count-a')).toBe(1)
    await index.close()
  })
})

describe('a lease', () => {
  const term = new LeaseTerm(1000)
  const lease = term.grant('a', 0)

  test('is free for its node, after its expiry, and when its node has stopped', () => {
    expect(isFree(undefined, 'b', 0)).toBe(true)
    expect(isFree(lease, 'a', 0)).toBe(true)
    expect(isFree(lease, 'b', 999)).toBe(false)
    expect(isFree(lease, 'b', 1000)).toBe(true)
    expect(isFree(lease, 'b', 0, node => node === 'a')).toBe(true)
  })

  test('is renewed at half time while its work runs, and no longer', async () => {
    expect([499, 500].map(now => term.isDue(lease, now))).toEqual([false, true])
    vi.useFakeTimers()
    try {
      const renew = vi.fn(async () => undefined)
      const work = Promise.withResolvers<string>()
      const done = term.renewing(renew, failed, () => work.promise)
      await vi.advanceTimersByTimeAsync(1100)
      expect(renew).toHaveBeenCalledTimes(2)
      work.resolve('done')
      expect(await done).toBe('done')
      await vi.advanceTimersByTimeAsync(2000)
      expect(renew).toHaveBeenCalledTimes(2)
    } finally {
      vi.useRealTimers()
    }
  })
})
