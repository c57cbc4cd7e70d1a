import { afterEach, describe, expect, test } from 'vitest'
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { pageOf, until } from './handed.ts'
import { begin, say, talkOf } from './world.ts'

let world: DeskWorld
afterEach(() => world?.close())

const SEEN = '999999999.999'
const camila = { user: 'camila', isBoss: false }

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
    const freed = performance.now()
    await isHeldBy(node, third, 'camila')
    expect(performance.now() - freed).toBeLessThan(2_000)
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

  test('goes back to the bot when a waiting person asks for it [P-2313]', async () => {
    const node = await opened()
    const chat = await world.waits(node, 'ana')
    await isWaiting(node, chat)
    await node.on.accept(chat, { id: 'back', type: 'menu', value: 'bot' })
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'closed', reason: 'person' }))
    expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: de volta: person')
  })

  test('closes the chat of a person who is forgotten, whose notes are unreadable then [P-2314]', async () => {
    const { node, chat, work } = await taken()
    await work.note(chat, 'camila', crypto.randomUUID(), 'segredo da Ana')
    await node.on.forget(chat)
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'closed', reason: 'forgotten' }))
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
    expect((await node.desk.load(chat))?.desk.notes).toEqual([])
  })
})

describe('an agent who writes first', () => {
  const ANA = '5511988800001'
  const DAY_MS = 86_400_000
  const words = (text: string, more: object = {}) => ({
    ...{ id: crypto.randomUUID(), text, files: [], seen: '' },
    ...more,
  })
  const asking = async (channelType: 'whatsapp_zenvia' | 'webchat' = 'whatsapp_zenvia') => {
    const node = await opened()
    world.world.channelType = channelType
    world.directory.setUser('camila')
    return node
  }
  /** A message of a person, as a provider brings it. Returns its conversation. */
  const wrote = async ({ on }: DeskNode, text: string): Promise<string> => {
    const id = crypto.randomUUID()
    const found = await on.openFor({ channel: 'web', user: { id: ANA } }, id)
    if (!found.ok) throw new Error(found.refusal.code)
    await on.accept(found.value.conversation, { id, type: 'text', text })
    await on.settled(found.value.conversation, 5_000)
    return found.value.conversation
  }
  const ended = async (node: DeskNode): Promise<string> => {
    const conversation = await wrote(node, 'oi')
    await node.on.end(conversation, 'person')
    return conversation
  }
  const write = (node: DeskNode, conversation: string, said = words('Seu pedido chegou')) =>
    node.desk.firstWords.write(conversation, camila, said, undefined)

  test('begins a conversation with the person, and holds it [P-2650]', async () => {
    const node = await asking()
    const before = await ended(node)
    const said = words('Seu pedido chegou')
    const first = await write(node, before, said)
    if (!first.ok) throw new Error(first.refusal.code)
    const { conversation } = first.value
    expect(conversation).not.toBe(before)
    expect(await write(node, before, said)).toMatchObject({ ok: true, value: { conversation } })
    await isHeldBy(node, conversation, 'camila')
    expect(await talkOf(node.on, conversation)).toEqual(['agent: Seu pedido chegou'])
    const held = await node.desk.load(conversation)
    expect(held?.user).toEqual({ id: ANA })
    expect(held?.person).toBe((await node.desk.load(before))?.person)
    expect(node.on.index.get(conversation)).toMatchObject({ origin: 'agent', channel: 'web', status: 'agent' })
    expect(node.on.index.get(before)).toMatchObject({ origin: 'person', status: 'ended' })
    await until(() => expect(node.desk.index.load('camila')).toBe(1))
    expect(await node.desk.sweep()).toBe(0)

    // An answer of the person reaches the agent, and the bot after the chat was closed.
    expect(await wrote(node, 'obrigada')).toBe(conversation)
    expect(await node.desk.work.close(conversation, camila, {})).toMatchObject({ ok: true })
    await until(async () => expect((await pageOf(node.on, conversation)).state).toBe('idle'))
    expect(await wrote(node, 'e agora?')).toBe(conversation)
    expect((await talkOf(node.on, conversation)).filter(line => !line.includes('camila'))).toEqual([
      ...['agent: Seu pedido chegou', 'user: obrigada', 'user: e agora?', 'bot: Oi?'],
    ])
    await until(() => expect(node.desk.index.load('camila')).toBe(0))
  })

  test('keeps to the window of the channel, counted from the last word of the person [P-2651]', async () => {
    const node = await asking()
    const before = await ended(node)
    const last = world.world.now
    world.world.now = last + DAY_MS - 60_000
    const first = await write(node, before)
    if (!first.ok) throw new Error(first.refusal.code)
    const { conversation } = first.value
    expect(await node.desk.work.say(conversation, camila, words('Mais uma coisa'))).toMatchObject({ ok: true })
    world.world.now = last + DAY_MS + 1
    const until_ = new Date(last + DAY_MS).toISOString()
    const over = { ok: false, refusal: { code: 'desk.window', params: { until: until_ } } }
    expect(await node.desk.work.say(conversation, camila, words('Tarde demais'))).toMatchObject(over)
    expect(await node.on.end(conversation, 'person')).toMatchObject({ ok: true })
    // The words of the agent open no window.
    expect(await write(node, before)).toMatchObject(over)
    expect(await write(node, conversation)).toMatchObject(over)
    const template = { id: 'saiu', values: { 1: 'Pedido 9' } }
    const sent = await write(node, conversation, words('Oi! Pedido 9 saiu.', { template }))
    if (!sent.ok) throw new Error(sent.refusal.code)
    const message = (await pageOf(node.on, sent.value.conversation)).messages[0]
    expect(message).toMatchObject({ from: 'agent', text: 'Oi! Pedido 9 saiu.', template })
  })

  test('is refused while the person is in a conversation, and where nobody could read the words [P-2652]', async () => {
    const node = await asking()
    const before = await ended(node)
    const again = await wrote(node, 'oi de novo')
    const open = { ok: false, refusal: { code: 'conversation.open', params: { conversation: again } } }
    expect(await write(node, before)).toMatchObject(open)
    expect(await write(node, again)).toMatchObject(open)
    await node.on.end(again, 'person')
    expect(await write(node, before, words('  '))).toMatchObject({ refusal: { code: 'validation.failed' } })
    expect(await write(node, before, words('Oi {person.name}'))).toMatchObject({ refusal: { code: 'desk.canned' } })
    world.world.operate({ runningstatus: 'stopped' })
    expect(await write(node, before)).toMatchObject({ refusal: { code: 'bot.stopped' } })
    world.world.operate({ runningstatus: 'running' })
    await node.on.forget(again)
    expect(await write(node, before)).toMatchObject({ refusal: { code: 'conversation.unreachable' } })
    world.world.channelType = 'webchat'
    const page = await begin(node.on, 'bia')
    await node.on.end(page, 'person')
    expect(await write(node, page)).toMatchObject({ refusal: { code: 'conversation.unreachable' } })
    expect(await write(node, crypto.randomUUID())).toMatchObject({ refusal: { code: 'entity.notfound' } })
    expect((await node.desk.places.read('camila')).slots).toEqual([])
  })

  test('shares one conversation with a person who writes at that moment, on another node [P-2653]', async () => {
    const node = await asking()
    const other = await world.node()
    for (let round = 0; round < 5; round += 1) {
      const before = await ended(other)
      const [first, live] = await Promise.all([write(node, before), wrote(other, `oi ${round}`)])
      if (first.ok) expect(first.value.conversation).toBe(live)
      else expect(first.refusal).toMatchObject({ code: 'conversation.open', params: { conversation: live } })
      await until(async () => expect((await node.desk.load(live))?.inbox).toEqual([]))
      const talk = await talkOf(node.on, live)
      expect(talk.filter(line => line === `user: oi ${round}`)).toHaveLength(1)
      expect(talk.filter(line => line === 'agent: Seu pedido chegou')).toHaveLength(first.ok ? 1 : 0)
      await node.on.end(live, 'person')
      await until(async () => expect((await node.desk.places.read('camila')).slots).toEqual([]))
    }
  })

  test('is no figure of the bot [P-2654]', async () => {
    const node = await asking()
    const before = await ended(node)
    const filter = { bot: 'bot', dialog: 'main', releases: [1], from: '2026-05-01', to: '2026-05-31' }
    const counted = () => node.on.index.visits.counts(filter)
    await until(() => expect(counted()).toContainEqual({ block: 'ask', what: 'lost', n: 1 }))
    const of = counted()
    const first = await write(node, before)
    if (!first.ok) throw new Error(first.refusal.code)
    const { conversation } = first.value
    await node.desk.work.close(conversation, camila, {})
    await until(async () => expect((await pageOf(node.on, conversation)).state).toBe('idle'))
    await wrote(node, 'e agora?')
    expect((await talkOf(node.on, conversation)).at(-1)).toBe('bot: Oi?')
    await node.on.end(conversation, 'person')
    await until(() => expect(node.on.index.get(conversation)?.status).toBe('ended'))
    expect(counted()).toEqual(of)
    expect(node.on.index.visits.waiting(filter)).toEqual([])
    const rebuilt = await world.node()
    await until(() => expect(rebuilt.on.index.get(conversation)?.status).toBe('ended'))
    expect(rebuilt.on.index.visits.counts(filter)).toEqual(of)
  })

  test('greets by a takeover only within the window of the channel [P-2655]', async () => {
    const node = await asking()
    const texts = [{ id: 't1', moment: 'joined' as const, text: '{agent} entrou' }]
    world.directory.setQueue('q1', ['camila'], { texts })
    const greeted = async (conversation: string) => {
      expect(await node.desk.work.takeOver(conversation, camila, undefined)).toMatchObject({ ok: true })
      await isHeldBy(node, conversation, 'camila')
      return (await talkOf(node.on, conversation)).filter(line => line === 'bot: camila entrou')
    }
    expect(await greeted(await wrote(node, 'oi'))).toHaveLength(1)
    // The person has not written in it.
    expect(await greeted(await begin(node.on, '5511988800002'))).toEqual([])
  })
})
