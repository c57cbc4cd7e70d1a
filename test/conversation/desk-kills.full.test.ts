import { afterEach, expect, test } from 'vitest'
import { MAX_HELD } from '#domain/desk/place.ts'
import type { StoredEvent } from '#schemas/event.ts'
import { CONVERSATION_PREFIX, conversationPart } from '#schemas/events/conversation.ts'
import { DESK_PLACE_PREFIX, userOfPlace } from '#schemas/events/desk.ts'
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { allOf } from './stores.ts'
import { begin } from './world.ts'

const KILLS = Number(process.env.PARLEY_DESK_KILLS ?? 1_000)
const SEED = Number(process.env.PARLEY_SEED ?? Date.now() % 1_000_000)
/** Chats that are opened meanwhile; a run of few kills has less time for them. */
const CHATS = Math.min(200, 2 * KILLS)
const CAPACITY = 4
const AGENTS = Array.from({ length: 20 }, (_, place) => `agent${place}`)

let world: DeskWorld
afterEach(() => world?.close())

/** Mulberry32: a failing run is repeated with its seed. */
const randomOf = (given: number) => {
  let seed = given >>> 0
  return () => {
    seed = (seed + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Faults of the log against the rules of the desk, as of every revision. */
const faultsOf = (events: readonly StoredEvent[]): readonly string[] => {
  const faults: string[] = []
  const holders = new Map<string, string>()
  const slots = new Map<string, Set<string>>()
  for (const { stream, type, data } of events) {
    if (stream.startsWith(DESK_PLACE_PREFIX)) {
      const user = userOfPlace(stream)
      const taken = slots.get(user) ?? new Set()
      slots.set(user, taken)
      if (type === 'SlotFreed') taken.delete(String(data.slot))
      if (type !== 'SlotTaken') continue
      if (data.auto === true && taken.size >= CAPACITY) faults.push(`${user} was given a chat above their capacity`)
      taken.add(String(data.slot))
      if (taken.size > MAX_HELD) faults.push(`${user} holds more than ${MAX_HELD}`)
    }
    if (!stream.startsWith(CONVERSATION_PREFIX)) continue
    const { id } = conversationPart(stream)
    if (type === 'AgentAssigned') {
      if (holders.has(id)) faults.push(`${id} has two holders`)
      holders.set(id, String(data.user))
    }
    if (type === 'AgentReleased' || type === 'AgentLeft') holders.delete(id)
    if (type === 'AgentSaid' && data.comment !== true && holders.get(id) !== data.by)
      faults.push(`${id} has a word of ${String(data.by)}, who does not hold it`)
  }
  return faults
}

test(`keeps its rules through ${KILLS} kills of one of two nodes [P-2338]`, { timeout: 7_200_000 }, async () => {
  world = await openDeskWorld()
  const seed = SEED
  const random = randomOf(seed)
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  for (const user of AGENTS) world.directory.setUser(user, { capacity: CAPACITY })
  world.directory.setQueue('q1', AGENTS.slice(0, 12))
  world.directory.setQueue('q2', AGENTS.slice(8), { name: 'Trocas' })
  let nodes: DeskNode[] = [await world.node({ dies: true }), await world.node({ dies: true })]
  /** Operations of a killed node may never end. */
  const deaths = new Map<DeskNode, PromiseWithResolvers<void>>()
  const deathOf = (node: DeskNode) => {
    const death = deaths.get(node) ?? Promise.withResolvers<void>()
    deaths.set(node, death)
    return death
  }
  const chats: string[] = []
  /** Words that were answered as written, and those whose node was killed. */
  const written = new Map<string, Set<string>>()
  const unsure = new Set<string>()
  const see = () => {
    for (const { desk } of nodes) for (const user of AGENTS) desk.presence.seen(user, false)
  }
  for (const user of AGENTS) await nodes[0]?.desk.places.setState(user, { state: 'available' }, 'self')

  const say = async ({ on, desk }: DeskNode, chat: string, word: string, user: string | undefined) => {
    unsure.add(word)
    const by = { user: user ?? '', isBoss: false }
    const words = { id: word, text: word, files: [], seen: '9' }
    const { ok } =
      user === undefined
        ? await on.accept(chat, { id: word, type: 'text', text: word })
        : await desk.work.say(chat, by, words)
    unsure.delete(word)
    if (ok) written.set(chat, (written.get(chat) ?? new Set()).add(word))
  }
  const act = async (node: DeskNode): Promise<void> => {
    const { desk } = node
    const chat = pick(chats)
    const holder = chat === undefined ? undefined : (desk.index.get(chat)?.holder ?? undefined)
    const by = { user: holder ?? '', isBoss: false }
    const what = random()
    if (chats.length < CHATS && (chat === undefined || what < 0.35)) {
      const id = await begin(node.on, `person${chats.length}-${random()}`)
      chats.push(id)
      await node.on.accept(id, { id: crypto.randomUUID(), type: 'text', text: 'oi' })
    } else if (chat === undefined) return
    else if (what < 0.55) await say(node, chat, crypto.randomUUID(), undefined)
    else if (what < 0.75) await say(node, chat, crypto.randomUUID(), holder ?? pick(AGENTS) ?? '')
    else if (what < 0.8) await desk.work.take(chat, pick(AGENTS) ?? '')
    else if (what < 0.85) await desk.work.transfer(chat, { queue: pick(['q1', 'q2']) ?? '' }, undefined, by)
    else if (what < 0.9) await desk.work.transfer(chat, { user: pick(AGENTS) ?? '' }, undefined, by)
    else if (what < 0.93) await desk.work.snooze(chat, by, undefined)
    else if (what < 0.95) await desk.work.wake(chat, 'agent', by)
    else await desk.work.close(chat, by, {})
  }

  for (let kill = 0; kill < KILLS; kill += 1) {
    see()
    const acts = Array.from({ length: 12 }, () => {
      const node = pick(nodes)
      if (node === undefined) return undefined
      return Promise.race([act(node).catch(() => undefined), deathOf(node).promise, pause(2_000)])
    })
    await pause(random() * 60)
    const dead = pick(nodes)
    if (dead !== undefined) {
      world.world.kill(dead.on)
      deathOf(dead).resolve()
      deaths.delete(dead)
    }
    // Most nodes come back with read models that were nearly current; some read the whole log.
    const [survivor] = nodes.filter(node => node !== dead)
    const like = kill % 50 === 0 ? undefined : survivor
    nodes = [...nodes.filter(node => node !== dead), await world.node({ dies: true, like })]
    see()
    await Promise.all(acts)
    // Nothing that it still does reaches the log.
    void dead?.on.close().catch(() => undefined)
    world.world.now += 1_000 + Math.floor(random() * 20_000)
  }

  // Leases of dead nodes expire, then each agent may get one chat in five seconds.
  for (let step = 0; step < 40; step += 1) {
    world.world.now += step < 8 ? 16_000 : 6_000
    see()
    for (const { desk } of nodes) await desk.sweep()
    await pause(150)
  }
  const [one, other] = nodes
  if (one === undefined || other === undefined) throw new Error('no nodes')
  expect(await one.desk.sweep(), `seed ${seed}`).toBe(0)

  const events = await allOf(world.world.store.readAll({}))
  expect(faultsOf(events), `seed ${seed}`).toEqual([])
  const count = (type: string) => events.filter(event => event.type === type).length
  console.info(
    `seed ${seed}:`,
    ...['AgentQueued', 'AgentAssigned', 'AgentReleased', 'AgentLeft', 'SlotTaken'].map(
      type => `${type} ${count(type)}`,
    ),
  )
  expect(chats.length).toBeGreaterThanOrEqual(CHATS)
  expect(count('AgentAssigned')).toBeGreaterThan(CHATS / 2)
  expect(written.size).toBeGreaterThan(CHATS / 4)
  for (const [chat, words] of written) {
    const page = await one.on.read(chat, '', 1_000)
    const texts = (page?.messages ?? []).map(({ text }) => String(text))
    for (const word of words)
      expect(
        texts.filter(text => text === word),
        `seed ${seed} ${chat}`,
      ).toHaveLength(1)
    for (const word of unsure) expect(texts.filter(text => text === word).length).toBeLessThanOrEqual(1)
  }
  const rows = one.desk.index.list(
    { bots: ['bot'], statuses: ['waiting', 'held', 'snoozed'] },
    'waiting',
    1,
    1_000,
  ).items
  const held = rows.filter(({ status }) => status === 'held')
  expect(
    one.desk.index
      .slots()
      .map(({ slot }) => slot)
      .toSorted(),
    `seed ${seed}`,
  ).toEqual(held.map(({ slot }) => String(slot)).toSorted())
  const members = { q1: AGENTS.slice(0, 12), q2: AGENTS.slice(8) }
  for (const { queue } of rows.filter(({ status }) => status === 'waiting')) {
    const free = members[queue as 'q1' | 'q2'].filter(user => one.desk.index.load(user) < CAPACITY)
    expect(free, `seed ${seed}`).toEqual([])
  }
  const order = ({ desk }: DeskNode) =>
    desk.index.list({ bots: ['bot'], statuses: ['waiting'] }, 'waiting', 1, 1_000).items.map(row => row.conversation)
  expect(order(one), `seed ${seed}`).toEqual(order(other))
})
