import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { StoredEvent } from '#schemas/event.ts'
import { EmbeddedStore, LiveSubscription } from './embedded-store.ts'
import { type ReadRequest, toPosition, type WriteRequest } from './message.ts'

const event = (position: number): StoredEvent => ({
  id: String(position),
  type: 'BotStarted',
  version: 1,
  data: {},
  time: '2026-01-01T00:00:00.000Z',
  actor: null,
  correlation: '',
  causation: null,
  level: null,
  hash: '',
  stream: position % 3 === 0 ? 'bot-1' : 'user-1',
  revision: position,
  position: toPosition(position),
})

const pause = (turns: number) => new Promise(resolve => setTimeout(resolve, turns))

/** A log that announces events some turns after they are readable, like the writer's worker. */
class Log {
  readonly events: StoredEvent[] = []
  readonly chunk: number
  constructor(chunk: number) {
    this.chunk = chunk
  }
  async read(after: string) {
    const events = this.events.filter(({ position }) => position > after).slice(0, this.chunk)
    const head = this.events.at(-1)?.position ?? ''
    await pause(0)
    const position = events.at(-1)?.position ?? head
    return { events, position, end: position >= head }
  }
}

it('delivers each event once and in order, however writing, telling, reading and a slow subscriber interleave', async () => {
  const burst = fc.record({ size: fc.constantFrom(1, 3, 400, 1500), late: fc.nat(2), rest: fc.nat(3) })
  const scene = fc.record({
    bursts: fc.array(burst, { maxLength: 8 }),
    chunk: fc.constantFrom(2000, 300, 7000),
    before: fc.constantFrom(0, 5, 900),
    slow: fc.constantFrom(0, 500, 1),
  })
  await fc.assert(
    fc.asyncProperty(scene, async ({ bursts, chunk, before, slow }) => {
      const log = new Log(chunk)
      const add = (size: number) => {
        const first = log.events.length + 1
        const added = Array.from({ length: size }, (_, n) => event(first + n))
        log.events.push(...added)
        return added
      }
      add(before)
      const seen: string[] = []
      let caughtUp = ''
      const subscriber = {
        event: ({ position }: StoredEvent) => {
          seen.push(position)
          return slow > 0 && seen.length % (slow * 40) === 0 ? pause(1).then(() => undefined) : undefined
        },
        caughtUp: (position: string) => {
          expect(seen.at(-1) ?? '').toBe(position)
          caughtUp = position
        },
      }
      const subscription = new LiveSubscription('', subscriber, {}, after => log.read(after))
      let telling = Promise.resolve()
      for (const { size, late, rest } of bursts) {
        const added = add(size)
        telling = telling.then(() => pause(late)).then(() => subscription.push(added))
        await pause(rest)
      }
      await telling
      while (seen.length < log.events.length) await pause(1)
      await pause(2)
      await subscription.stop()
      expect(seen).toEqual(log.events.map(({ position }) => position))
      expect(caughtUp <= (seen.at(-1) ?? '')).toBe(true)
    }),
    { numRuns: 40 },
  )
})

it('stops between two events and delivers no later event', async () => {
  const log = new Log(10)
  log.events.push(...[1, 2, 3].map(event))
  const seen: string[] = []
  const subscription: LiveSubscription = new LiveSubscription(
    '',
    {
      event: ({ position }) => {
        seen.push(position)
        subscription.end()
      },
    },
    {},
    after => log.read(after),
  )
  await subscription.done
  subscription.push([event(4)])
  expect(seen).toEqual([toPosition(1)])
})

it('ends with the error of a read that failed', async () => {
  const ended = Promise.withResolvers<Error | undefined>()
  const failing = () => Promise.reject(new Error('no disk'))
  new LiveSubscription('', { event: () => undefined, ended: ended.resolve }, {}, failing)
  expect(await ended.promise).toMatchObject({ message: 'no disk' })
})

/** A store over workers that hold one stream, and the kinds of requests that they got. */
const storeOf = (first: number, refused?: Error) => {
  const kinds: string[] = []
  let revision = first
  const reads = {
    send({ kind }: ReadRequest, _: number, { resolve }: { resolve(answer: unknown): void }) {
      kinds.push(kind)
      resolve(revision)
    },
  }
  const writes = {
    send({ kind }: WriteRequest, _: number, told: { resolve(answer: unknown): void; reject(error: Error): void }) {
      revision = kind === 'append' ? revision + 1 : 0
      if (refused === undefined) told.resolve({ revision, position: 1, written: true })
      else told.reject(refused)
    },
  }
  const channels = { reads, writes } as unknown as ConstructorParameters<typeof EmbeddedStore>[1]
  return { store: new EmbeddedStore('id', channels, () => undefined), kinds }
}

it('asks its reader once for the revision of a stream, and answers from memory after each append [P-2232]', async () => {
  const { store, kinds } = storeOf(3)
  expect(store.isExclusive).toBe(true)
  expect(await store.revision('bot-1')).toBe(3)
  const { position: _, stream: __, revision: ___, ...added } = event(1)
  await store.append('bot-1', 3, [added])
  expect(await store.revision('bot-1')).toBe(4)
  expect(kinds).toEqual(['revision'])
})

it.each(['append', 'delete', 'tombstone'] as const)(
  'reads the revision again after %s without a known outcome [P-2232]',
  async kind => {
    const { store, kinds } = storeOf(3, new Error('late'))
    const { position: _, stream: __, revision: ___, ...added } = event(1)
    expect(await store.revision('bot-1')).toBe(3)
    await expect(kind === 'append' ? store.append('bot-1', 3, [added]) : store[kind]('bot-1', 3)).rejects.toThrow(
      'late',
    )
    expect(await store.revision('bot-1')).toBe(kind === 'append' ? 4 : 0)
    expect(kinds).toEqual(['revision', 'revision'])
  },
)
