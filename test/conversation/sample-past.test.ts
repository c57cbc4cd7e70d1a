import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { EventStore } from '#commands/store/port.ts'
import { PACE_MS } from '#domain/desk/place.ts'
import { PastClock, PastWork } from '#runtime/sample/past/past-clock.ts'
import { PastPlay } from '#runtime/sample/past/play-past.ts'
import { ScratchStore } from '#runtime/sample/past/scratch-store.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX } from '#schemas/events/conversation.ts'
import { DESK_PLACE_PREFIX } from '#schemas/events/desk.ts'
import { openDeskWorld } from './desk-world.ts'

const UNTIL = Date.parse('2026-11-21T15:00:00.000Z')
const DAY_MS = 86_400_000
/** Share of slow appends. */
const SLOW = 0.15
const AGENTS = ['ana']
const REASONS = ['resolvido', 'troca', 'sem-resposta'].map(key => ({ key, name: key }))
/** Some of them come within the pause between two chats of an agent. */
const PEOPLE = 60

/** Some appends of a slow computer take up to `most` ms. */
const slowed = (store: EventStore, most: number): EventStore =>
  new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      return name === 'append' && most > 0
        ? async (...given: unknown[]) => {
            if (Math.random() < SLOW) await pause(Math.random() * most)
            return Reflect.apply(member, target, given)
          }
        : member.bind(target)
    },
  })

const lineOf = ({ type, time, data }: StoredEvent): string =>
  `${time} ${type} ${typeof data.user === 'string' ? data.user : ''}`

/** Events of conversations and of agents, by stream; those of one moment may come in any order. */
const played = async (most: number): Promise<Readonly<Record<string, readonly string[]>>> => {
  const clock = new PastClock(UNTIL - 2 * DAY_MS)
  const work = new PastWork()
  const scratch = new ScratchStore()
  const store = work.watched(slowed(scratch, most))
  const past = {
    now: () => clock.now(),
    newId: (): string => play.newId(),
    driven: { later: (ms: number, act: () => void) => clock.after(ms, act) },
  }
  const world = await openDeskWorld(async () => store)
  for (const agent of AGENTS) world.directory.setUser(agent, { capacity: 20 })
  world.directory.setQueue('loja', AGENTS, { close_reasons: REASONS } as never)
  const { on } = await world.node({ past })
  const bot = { bot: 'bot', channel: 'web', daily: 1, since: UNTIL - 2 * DAY_MS, understands: false }
  const play = new PastPlay({
    ...{ seed: 'lume', clock, work, conversations: on, agents: AGENTS, until: UNTIL },
    bots: [{ ...bot, deskDay: { people: PEOPLE, wish: '' } }],
    signal: new AbortController().signal,
    made: () => undefined,
  })
  expect(await play.run()).toBe(true)
  await world.close()
  const isKept = (stream: string) => [CONVERSATION_PREFIX, DESK_PLACE_PREFIX].some(prefix => stream.startsWith(prefix))
  return Object.fromEntries(
    [...scratch.streams]
      .filter(([stream]) => isKept(stream))
      .map(([stream, events]) => [stream, events.map(lineOf).toSorted()] as const)
      .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1)),
  )
}

/** ms that each chat waited for its first agent. */
const waitsOf = (past: Readonly<Record<string, readonly string[]>>): readonly number[] =>
  Object.values(past).flatMap(lines => {
    const [queued, assigned] = [' AgentQueued ', ' AgentAssigned '].map(type => lines.find(line => line.includes(type)))
    const timeOf = (line: string) => Date.parse(line.split(' ')[0] ?? '')
    return queued === undefined || assigned === undefined ? [] : [timeOf(assigned) - timeOf(queued)]
  })

test('plays the same past on a slow computer: agents get the same chats at the same times [P-2975]', async () => {
  const [fast, slow] = [await played(0), await played(4)]
  const waits = waitsOf(fast)
  expect(waits.length).toBeGreaterThan(PEOPLE / 2)
  // An agent gets the next chat after a pause.
  expect(waits.filter(ms => ms > 0 && ms <= PACE_MS)).not.toEqual([])
  expect(slow).toEqual(fast)
}, 180_000)
