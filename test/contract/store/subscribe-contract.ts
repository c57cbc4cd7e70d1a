import { describe, expect, it } from 'vitest'
import type { StoredEvent } from '#schemas/event.ts'
import { collect, newEvents } from './event.ts'
import { Recorder } from './recorder.ts'
import type { Contract } from './store-under-test.ts'

export function subscribeContract({ store, stream, reopen }: Contract): void {
  describe('subscribe', () => {
    it('delivers what was there, tells that it caught up, then what comes', async () => {
      const after = await store().head()
      const name = stream()
      await store().append(name, 0, newEvents(2))
      const { position } = await store().append(name, 2, newEvents(1))
      const recorder = new Recorder(store(), after)
      await recorder.untilCaughtUp()
      expect(recorder.caughtUp).toEqual([position])
      expect(recorder.events).toHaveLength(3)
      await store().append(name, 3, newEvents(2))
      await recorder.until(({ events }) => events.length === 5)
      expect(recorder.events).toEqual(await collect(store().readAll({ after })))
      await recorder.subscription.stop()
    })

    it('has no gap and no duplicate between catching up and live while others write', async () => {
      const after = await store().head()
      const names = Array.from({ length: 8 }, () => stream())
      const recorders: Recorder[] = []
      const writing = names.map(async name => {
        for (let revision = 0; revision < 150; revision += 3) await store().append(name, revision, newEvents(3))
      })
      for (let n = 0; n < 10; n++) {
        recorders.push(new Recorder(store(), after))
        await new Promise(resolve => setTimeout(resolve, 2))
      }
      await Promise.all(writing)
      const expected = (await collect(store().readAll({ after }))).map(({ position }) => position)
      expect(expected).toHaveLength(1200)
      for (const recorder of recorders) {
        await recorder.until(({ events }) => events.length >= 1200)
        expect(recorder.events.map(({ position }) => position)).toEqual(expected)
        await recorder.subscription.stop()
      }
    })

    it('waits for a slow subscriber, which falls back to catching up and is told again when it is there', async () => {
      const after = await store().head()
      const gate = Promise.withResolvers<void>()
      const recorder = new Recorder(store(), after)
      await recorder.untilCaughtUp()
      recorder.pause = () => gate.promise
      const fast = new Recorder(store(), after)
      await fast.untilCaughtUp()
      const name = stream()
      for (let revision = 0; revision < 4000; revision += 500) await store().append(name, revision, newEvents(500))
      const head = await store().head()
      // Both are offered the same events, so the slow one has missed some when the fast one has all.
      await fast.until(({ events }) => events.length === 4000)
      await fast.subscription.stop()
      gate.resolve()
      await recorder.until(({ caughtUp }) => caughtUp.length > 1)
      expect(recorder.caughtUp.at(-1)).toBe(head)
      expect(recorder.events.map(({ revision }) => revision)).toEqual(Array.from({ length: 4000 }, (_, n) => n + 1))
      await recorder.subscription.stop()
    })

    it('delivers one event at a time', async () => {
      const after = await store().head()
      let inside = 0
      let most = 0
      const recorder = new Recorder(store(), after, {}, async () => {
        most = Math.max(most, ++inside)
        await new Promise(resolve => setTimeout(resolve, 1))
        inside--
      })
      const name = stream()
      for (let revision = 0; revision < 20; revision++) await store().append(name, revision, newEvents(1))
      await recorder.until(({ events }) => events.length === 20)
      expect(most).toBe(1)
      await recorder.subscription.stop()
    })

    it('filters what was there and what comes, and tells the position it has seen', async () => {
      const after = await store().head()
      const [bot, user] = [stream('bot'), stream('user')]
      await store().append(bot, 0, newEvents(1, 'BotStarted'))
      const { position } = await store().append(user, 0, newEvents(1, 'UserLocked'))
      const byStream = new Recorder(store(), after, { streamPrefixes: ['bot-'] })
      const byType = new Recorder(store(), after, { types: ['UserLocked'] })
      const byBoth = new Recorder(store(), after, { streamPrefixes: ['bot-'], types: ['UserLocked'] })
      for (const recorder of [byStream, byType, byBoth]) await recorder.untilCaughtUp()
      expect(byStream.caughtUp).toEqual([position])
      expect(byBoth.events).toEqual([])
      await store().append(user, 1, newEvents(1, 'UserLocked'))
      await store().append(bot, 1, newEvents(1, 'UserLocked'))
      await byBoth.until(({ events }) => events.length === 1)
      await byType.until(({ events }) => events.length === 3)
      await byStream.until(({ events }) => events.length === 2)
      expect(byStream.events.map(event => event.type)).toEqual(['BotStarted', 'UserLocked'])
      for (const { subscription } of [byStream, byType, byBoth]) await subscription.stop()
    })

    it('delivers conversations and other streams in log order to each filter while others write [P-1980]', async () => {
      const after = await store().head()
      const prefixes = [['conversation-'], ['bot-'], ['conversation-', 'bot-'], ['conv', 'delivery-'], []]
      const recorders = prefixes.map(streamPrefixes => new Recorder(store(), after, { streamPrefixes }))
      await Promise.all(
        ['conversation', 'bot', 'delivery', 'conversation', 'bot', 'user'].map(async prefix => {
          const name = stream(prefix)
          for (let revision = 0; revision < 30; revision += 1) await store().append(name, revision, newEvents(1))
        }),
      )
      for (const [n, recorder] of recorders.entries()) {
        const streamPrefixes = prefixes[n] ?? []
        const expected = await collect(store().readAll({ after, filter: { streamPrefixes } }))
        await recorder.until(({ events }) => events.length >= expected.length)
        expect(recorder.events).toEqual(expected)
        await recorder.subscription.stop()
      }
    })

    it('tells a subscriber that it passed events which its filter leaves out [P-1981]', async () => {
      const passed: string[] = []
      const bots: string[] = []
      const subscriber = {
        event: ({ position }: StoredEvent) => void bots.push(position),
        // Events that were stored before it follows the log are passed while it catches up.
        caughtUp: (position: string) => void passed.push(position),
        passed: (position: string) => void passed.push(position),
      }
      const subscription = store().subscribe(await store().head(), subscriber, { streamPrefixes: ['bot-'] })
      const bot = await store().append(stream('bot'), 0, newEvents(1))
      const { position } = await store().append(stream('conversation'), 0, newEvents(2))
      while (passed.at(-1) !== position) await new Promise(resolve => setTimeout(resolve, 5))
      expect(bots).toEqual([bot.position])
      expect(passed).toEqual([...passed].sort())
      const next = await store().append(stream('bot'), 0, newEvents(1))
      while (bots.length < 2) await new Promise(resolve => setTimeout(resolve, 5))
      expect(bots).toEqual([bot.position, next.position])
      await subscription.stop()
    })

    it('resumes after the position a subscriber kept, also after opening again', async () => {
      const after = await store().head()
      const name = stream()
      await store().append(name, 0, newEvents(10))
      const first = new Recorder(store(), after)
      await first.untilCaughtUp()
      await first.subscription.stop()
      const checkpoint = first.events[3]?.position ?? ''
      await reopen()
      await store().append(name, 10, newEvents(1))
      const second = new Recorder(store(), checkpoint)
      await second.untilCaughtUp()
      expect(second.events.map(({ revision }) => revision)).toEqual([5, 6, 7, 8, 9, 10, 11])
      await second.subscription.stop()
    })

    it('delivers nothing after it was stopped and ends without an error', async () => {
      const recorder = new Recorder(store(), await store().head())
      await recorder.untilCaughtUp()
      await recorder.subscription.stop()
      await store().append(stream(), 0, newEvents(1))
      expect(await recorder.ended).toBeUndefined()
      expect(recorder.events).toEqual([])
    })

    it('ends with the error a subscriber throws, and others go on', async () => {
      const after = await store().head()
      const broken = new Recorder(store(), after, {}, async () => {
        throw new Error('cannot take it')
      })
      const sound = new Recorder(store(), after)
      await store().append(stream(), 0, newEvents(1))
      expect(await broken.ended).toMatchObject({ message: 'cannot take it' })
      await sound.until(({ events }) => events.length === 1)
      await sound.subscription.stop()
    })

    it('ends when the store is closed', async () => {
      const recorder = new Recorder(store())
      await recorder.untilCaughtUp()
      await reopen()
      await expect(recorder.ended).resolves.toBeUndefined()
    })
  })
}
