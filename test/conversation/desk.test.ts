import { afterEach, describe, expect, test } from 'vitest'
import { deskChatOf } from '#gateway/desk/desk-row.ts'
import type { RowOf } from '#projections/port.ts'
import { SYSTEM_SCOPE } from '#projections/scope.ts'
import { ownClock } from '#test/fixture/processor-clock.ts'
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { pageOf, until } from './handed.ts'
import { begin, say, talkOf } from './world.ts'

let world: DeskWorld
afterEach(() => world?.close())

const SEEN = '999999999.999'
const camila = { user: 'camila', isBoss: false }
const boss = { user: 'chefe', isBoss: true }

const opened = async (): Promise<DeskNode> => {
  world = await openDeskWorld()
  world.directory.setQueue('q1', ['camila', 'diego'])
  return world.node()
}
const holderOf = ({ desk }: DeskNode, conversation: string) => desk.index.get(conversation)?.holder ?? undefined
const isHeldBy = (node: DeskNode, conversation: string, user: string | undefined) =>
  until(() => expect(holderOf(node, conversation)).toBe(user))
const isWaiting = (node: DeskNode, conversation: string) =>
  until(() => expect(node.desk.index.get(conversation)?.status).toBe('waiting'))
/** A chat of the first queue, as the list shows it to a supervisor. */
const shownBy = async ({ desk }: DeskNode, conversation: string) => {
  const row = desk.index.get(conversation)
  if (row === undefined) throw new Error('not listed')
  const viewer = { user: 'chefe', level: 'root', scope: SYSTEM_SCOPE, can: () => true }
  const bot = { id: 'bot', name: 'Loja', hierarchylevel: 'root' } as RowOf<'bot'>
  return deskChatOf({ desk, viewer, row, bot, queue: await desk.directory.queue('q1'), now: world.world.now })
}

describe('routing at the desk', () => {
  test('gives chats to members who are available, one in five seconds each, up to their capacity [P-2301]', async () => {
    const node = await opened()
    world.directory.setUser('camila', { capacity: 2 })
    const chats: string[] = []
    for (const name of ['ana', 'bia', 'caio']) {
      const chat = await world.waits(node, name)
      await isWaiting(node, chat)
      chats.push(chat)
      world.world.now += 1_000
    }
    const [first = '', second = '', third = ''] = chats
    await world.come('camila', node)
    await isHeldBy(node, first, 'camila')
    expect(holderOf(node, second)).toBeUndefined()
    world.world.now += 6_000
    await isHeldBy(node, second, 'camila')
    world.world.now += 6_000
    expect(await node.desk.sweep()).toBe(0)
    expect(holderOf(node, third)).toBeUndefined()
    expect((await pageOf(node.on, first)).agent).toMatchObject({ name: 'camila', isWaiting: false })
    // A place that gets free is given to the next at once.
    expect(await node.desk.work.close(first, camila, {})).toMatchObject({ ok: true })
    const freed = ownClock()
    await isHeldBy(node, third, 'camila')
    expect(ownClock() - freed).toBeLessThan(2_000)
    await until(() => expect(node.desk.index.load('camila')).toBe(2))
    expect(await node.desk.sweep()).toBe(0)
  })

  test('keeps the first wait of a chat that comes back, before newer ones [P-2302]', async () => {
    const node = await opened()
    world.directory.setQueue('q1', ['camila'], { answer_within: 60 })
    world.directory.setUser('camila', { capacity: 1 })
    const first = await world.waits(node, 'ana')
    await isWaiting(node, first)
    await world.come('camila', node)
    await isHeldBy(node, first, 'camila')
    world.world.now += 30_000
    const second = await world.waits(node, 'bia')
    await isWaiting(node, second)
    const since = node.desk.index.get(first)?.since
    world.world.now += 31_000
    await until(() => expect(node.desk.index.get(first)).toMatchObject({ since, returned: 'missed' }))
    await until(() => expect(world.notices).toContainEqual(expect.objectContaining({ message: 'desk.returned' })))
    expect(
      node.desk.index.list({ bots: ['bot'], statuses: ['waiting'] }, 'waiting', 1, 10).items[0]?.conversation,
    ).toBe(first)
  })

  test('notifies of a full queue also when chats came back to it, and once until it is shorter [P-2992]', async () => {
    const node = await opened()
    world.directory.setQueue('q1', ['camila'], { mode: 'manual', alert_at: 2 })
    world.directory.setUser('camila')
    const { work } = node.desk
    const told = () => world.notices.filter(({ message }) => message === 'desk.full').length
    const first = await world.waits(node, 'ana')
    await isWaiting(node, first)
    await work.take(first, 'camila')
    await isHeldBy(node, first, 'camila')
    await isWaiting(node, await world.waits(node, 'bia'))
    expect(told()).toBe(0)
    for (const times of [1, 2]) {
      await work.assign(first, null, boss)
      await isWaiting(node, first)
      await node.desk.sweep()
      await node.desk.sweep()
      expect(told()).toBe(times)
      await work.take(first, 'camila')
      await isHeldBy(node, first, 'camila')
      await node.desk.sweep()
    }
  })

  test('pauses an agent after two misses in a row [P-2303]', async () => {
    const node = await opened()
    world.directory.setQueue('q1', ['camila'], { answer_within: 10 })
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    await world.come('camila', node)
    await isHeldBy(node, chat, 'camila')
    world.world.now += 11_000
    await until(async () => expect((await node.desk.places.read('camila')).misses).toBe(1))
    await isHeldBy(node, chat, 'camila')
    world.world.now += 11_000
    await until(() => expect(node.desk.index.place('camila')).toMatchObject({ state: 'paused', reason: 'missed' }))
    await isWaiting(node, chat)
  })

  test('returns a transferred chat after the time to open it, and notifies the sender [P-2051] [P-2052]', async () => {
    const node = await opened()
    const { desk } = node
    world.directory.setQueue('q1', ['camila', 'diego'], { mode: 'manual', accept_within: 30 })
    world.directory.setUser('diego')
    await world.come('camila', node)
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    const since = desk.index.get(chat)?.since
    const told = () => world.notices.filter(({ message }) => message === 'desk.returned').flatMap(({ users }) => users)
    for (const times of [1, 2]) {
      expect(await desk.work.take(chat, 'camila')).toMatchObject({ ok: true })
      await isHeldBy(node, chat, 'camila')
      expect((await shownBy(node, chat)).accept).toBeNull()
      expect(await desk.work.transfer(chat, { user: 'diego' }, undefined, camila)).toMatchObject({ ok: true })
      await isHeldBy(node, chat, 'diego')
      expect((await shownBy(node, chat)).accept).toBe(new Date(world.world.now + 30_000).toISOString())
      world.world.now += 31_000
      await until(() => expect(desk.index.get(chat)).toMatchObject({ since, status: 'waiting', returned: 'missed' }))
      await until(() => expect(told().filter(user => user === 'camila')).toHaveLength(times))
    }
    // Only available agents are paused for misses.
    await until(async () => expect((await desk.places.read('diego')).misses).toBe(2))
    expect(await desk.places.read('diego')).toMatchObject({ state: 'offline', slots: [] })
    await desk.work.take(chat, 'camila')
    await isHeldBy(node, chat, 'camila')
    await desk.work.transfer(chat, { user: 'diego' }, undefined, camila)
    await isHeldBy(node, chat, 'diego')
    await desk.work.opened(chat, 'diego')
    expect((await shownBy(node, chat)).accept).toBeNull()
    world.world.now += 31_000
    await new Promise(resolve => setTimeout(resolve, 700))
    expect(holderOf(node, chat)).toBe('diego')
  })

  test('gives a declined chat back to who passed it on, where they are at the desk [P-2062]', async () => {
    const node = await opened()
    const { work, index } = node.desk
    world.directory.setQueue('q1', ['camila', 'diego'], { mode: 'manual', accept_within: 30 })
    world.directory.setUser('diego')
    await world.come('camila', node)
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    const since = index.get(chat)?.since
    await work.take(chat, 'camila')
    await isHeldBy(node, chat, 'camila')
    // It was taken, not transferred.
    expect(await work.decline(chat, 'camila', undefined)).toMatchObject({ refusal: { code: 'desk.decline' } })
    await work.transfer(chat, { user: 'diego' }, undefined, camila)
    await isHeldBy(node, chat, 'diego')
    expect(await work.decline(chat, 'camila', undefined)).toMatchObject({ refusal: { code: 'desk.notyours' } })
    expect(await work.decline(chat, 'diego', 'Estou saindo')).toMatchObject({ ok: true })
    await isHeldBy(node, chat, 'camila')
    expect(index.get(chat)).toMatchObject({ since, status: 'held' })
    expect(world.notices).toContainEqual(expect.objectContaining({ message: 'desk.declined', users: ['camila'] }))
    await until(async () => expect((await node.desk.places.read('diego')).slots).toEqual([]))
    // It is theirs again, as before: no time to open it, and nothing to decline.
    expect((await shownBy(node, chat)).accept).toBeNull()
    expect(await work.decline(chat, 'camila', undefined)).toMatchObject({ refusal: { code: 'desk.decline' } })
  })

  test('puts a declined chat into its queue while the sender is away, and does not give it to who declined [P-2064]', async () => {
    const node = await opened()
    const { work, index, places } = node.desk
    world.directory.setQueue('q1', ['camila', 'diego'], { mode: 'manual' })
    await world.come('camila', node)
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    const since = index.get(chat)?.since
    await work.take(chat, 'camila')
    await isHeldBy(node, chat, 'camila')
    await world.come('diego', node)
    await work.transfer(chat, { user: 'diego' }, undefined, camila)
    await isHeldBy(node, chat, 'diego')
    await places.setState('camila', { state: 'paused' }, 'self')
    await until(() => expect(index.place('camila')?.state).toBe('paused'))
    world.directory.setQueue('q1', ['camila', 'diego'])
    expect(await work.decline(chat, 'diego', undefined)).toMatchObject({ ok: true })
    await until(() => expect(index.get(chat)).toMatchObject({ since, status: 'waiting', returned: 'declined' }))
    const notice = { message: 'desk.declined', users: ['camila'] }
    expect(world.notices).toContainEqual(expect.objectContaining(notice))
    world.world.now += 30_000
    await node.desk.sweep()
    expect(holderOf(node, chat)).toBeUndefined()
    await places.setState('camila', { state: 'available' }, 'self')
    await isHeldBy(node, chat, 'camila')
    // Once they answered, the chat is theirs.
    world.directory.setUser('diego')
    await work.transfer(chat, { user: 'diego' }, undefined, camila)
    await isHeldBy(node, chat, 'diego')
    const words = { id: crypto.randomUUID(), text: 'Já vejo', files: [], seen: SEEN }
    expect(await work.say(chat, { user: 'diego', isBoss: false }, words)).toMatchObject({ ok: true })
    expect(await work.decline(chat, 'diego', undefined)).toMatchObject({ refusal: { code: 'desk.decline' } })
  })

  test('gives nothing new to an agent who only finishes, and leaves them what they have [P-2924]', async () => {
    const node = await opened()
    world.directory.setQueue('q1', ['camila', 'diego'])
    const first = await world.waits(node, 'ana')
    await isWaiting(node, first)
    await world.come('camila', node)
    await isHeldBy(node, first, 'camila')
    await node.desk.places.setState('camila', { state: 'finishing' }, 'self')
    await until(() => expect(node.desk.index.place('camila')?.state).toBe('finishing'))
    world.world.now += 30_000
    const second = await world.waits(node, 'bia')
    await isWaiting(node, second)
    expect(holderOf(node, first)).toBe('camila')
    const words = { id: crypto.randomUUID(), text: 'Já vejo', files: [], seen: SEEN }
    expect(await node.desk.work.say(first, camila, words)).toMatchObject({ ok: true })
    // The first to become available gets it.
    await world.come('diego', node)
    await isHeldBy(node, second, 'diego')
    expect(holderOf(node, first)).toBe('camila')
  })

  test('frees the chats of an agent who loses the right to answer [P-2304]', async () => {
    const node = await opened()
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    await world.come('camila', node)
    await isHeldBy(node, chat, 'camila')
    world.directory.setUser('camila', { mayAnswer: false })
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'waiting', returned: 'returned' }))
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
  })

  test('frees the chats of an agent who is locked or removed as those of an absent one [P-2054]', async () => {
    const node = await opened()
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    await world.come('camila', node)
    await isHeldBy(node, chat, 'camila')
    expect(await node.desk.work.snooze(chat, camila, undefined)).toMatchObject({ ok: true })
    world.directory.signedOut.add('camila')
    world.directory.setUser('camila', { mayAnswer: false })
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'waiting', returned: 'absent' }))
  })

  test('returns a chat of an absent agent who owes an answer, and keeps one that the person owes [P-2305]', async () => {
    const node = await opened()
    world.directory.setQueue('q1', ['camila'])
    const chats = [await world.waits(node, 'ana'), await world.waits(node, 'bia')] as const
    for (const chat of chats) await isWaiting(node, chat)
    await node.desk.places.setState('camila', { state: 'available' }, 'self')
    world.directory.setUser('camila')
    for (const chat of chats) expect(await node.desk.work.take(chat, 'camila')).toMatchObject({ ok: true })
    const words = { id: crypto.randomUUID(), text: 'Já vejo', files: [], seen: SEEN }
    expect(await node.desk.work.say(chats[1], camila, words)).toMatchObject({ ok: true })
    world.world.now += 301_000
    await until(() => expect(node.desk.index.get(chats[0])).toMatchObject({ returned: 'absent' }))
    expect(holderOf(node, chats[1])).toBe('camila')
    await say(node.on, chats[1], 'e agora?')
    await until(() => expect(node.desk.index.get(chats[1])).toMatchObject({ returned: 'absent' }))
  })

  test('marks the chat of an agent who is away while the person owes the next word [P-2917]', async () => {
    const node = await opened()
    const { desk } = node
    world.directory.setQueue('q1', ['camila'])
    world.directory.setUser('camila')
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    expect(await desk.work.take(chat, 'camila')).toMatchObject({ ok: true })
    const words = { id: crypto.randomUUID(), text: 'Já vejo', files: [], seen: SEEN }
    expect(await desk.work.say(chat, camila, words)).toMatchObject({ ok: true })
    expect(await shownBy(node, chat)).toMatchObject({ status: 'held', away: false })
    world.world.now += 301_000
    expect(await shownBy(node, chat)).toMatchObject({ status: 'held', away: true })
    await world.come('camila', node)
    expect(await shownBy(node, chat)).toMatchObject({ status: 'held', away: false })
  })
})

describe('working a chat at the desk', () => {
  const taken = async () => {
    const node = await opened()
    world.directory.setQueue('q1', ['camila', 'diego'], { mode: 'manual' })
    world.directory.setQueue('q2', ['diego'], { mode: 'manual', name: 'Trocas' })
    world.directory.setUser('camila')
    world.directory.setUser('diego')
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    expect(await node.desk.work.take(chat, 'camila')).toMatchObject({ ok: true })
    return { node, chat, work: node.desk.work }
  }
  const code = (result: { readonly ok: boolean; readonly refusal?: { readonly code: string } }) =>
    result.ok ? 'ok' : result.refusal?.code
  const words = (text: string, more: object = {}) => ({
    ...{ id: crypto.randomUUID(), text, files: [], seen: SEEN },
    ...more,
  })

  test('lets an agent write for seven days where Meta approved it, and for 24 hours elsewhere [P-2918]', async () => {
    const node = await opened()
    world.world.channelType = 'facebook'
    world.directory.setQueue('q1', ['camila'], { mode: 'manual', absent_after: 1440, max_wait: 0 })
    world.directory.setUser('camila')
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    await world.come('camila', node)
    const { work } = node.desk
    expect(await work.take(chat, 'camila')).toMatchObject({ ok: true })
    expect(code(await work.say(chat, camila, words('Já vejo')))).toBe('ok')
    world.world.now += 25 * 3_600_000
    expect(code(await work.say(chat, camila, words('Oi')))).toBe('desk.window')
    const later = world.world.now + 3_600_000
    expect(code(await work.snooze(chat, camila, later))).toBe('desk.window')
    world.world.hasHumanAgent = true
    expect(code(await work.say(chat, camila, words('Oi')))).toBe('ok')
    expect(code(await work.snooze(chat, camila, later))).toBe('ok')
    world.world.now += 6 * 24 * 3_600_000
    expect(code(await work.say(chat, camila, words('Ainda aí?')))).toBe('desk.window')
  })

  test('lets the holder alone write, each message once [P-2306]', async () => {
    const { node, chat, work } = await taken()
    expect(await work.take(chat, 'diego')).toMatchObject({
      refusal: { code: 'desk.taken', params: { agent: 'camila' } },
    })
    expect(code(await work.say(chat, { user: 'diego', isBoss: true }, words('Oi')))).toBe('desk.notyours')
    const once = words('Oi, Ana')
    expect(code(await work.say(chat, camila, once))).toBe('ok')
    expect(code(await work.say(chat, camila, once))).toBe('ok')
    expect((await talkOf(node.on, chat)).filter(line => line === 'agent: Oi, Ana')).toHaveLength(1)
    expect(await work.say(chat, camila, words('Oi {person.name}'))).toMatchObject({
      refusal: { code: 'desk.canned', params: { missing: ['person.name'] } },
    })
  })

  test('transfers to another queue with a note, and takes the right to write in the same append [P-2307]', async () => {
    const { node, chat, work } = await taken()
    const since = node.desk.index.get(chat)?.since
    expect(code(await work.transfer(chat, { queue: 'q2' }, 'cliente antigo', camila))).toBe('ok')
    expect(code(await work.say(chat, camila, words('ainda eu')))).toBe('desk.notyours')
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ queue: 'q2', status: 'waiting', since }))
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
    expect((await node.desk.load(chat))?.desk.notes).toMatchObject([{ user: 'camila', text: 'cliente antigo' }])
    expect((await talkOf(node.on, chat)).join(' ')).not.toContain('cliente antigo')
    expect(code(await work.take(chat, 'diego'))).toBe('ok')
  })

  test('refuses a message when another agent wrote after what the client showed [P-2308]', async () => {
    const { chat, work } = await taken()
    await work.say(chat, camila, words('Oi'))
    expect(code(await work.transfer(chat, { user: 'diego' }, undefined, camila))).toBe('ok')
    const diego = { user: 'diego', isBoss: false }
    expect(code(await work.say(chat, diego, words('Olá', { seen: '' })))).toBe('desk.changed')
    expect(code(await work.say(chat, diego, words('Olá')))).toBe('ok')
  })

  test('leaves a snoozed chat out of the load until the person writes [P-2309]', async () => {
    const { node, chat, work } = await taken()
    await work.say(chat, camila, words('Me avise'))
    expect(code(await work.snooze(chat, camila, world.world.now + 3_600_000))).toBe('ok')
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
    expect(node.desk.index.get(chat)).toMatchObject({ status: 'snoozed', holder: 'camila' })
    await say(node.on, chat, 'voltei')
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'held' }))
    await until(() => expect(node.desk.index.load('camila')).toBe(1))
  })

  test('wakes a snoozed chat at its moment [P-2310]', async () => {
    const { node, chat, work } = await taken()
    await work.snooze(chat, camila, world.world.now + 60_000)
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
    world.world.now += 61_000
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'held' }))
    await until(() => expect(node.desk.index.load('camila')).toBe(1))
    expect(await node.desk.sweep()).toBe(0)
  })

  test('takes over a conversation of the bot, and asks its question again afterwards [P-2311]', async () => {
    const node = await opened()
    world.directory.setUser('camila')
    const chat = await begin(node.on, 'ana')
    const result = await node.desk.work.takeOver(chat, camila, undefined)
    expect(code(result)).toBe('ok')
    await isHeldBy(node, chat, 'camila')
    expect(code(await node.desk.work.say(chat, camila, words('Posso ajudar?')))).toBe('ok')
    await say(node.on, chat, 'pode')
    expect(code(await node.desk.work.close(chat, camila, {}))).toBe('ok')
    await until(async () => expect((await pageOf(node.on, chat)).state).toBe('waiting'))
    expect(await talkOf(node.on, chat)).toEqual(['bot: Oi?', 'agent: Posso ajudar?', 'user: pode', 'bot: Oi?'])
  })

  test('notifies an agent when another person takes, transfers or requeues their chat [P-2991]', async () => {
    const { node, chat, work } = await taken()
    const told = () => world.notices.flatMap(({ message, users }) => (users.includes('camila') ? [message] : []))
    expect(code(await work.takeOver(chat, boss, undefined))).toBe('ok')
    await isHeldBy(node, chat, 'chefe')
    expect(told()).toEqual(['desk.takenover'])
    for (const user of ['camila', 'diego', 'camila', null]) {
      expect(code(await work.assign(chat, user, boss))).toBe('ok')
      await isHeldBy(node, chat, user ?? undefined)
    }
    const given = ['desk.assigned', 'desk.takenover', 'desk.assigned', 'desk.returned']
    expect(told()).toEqual(['desk.takenover', ...given])
    // Of what they do themselves they need no notice.
    await work.take(chat, 'camila')
    await isHeldBy(node, chat, 'camila')
    expect(code(await work.transfer(chat, { user: 'diego' }, undefined, camila))).toBe('ok')
    await isHeldBy(node, chat, 'diego')
    expect(told()).toHaveLength(5)
  })

  test('returns a person to a block of the release, and to the flow where there is none [P-2312]', async () => {
    const { node, chat, work } = await taken()
    const target = { kind: 'block', dialog: 'main', block: 'ask' } as const
    expect(code(await work.close(chat, camila, { return: target }))).toBe('ok')
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: Oi?'))
    await say(node.on, chat, 'de novo')
    await isWaiting(node, chat)
    await work.take(chat, 'camila')
    expect(code(await work.close(chat, camila, { return: { ...target, block: 'nowhere' } }))).toBe('ok')
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: de volta: closed'))
  })

  test('goes back to the bot when a waiting person asks for it, which the chat says [P-2313] [P-2990]', async () => {
    const node = await opened()
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    await node.on.accept(chat, { id: 'back', type: 'menu', value: 'bot' })
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'closed', reason: 'person' }))
    expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: de volta: person')
    expect((await node.desk.load(chat))?.desk.facts.at(-1)).toMatchObject({ kind: 'left', reason: 'person' })
  })

  test('closes the chat of a person who is forgotten, whose notes are unreadable then [P-2314]', async () => {
    const { node, chat, work } = await taken()
    await work.note(chat, 'camila', crypto.randomUUID(), 'segredo da Ana')
    await node.on.forget(chat)
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'closed', reason: 'forgotten' }))
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
    expect((await node.desk.load(chat))?.desk.notes).toEqual([])
  })

  test('closes the newer chat of a person who is forgotten, and has open pages read it again [P-2055]', async () => {
    const { node, chat, work } = await taken()
    expect(code(await work.close(chat, camila, {}))).toBe('ok')
    await until(() => expect(node.desk.index.get(chat)?.status).toBe('closed'))
    await node.on.end(chat, 'person')
    const newer = await world.waits(node, 'ana')
    await isWaiting(node, newer)
    expect(code(await work.take(newer, 'camila'))).toBe('ok')
    await isHeldBy(node, newer, 'camila')
    const read = new Map<string, number>()
    node.desk.news.follow(change => void (change.kind === 'chat' && read.set(change.conversation, change.revision)))
    await node.on.forget(chat)
    await until(() => expect(node.desk.index.get(newer)).toMatchObject({ status: 'closed', reason: 'forgotten' }))
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
    // Pages with words of the person have revisions below these.
    await until(() =>
      expect([chat, newer].map(each => read.get(each))).toEqual([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]),
    )
  })
})
