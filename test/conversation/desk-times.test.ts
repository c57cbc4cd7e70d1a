import { afterEach, describe, expect, test } from 'vitest'
import { settingsWith } from '#domain/conversation/fixture/talk.ts'
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { pageOf, until } from './handed.ts'
import { say, talkOf } from './world.ts'

const MINUTE = 60_000
const TEXTS = new Map(Object.entries(pt))
const WAITING = 'bot: Você é o 1º da fila. Alguém responde em alguns minutos.\n1. Voltar ao robô'

let world: DeskWorld
afterEach(() => world?.close())

const opened = async (fields: object = {}): Promise<DeskNode> => {
  world = await openDeskWorld(undefined, { messages: TEXTS })
  world.world.channelType = 'blip'
  world.directory.setQueue('q1', ['camila'], { mode: 'manual', absent_after: 1440, ...fields })
  world.directory.setUser('camila')
  return world.node()
}
const waits = async (node: DeskNode, user = 'ana') => {
  const chat = await world.waits(node, user)
  await until(() => expect(node.desk.index.get(chat)?.status).toBe('waiting'))
  return chat
}
const isLeft = (node: DeskNode, chat: string, reason: string) =>
  until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'closed', reason }))
const camila = { user: 'camila', isBoss: false }
const words = (text: string) => ({ id: crypto.randomUUID(), text, files: [], seen: '9' })

describe('a person who waits at the desk', () => {
  test('reads their place and goes back to the bot by a whole message [P-2313]', async () => {
    const node = await opened()
    const chat = await waits(node)
    expect((await talkOf(node.on, chat)).at(-1)).toBe(WAITING)
    await say(node.on, chat, 'quero voltar ao robô')
    expect(node.desk.index.get(chat)?.status).toBe('waiting')
    await say(node.on, chat, ' VOLTAR ao robo ')
    await isLeft(node, chat, 'person')
    expect((await talkOf(node.on, chat)).slice(-2)).toEqual(['user:  VOLTAR ao robo ', 'bot: de volta: person'])
    const other = await waits(node, 'bia')
    await node.desk.work.take(other, 'camila')
    await say(node.on, other, '1')
    expect((await pageOf(node.on, other)).state).toBe('agent')
  })

  test('receives a better position at most once a minute [P-2339]', async () => {
    const node = await opened()
    const [first, second] = [await waits(node, 'ana'), await waits(node, 'bia')]
    await node.desk.work.take(first, 'camila')
    await new Promise(resolve => setTimeout(resolve, 1_200))
    const told = async () => (await talkOf(node.on, second)).filter(line => line.startsWith('bot: Agora'))
    expect(await told()).toEqual([])
    world.world.now += MINUTE + 1_000
    await until(async () => expect(await told()).toEqual(['bot: Agora você é o 1º da fila.']))
  })

  test('leaves at the end of the longest wait, and at the end of the hours [P-2340]', async () => {
    const node = await opened({ max_wait: 15 })
    const chat = await waits(node)
    world.world.now += 14 * MINUTE
    await new Promise(resolve => setTimeout(resolve, 700))
    expect(node.desk.index.get(chat)?.status).toBe('waiting')
    world.world.now += 2 * MINUTE
    await isLeft(node, chat, 'timeout')
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: de volta: timeout'))
    expect(await talkOf(node.on, chat)).toContain('bot: Não há ninguém agora.')
    const other = await waits(node, 'bia')
    world.directory.hours = { isOpen: false, opens: world.world.now + 10 * MINUTE }
    world.world.now += 6_000
    await isLeft(node, other, 'unavailable')
  })

  test('is not queued when the queue is closed, full or has no members [P-2341]', async () => {
    const node = await opened({ max_waiting: 1 })
    await waits(node)
    const full = await world.waits(node, 'bia')
    await until(async () => expect((await talkOf(node.on, full)).at(-1)).toBe('bot: de volta: unavailable'))
    expect(await talkOf(node.on, full)).toContain('bot: Há muita gente esperando agora. Tente de novo mais tarde.')
    world.directory.hours = { isOpen: false, opens: Date.parse('2026-05-05T14:00:00Z') }
    const closed = await world.waits(node, 'caio')
    await until(async () => expect((await talkOf(node.on, closed)).at(-1)).toBe('bot: de volta: unavailable'))
    expect(await talkOf(node.on, closed)).toContain('bot: Estamos fechados. Voltamos hoje às 11:00.')
    world.directory.hours = { isOpen: true }
    world.directory.setQueue('q1', [])
    const nobody = await world.waits(node, 'davi')
    await until(async () => expect((await talkOf(node.on, nobody)).at(-1)).toBe('bot: de volta: unavailable'))
    expect(node.desk.index.get(nobody)).toBeUndefined()
  })

  test('notifies supervisors once when its goal has passed, and not when it comes back after an answer [P-2146]', async () => {
    const node = await opened()
    const { work } = node.desk
    const [met, late] = [await waits(node, 'ana'), await waits(node, 'bia')]
    const told = () =>
      world.notices.flatMap(({ message, users, conversation }) =>
        message === 'desk.goal' ? [[conversation, ...users]] : [],
      )
    await work.take(met, 'camila')
    expect(await work.say(met, camila, words('Já vejo'))).toMatchObject({ ok: true })
    world.world.now += 55_000
    await new Promise(resolve => setTimeout(resolve, 700))
    expect(told()).toEqual([])
    world.world.now += 6_000
    await until(() => expect(told()).toEqual([[late, 'chefe']]))
    await work.assign(met, null, { user: 'chefe', isBoss: true })
    await until(() => expect(node.desk.index.get(met)?.status).toBe('waiting'))
    world.world.now += 6_000
    await new Promise(resolve => setTimeout(resolve, 700))
    expect(told()).toEqual([[late, 'chefe']])
  })

  test('notifies supervisors after two minutes with nobody available, each time that this begins [P-2147]', async () => {
    const node = await opened()
    await waits(node)
    const told = () => world.notices.filter(({ message }) => message === 'desk.nobody')
    world.world.now += 115_000
    await node.desk.sweep()
    expect(told()).toEqual([])
    world.world.now += 5_000
    for (const _ of [1, 2]) await node.desk.sweep()
    expect(told()).toMatchObject([{ queue: 'q1', users: ['chefe'] }])
    await world.come('camila', node)
    await node.desk.sweep()
    expect(told()).toHaveLength(1)
    await node.desk.places.setState('camila', { state: 'paused', reason: 'lunch' }, 'self')
    await until(() => expect(node.desk.index.place('camila')?.state).toBe('paused'))
    await node.desk.sweep()
    expect(told()).toHaveLength(2)
  })

  test('goes to the task of the queue outside its hours [P-2341]', async () => {
    const tasks = new Map([...settingsWith({}).tasks, ['t', { id: 't', name: 't', principal: 'main', utterances: [] }]])
    world = await openDeskWorld(undefined, { messages: TEXTS, tasks })
    world.directory.setQueue('q1', ['camila'], { closed_task: 't' })
    world.directory.hours = { isOpen: false }
    const node = await world.node()
    const chat = await world.waits(node, 'ana')
    await until(async () =>
      expect(await talkOf(node.on, chat)).toEqual(['bot: Oi?', 'user: oi', 'bot: Estamos fechados.', 'bot: Oi?']),
    )
  })
})

describe('a chat that an agent holds', () => {
  test('asks a silent person once, and ends later [P-2342]', async () => {
    const node = await opened({ idle_nudge: 5, idle_close: 10 })
    const chat = await waits(node)
    await node.desk.work.take(chat, 'camila')
    world.world.now += 6 * MINUTE
    await new Promise(resolve => setTimeout(resolve, 700))
    const asked = async () => (await talkOf(node.on, chat)).filter(line => line === 'bot: Você ainda está aí?').length
    expect(await asked()).toBe(0)
    await node.desk.work.say(chat, camila, words('Pode mandar a foto?'))
    world.world.now += 6 * MINUTE
    await until(async () => expect(await asked()).toBe(1))
    await new Promise(resolve => setTimeout(resolve, 700))
    expect(await asked()).toBe(1)
    world.world.now += 5 * MINUTE
    await isLeft(node, chat, 'user')
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe('bot: de volta: user'))
  })

  test('does not end by time while its bot is stopped, which runs no turn [P-2349]', async () => {
    const node = await opened({ idle_close: 10, max_wait: 10 })
    const [held, waiting] = [await waits(node, 'ana'), await waits(node, 'bia')]
    await node.desk.work.take(held, 'camila')
    await node.desk.work.say(held, camila, words('Pode mandar a foto?'))
    world.world.operate({ runningstatus: 'stopped' })
    world.world.now += 11 * MINUTE
    await new Promise(resolve => setTimeout(resolve, 1_200))
    expect(node.desk.index.get(held)).toMatchObject({ status: 'held', holder: 'camila' })
    expect(node.desk.index.get(waiting)).toMatchObject({ status: 'waiting' })
    world.world.operate({ runningstatus: 'running' })
    world.world.now += 6_000
    await isLeft(node, held, 'user')
    await isLeft(node, waiting, 'timeout')
  })

  test('is not looked at while nothing happens to it, and at once when something does [P-2359]', async () => {
    const node = await opened({ idle_nudge: 5 })
    const [held, waiting] = [await waits(node, 'ana'), await waits(node, 'bia')]
    await node.desk.work.take(held, 'camila')
    await node.desk.work.say(held, camila, words('Pode mandar a foto?'))
    // The last events are followed by the index, and looked at.
    let before = -1
    while (before < world.looks()) {
      before = world.looks()
      await new Promise(resolve => setTimeout(resolve, 1_200))
    }
    await new Promise(resolve => setTimeout(resolve, 2_500))
    expect(world.looks()).toBe(before)
    await say(node.on, held, 'mando já')
    await until(() => expect(world.looks()).toBeGreaterThan(before))
    world.world.now += 6_000
    const looked = world.looks()
    await until(() => expect(world.looks()).toBeGreaterThan(looked))
    expect(node.desk.index.get(waiting)).toMatchObject({ status: 'waiting' })
  })

  test('goes to the agent who had the person last, within the days of the queue [P-2318]', async () => {
    const node = await opened({ sticky_days: 7 })
    world.directory.setUser('bruna')
    const chat = await waits(node)
    await node.desk.work.take(chat, 'camila')
    await node.desk.work.close(chat, camila, {})
    await isLeft(node, chat, 'closed')
    // Bruna has waited longer for a chat, and comes first without it.
    world.directory.setQueue('q1', ['bruna', 'camila'], { sticky_days: 7, mode: 'roundrobin' })
    await world.come('bruna', node)
    await world.come('camila', node)
    world.world.now += 10_000
    await say(node.on, chat, 'de novo')
    await until(async () => expect((await talkOf(node.on, chat)).at(-1)).not.toBe('bot: de volta: closed'))
    const again = await world.waits(node, 'ana')
    await until(() => expect(node.desk.index.get(again)?.holder).toBe('camila'))
    const other = await world.waits(node, 'outra')
    await until(() => expect(node.desk.index.get(other)?.holder).toBe('bruna'))
  })

  test('sets an agent offline whose last session ended, and ends a pause at its moment [P-2343]', async () => {
    const node = await opened()
    await node.desk.places.setState(
      'camila',
      { state: 'paused', reason: 'lunch', until: world.world.now + MINUTE },
      'self',
    )
    await until(() => expect(node.desk.index.place('camila')?.state).toBe('paused'))
    expect(await node.desk.sweep()).toBe(0)
    world.world.now += 2 * MINUTE
    expect(await node.desk.sweep()).toBe(1)
    await until(() => expect(node.desk.index.place('camila')?.state).toBe('available'))
    world.directory.signedOut.add('camila')
    world.directory.change()
    await until(() => expect(node.desk.index.place('camila')?.state).toBe('offline'))
  })

  test('has the name of its agent before the first message, on channels without names [P-2344]', async () => {
    const node = await opened()
    const chat = await waits(node)
    await node.desk.work.take(chat, 'camila')
    for (const text of ['Oi', 'Tudo bem?']) await node.desk.work.say(chat, camila, words(text))
    const named = (await pageOf(node.on, chat)).messages.filter(({ from }) => from === 'agent')
    expect(named.map(({ text, named: is }) => [text, is ?? false])).toEqual([
      ['Oi', true],
      ['Tudo bem?', false],
    ])
  })
})
