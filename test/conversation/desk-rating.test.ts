import { afterEach, describe, expect, test } from 'vitest'
import { settingsWith } from '#domain/conversation/fixture/talk.ts'
import { readParts } from '#runtime/conversation/store/conversation-records.ts'
import pt from '#schemas/locales/pt/conversation.json' with { type: 'json' }
import { type DeskNode, type DeskWorld, openDeskWorld } from './desk-world.ts'
import { until } from './handed.ts'
import { say, talkOf } from './world.ts'

let world: DeskWorld
afterEach(() => world?.close())

const camila = { user: 'camila', isBoss: false }
const SOLVED = { key: 'solved', name: 'Resolvido', csat: true }
const SPAM = { key: 'spam', name: 'Spam', csat: false }
const HOUR = 3_600_000

const opened = async (fields: object = {}): Promise<DeskNode> => {
  world = await openDeskWorld(undefined, { messages: new Map(Object.entries(pt)), nlu: settingsWith().nlu })
  const close_reasons = [SOLVED, SPAM]
  world.directory.setQueue('q1', ['camila'], { mode: 'manual', csat: '5', close_reasons, ...fields } as never)
  world.directory.setUser('camila')
  return world.node()
}

/** A chat that Camila holds, and in which she has answered. */
const held = async (node: DeskNode, user = 'ana', isAnswered = true) => {
  const chat = await world.waits(node, user)
  await until(() => expect(node.desk.index.get(chat)?.status).toBe('waiting'))
  await node.desk.work.take(chat, 'camila')
  await until(() => expect(node.desk.index.get(chat)?.holder).toBe('camila'))
  if (isAnswered) {
    const words = { id: crypto.randomUUID(), text: 'Oi', files: [], seen: '999999999.999' }
    expect(await node.desk.work.say(chat, camila, words)).toMatchObject({ ok: true })
  }
  return chat
}
const RATINGS = ['RatingAsked', 'ConversationRated', 'RatingSkipped']
const ratingsOf = async (chat: string) => {
  const found: { readonly type: string; readonly data: object }[] = []
  for await (const { type, data } of readParts(world.world.store, chat))
    if (RATINGS.includes(type)) found.push({ type, data })
  return found
}
const isLast = (node: DeskNode, chat: string, line: string) =>
  until(async () => expect((await talkOf(node.on, chat)).at(-1)).toBe(line))
const closed = async (node: DeskNode, chat: string, closing: object = {}) => {
  expect(await node.desk.work.close(chat, camila, closing)).toMatchObject({ ok: true })
}
/** A chat after its closing, with the request for a rating. */
const asked = async (node: DeskNode, question = 'Como foi o atendimento?') => {
  const chat = await held(node)
  await closed(node, chat, { reason: 'solved' })
  await isLast(node, chat, `bot: ${question}`)
  return chat
}

describe('the rating of a chat at the desk', () => {
  test('is requested at closing, and the flow continues with the score [P-2458]', async () => {
    const node = await opened({ csat_text: 'Como foi com {agent}?' })
    const chat = await asked(node, 'Como foi com camila?')
    await say(node.on, chat, '4')
    await isLast(node, chat, 'bot: de volta: closed')
    expect((await talkOf(node.on, chat)).slice(-3)).toEqual([
      'user: 4',
      'bot: Obrigado pela avaliação.',
      'bot: de volta: closed',
    ])
    const { n } = node.desk.index.get(chat) ?? {}
    const of = { about: 'agent', scale: '5', n }
    expect(await ratingsOf(chat)).toMatchObject([
      { type: 'RatingAsked', data: of },
      { type: 'ConversationRated', data: { ...of, score: 4 } },
    ])
    expect((await node.desk.load(chat))?.desk.facts.slice(-2)).toMatchObject([
      { kind: 'asked', about: 'agent', scale: '5' },
      { kind: 'rated', about: 'agent', scale: '5', score: 4 },
    ])
  })

  test.each([
    ['reason', { reason: 'spam' }, true],
    ['agent', { reason: 'solved', csat: false }, true],
    ['silent', { reason: 'solved' }, false],
  ])('is left out with the cause %s [P-2459]', async (why, closing, isAnswered) => {
    const node = await opened()
    const chat = await held(node, 'ana', isAnswered)
    await closed(node, chat, closing)
    await isLast(node, chat, 'bot: de volta: closed')
    const { n } = node.desk.index.get(chat) ?? {}
    expect(await ratingsOf(chat)).toEqual([{ type: 'RatingSkipped', data: { n, about: 'agent', why } }])
    expect((await node.desk.load(chat))?.desk.facts).toContainEqual(
      expect.objectContaining({ kind: 'unrated', about: 'agent', why }),
    )
  })

  test('is left out after the window of the channel has closed [P-2459]', async () => {
    const node = await opened()
    world.world.channelType = 'whatsapp_meta'
    const chat = await held(node)
    world.world.now += 25 * HOUR
    await closed(node, chat, { reason: 'solved' })
    await until(async () => expect(await ratingsOf(chat)).toMatchObject([{ data: { why: 'window' } }]))
  })

  test('is left out when a silent chat times out [P-2459]', async () => {
    const node = await opened({ idle_close: 10 })
    const chat = await held(node)
    world.world.now += 11 * 60_000
    await until(() => expect(node.desk.index.get(chat)).toMatchObject({ status: 'closed', reason: 'user' }))
    expect(await ratingsOf(chat)).toMatchObject([{ type: 'RatingSkipped', data: { why: 'user' } }])
  })

  test('is not asked for by a queue without one [P-2459]', async () => {
    const node = await opened({ csat: 'off' })
    const chat = await held(node)
    await closed(node, chat, { reason: 'solved' })
    await isLast(node, chat, 'bot: de volta: closed')
    expect(await ratingsOf(chat)).toEqual([])
  })

  test('ends with a message that is no score, which the bot answers [P-2458]', async () => {
    const node = await opened()
    const chat = await asked(node)
    await say(node.on, chat, 'obrigada')
    await isLast(node, chat, 'bot: Desculpe, não entendi.')
    expect((await talkOf(node.on, chat)).slice(-3)).toEqual([
      'user: obrigada',
      'bot: de volta: closed',
      'bot: Desculpe, não entendi.',
    ])
    await say(node.on, chat, '5')
    await until(async () => expect((await ratingsOf(chat)).map(({ type }) => type)).toEqual(['RatingAsked']))
  })

  test('takes a score for a day, longer than an idle conversation lasts [P-2453]', async () => {
    const node = await opened()
    const chat = await asked(node)
    world.world.now += 23 * HOUR
    await new Promise(resolve => setTimeout(resolve, 700))
    await say(node.on, chat, '3')
    await isLast(node, chat, 'bot: de volta: closed')
    expect((await ratingsOf(chat)).at(-1)).toMatchObject({ data: { score: 3 } })
  })

  test('is answered on another node [P-2458]', async () => {
    const node = await opened()
    const chat = await asked(node)
    const other = await world.node({ name: 'other' })
    await say(other.on, chat, 'muito bom')
    await isLast(other, chat, 'bot: de volta: closed')
    expect((await ratingsOf(chat)).at(-1)).toMatchObject({ data: { score: 5 } })
  })
})

describe('the comment of a rating', () => {
  const commented = async (node: DeskNode) => {
    const chat = await asked(node)
    await say(node.on, chat, '2')
    await isLast(node, chat, 'bot: O que faltou?')
    await say(node.on, chat, 'segredo da Ana')
    await isLast(node, chat, 'bot: de volta: closed')
    return chat
  }

  test('is sealed, and shown to the agent and in the replay [P-2460]', async () => {
    const node = await opened({ csat_comment: 'O que faltou?' })
    const chat = await commented(node)
    const rated = (await ratingsOf(chat)).filter(({ type }) => type === 'ConversationRated')
    expect(rated.map(({ data }) => 'sealed' in data)).toEqual([false, true])
    expect(JSON.stringify(rated)).not.toContain('segredo')
    const facts = (await node.desk.load(chat))?.desk.facts.filter(({ kind }) => kind === 'rated')
    expect(facts).toMatchObject([{ score: 2, comment: 'segredo da Ana' }])
    const records = await node.on.records()
    const read = async (mayRead: boolean) =>
      (await records?.replay(chat, mayRead))?.flatMap(({ ratings = [] }) => ratings)
    expect(await read(true)).toMatchObject([
      { kind: 'asked', about: 'agent', scale: '5' },
      { kind: 'rated', score: 2 },
      { kind: 'rated', score: 2, comment: 'segredo da Ana' },
    ])
    const inputs = (await records?.replay(chat, true))?.map(({ input }) => input.kind)
    expect(inputs).toEqual(['open', 'message', 'agent', 'message', 'message'])
    expect((await read(false))?.at(-1)).toMatchObject({ kind: 'rated', score: 2, comment: null })
  })

  test('is unreadable after its person was forgotten, and the score stays [P-2461]', async () => {
    const node = await opened({ csat_comment: 'O que faltou?' })
    const chat = await commented(node)
    await node.on.forget(chat)
    const facts = (await node.desk.load(chat))?.desk.facts.filter(({ kind }) => kind === 'rated')
    expect(facts?.map(({ score, comment }) => [score, comment])).toEqual([[2, undefined]])
    const records = await node.on.records()
    const last = (await records?.replay(chat, true))?.flatMap(({ ratings = [] }) => ratings).at(-1)
    expect(last).toMatchObject({ kind: 'rated', score: 2, comment: null })
  })
})
