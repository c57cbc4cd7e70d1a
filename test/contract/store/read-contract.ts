import { describe, expect, it } from 'vitest'
import { START } from '#commands/store/port.ts'
import { collect, newEvents, revisions } from './event.ts'
import type { Contract } from './store-under-test.ts'

export function readContract({ store, stream, reopen }: Contract): void {
  describe('read', () => {
    it('yields nothing for a stream that does not exist', async () => {
      const name = stream()
      expect(await collect(store().read(name))).toEqual([])
      expect(await collect(store().read(name, { direction: 'backwards' }))).toEqual([])
      expect(await store().revision(name)).toBe(0)
    })

    it('reads forwards and backwards from a revision, which is included, up to a limit', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(5))
      const read = (options: object) => revisions(store().read(name, options))
      expect(await read({})).toEqual([1, 2, 3, 4, 5])
      expect(await read({ from: 3 })).toEqual([3, 4, 5])
      expect(await read({ from: 2, limit: 2 })).toEqual([2, 3])
      expect(await read({ from: 6 })).toEqual([])
      expect(await read({ limit: 0 })).toEqual([])
      expect(await read({ direction: 'backwards' })).toEqual([5, 4, 3, 2, 1])
      expect(await read({ direction: 'backwards', limit: 1 })).toEqual([5])
      expect(await read({ direction: 'backwards', from: 3, limit: 2 })).toEqual([3, 2])
      expect(await read({ direction: 'backwards', from: 99, limit: 1 })).toEqual([5])
    })

    it('tells how many events lie behind a position: exactly while there are few, about when there are many', async () => {
      const name = stream()
      const [before, { position }] = [await store().head(), await store().append(name, 0, newEvents(3))]
      expect(await store().countAfter(position)).toBe(0)
      expect(await store().countAfter(before)).toBe(3)
      for (let n = 0; n < 3; n++) await store().append(name, 3 + n * 400, newEvents(400))
      const many = await store().countAfter(before)
      expect(many).toBeGreaterThan(1203 * 0.75)
      expect(many).toBeLessThan(1203 * 1.25)
    })

    it('says that appends are taken, and writes no event to find out', async () => {
      const head = await store().head()
      await store().probe()
      expect(await store().head()).toBe(head)
    })

    it('reads more than one chunk whole and in order, both ways, and may be left in the middle', async () => {
      const name = stream()
      for (let n = 0; n < 3; n++) await store().append(name, n * 500, newEvents(500))
      const expected = Array.from({ length: 1500 }, (_, n) => n + 1)
      expect(await revisions(store().read(name))).toEqual(expected)
      expect(await revisions(store().read(name, { direction: 'backwards' }))).toEqual(expected.toReversed())
      expect(await revisions(store().read(name, { limit: 1100 }))).toEqual(expected.slice(0, 1100))
      for await (const event of store().read(name)) {
        if (event.revision === 600) break
      }
    })

    it('does not mix up streams whose names begin alike', async () => {
      const name = stream()
      await store().append(name, 0, newEvents(1))
      await store().append(`${name}0`, 0, newEvents(2))
      expect(await revisions(store().read(name))).toEqual([1])
    })
  })

  describe('readAll', () => {
    it('gives the events of all streams in the order of their positions, after one that is not included', async () => {
      const before = await store().head()
      const [one, two] = [stream(), stream()]
      await store().append(one, 0, newEvents(1))
      await store().append(two, 0, newEvents(2))
      await store().append(one, 1, newEvents(1))
      const events = await collect(store().readAll({ after: before }))
      expect(events.map(event => [event.stream, event.revision])).toEqual([
        [one, 1],
        [two, 1],
        [two, 2],
        [one, 2],
      ])
      expect(events.map(event => event.position)).toEqual(events.map(event => event.position).toSorted())
      expect(events.every(event => event.position > before && event.position > START)).toBe(true)
      const [first] = events
      expect(await collect(store().readAll({ after: first?.position ?? '', limit: 2 }))).toEqual(events.slice(1, 3))
    })

    it('filters by beginnings of stream names and by types, both when both are given', async () => {
      const after = await store().head()
      const [bot, level, user] = [stream('bot'), stream('level'), stream('user')]
      await store().append(bot, 0, newEvents(1, 'BotStarted'))
      await store().append(level, 0, newEvents(1, 'LevelCreated'))
      await store().append(user, 0, newEvents(1, 'UserLocked'))
      await store().append(bot, 1, newEvents(1, 'BotStopped'))
      const read = async (filter: object) =>
        (await collect(store().readAll({ after, filter }))).map(event => event.type)
      expect(await read({})).toEqual(['BotStarted', 'LevelCreated', 'UserLocked', 'BotStopped'])
      expect(await read({ streamPrefixes: [], types: [] })).toHaveLength(4)
      expect(await read({ streamPrefixes: ['bot-', 'user-'] })).toEqual(['BotStarted', 'UserLocked', 'BotStopped'])
      expect(await read({ streamPrefixes: [bot] })).toEqual(['BotStarted', 'BotStopped'])
      expect(await read({ types: ['BotStopped', 'UserLocked'] })).toEqual(['UserLocked', 'BotStopped'])
      expect(await read({ streamPrefixes: ['bot-'], types: ['BotStopped', 'UserLocked'] })).toEqual(['BotStopped'])
      expect(await read({ streamPrefixes: ['nothing-'] })).toEqual([])
    })

    it('is the same after opening again', async () => {
      const before = await collect(store().readAll())
      expect(await collect((await reopen()).readAll())).toEqual(before)
      expect(await store().head()).toBe(before.at(-1)?.position)
    })

    // Last of these: the others read the whole log.
    it('finds the few events of one stream in a long log', async () => {
      const [busy, rare] = [stream('busy'), stream('rare')]
      await store().append(rare, 0, newEvents(1))
      for (let n = 0; n < 9000; n += 900) await store().append(busy, n, newEvents(900))
      await store().append(rare, 1, newEvents(1))
      const filter = { streamPrefixes: [rare] }
      expect(await revisions(store().readAll({ filter }))).toEqual([1, 2])
      expect(await revisions(store().readAll({ filter, limit: 1 }))).toEqual([1])
      expect(await collect(store().readAll({ filter: { streamPrefixes: [busy] } }))).toHaveLength(9000)
      expect(await revisions(store().readAll({ filter: { streamPrefixes: [busy] }, limit: 700 }))).toHaveLength(700)
    })
  })
}
