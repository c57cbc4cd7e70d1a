import { afterEach, describe, expect, test, vi } from 'vitest'
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { HeldAppends, STORES, silentStore, stopServer } from './stores.ts'
import { talkOf } from './world.ts'

let world: DeskWorld
afterEach(async () => {
  await world?.close()
  await stopServer()
})

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 25 })

const two = async (): Promise<readonly [DeskNode, DeskNode]> => {
  world = await openDeskWorld(STORES['a server of events'])
  world.directory.setQueue('q1', ['camila', 'diego'], { mode: 'manual' })
  world.directory.setUser('camila')
  world.directory.setUser('diego')
  return [await world.node(), await world.node()]
}
const isWaiting = (node: DeskNode, chat: string) =>
  until(() => expect(node.desk.index.get(chat)?.status).toBe('waiting'))

describe('the desk on two nodes of a server of events', () => {
  test('lets one of two agents take a chat at once, and names them to the other [P-2334]', async () => {
    const [one, other] = await two()
    for (const name of ['ana', 'bia', 'caio']) {
      const chat = await world.waits(one, name)
      await Promise.all([isWaiting(one, chat), isWaiting(other, chat)])
      const results = await Promise.all([one.desk.work.take(chat, 'camila'), other.desk.work.take(chat, 'diego')])
      const users = ['camila', 'diego'] as const
      const winner = users[results.findIndex(({ ok }) => ok)]
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      expect(results.find(({ ok }) => !ok)).toMatchObject({
        refusal: { code: 'desk.taken', params: { agent: winner } },
      })
      for (const { desk } of [one, other]) await until(() => expect(desk.index.get(chat)?.holder).toBe(winner))
      const joined = (await talkOf(one.on, chat)).filter(line => line.includes('entrou'))
      expect(joined.length).toBeLessThanOrEqual(1)
    }
    await until(() => expect(one.desk.index.load('camila') + one.desk.index.load('diego')).toBe(3))
  })

  test('writes at either node, and each word once [P-2335]', async () => {
    const [one, other] = await two()
    const chat = await world.waits(one, 'ana')
    await isWaiting(other, chat)
    expect(await other.desk.work.take(chat, 'camila')).toMatchObject({ ok: true })
    const camila = { user: 'camila', isBoss: false }
    const words = { id: crypto.randomUUID(), text: 'Oi', files: [], seen: '9' }
    const results = await Promise.all([
      one.desk.work.say(chat, camila, words),
      other.desk.work.say(chat, camila, words),
    ])
    expect(results.map(({ ok }) => ok)).toEqual([true, true])
    await until(async () => expect((await talkOf(one.on, chat)).filter(line => line === 'agent: Oi')).toHaveLength(1))
    await until(async () => expect((await talkOf(other.on, chat)).filter(line => line === 'agent: Oi')).toHaveLength(1))
  })

  test('never exceeds the capacity of an agent when two nodes assign at once [P-2336]', async () => {
    const [one, other] = await two()
    world.directory.setQueue('q1', ['camila'])
    world.directory.setQueue('q2', ['camila'])
    world.directory.setUser('camila', { capacity: 1 })
    const chats = [await world.waits(one, 'ana'), await world.waits(other, 'bia')] as const
    for (const chat of chats) await Promise.all([isWaiting(one, chat), isWaiting(other, chat)])
    await world.come('camila', one, other)
    await until(() => expect(chats.filter(chat => one.desk.index.get(chat)?.holder === 'camila')).toHaveLength(1))
    world.world.now += 16_000
    await Promise.all([one.desk.sweep(), other.desk.sweep()])
    expect((await one.desk.places.read('camila')).slots).toHaveLength(1)
    expect(chats.filter(chat => one.desk.index.get(chat)?.holder === 'camila')).toHaveLength(1)
  })

  test('frees a place that a node reserved before it died [P-2337]', async () => {
    const [one] = await two()
    const chat = await world.waits(one, 'ana')
    await isWaiting(one, chat)
    const slot = { slot: 'lost', conversation: chat, n: one.desk.index.get(chat)?.n ?? 0, auto: false, capacity: 4 }
    expect(await one.desk.places.take('camila', slot)).toBeUndefined()
    await until(() => expect(one.desk.index.load('camila')).toBe(1))
    expect(await one.desk.sweep()).toBe(0)
    world.world.now += 11_000
    expect(await one.desk.sweep()).toBe(1)
    await until(() => expect(one.desk.index.load('camila')).toBe(0))
    expect(await one.desk.sweep()).toBe(0)
  })

  test('changes what the log has, not what a node has read of it [P-2032]', async () => {
    world = await openDeskWorld()
    world.directory.setQueue('q1', ['camila'], { mode: 'manual' })
    world.directory.setUser('camila')
    const one = await world.node()
    const late = await world.node({ store: silentStore(world.world.store) })
    const chat = await world.waits(one, 'ana')
    await isWaiting(one, chat)
    const before = (await late.on.load(chat))?.agent?.desk?.priority ?? 0
    const camila = { user: 'camila', isBoss: false }
    expect(await one.desk.work.prioritize(chat, before + 1, camila)).toMatchObject({ ok: true })
    expect(await late.desk.work.prioritize(chat, before, camila)).toMatchObject({ ok: true })
    await until(async () => expect((await one.on.load(chat))?.agent?.desk?.priority).toBe(before))
  })

  test('keeps a chat with an agent who answered at another node in the moment that they missed it [P-2031]', async () => {
    world = await openDeskWorld()
    world.directory.setQueue('q1', ['camila'], { mode: 'manual', answer_within: 20, absent_after: 1440 })
    world.directory.setUser('camila')
    const appends = new HeldAppends('AgentReleased')
    const one = await world.node({ store: appends.of(world.world.store) })
    const chat = await world.waits(one, 'ana')
    await isWaiting(one, chat)
    expect(await one.desk.work.take(chat, 'camila')).toMatchObject({ ok: true })
    await until(() => expect(one.desk.index.get(chat)?.holder).toBe('camila'))
    const other = await world.node()
    appends.hold()
    world.world.now += 21_000
    await appends.reached
    const words = { id: crypto.randomUUID(), text: 'Já vejo', files: [], seen: '9' }
    expect(await other.desk.work.say(chat, { user: 'camila', isBoss: false }, words)).toMatchObject({ ok: true })
    appends.release()
    await until(async () => expect(await talkOf(one.on, chat)).toContain('agent: Já vejo'))
    await new Promise(resolve => setTimeout(resolve, 700))
    expect((await one.on.load(chat))?.agent?.desk?.holder?.user).toBe('camila')
  })
})
