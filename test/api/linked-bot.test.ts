import { expect, test } from 'vitest'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level } from './people.ts'

const { parley, admin } = await openAdmin()

const done = async (asked: ReturnType<Client['post']>) => {
  const answer = await asked
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

interface MadeBot {
  readonly bot: string
  readonly dialog: string
  readonly channel: string
}

/** A bot with a web chat whose blocks run one after another; stopped. */
const makeBot = async (blocks: (own: string) => readonly object[], fields: object = {}): Promise<MadeBot> => {
  const { id: bot } = await done(admin.post('/bot', { name: crypto.randomUUID(), ...fields }))
  const { id: task } = await done(admin.post('/dialogtask', { name: 'Início', bot }))
  const { id: dialog } = await done(admin.post('/dialog', { name: 'Início', dialogtask: task }))
  const operators: Record<string, object> = { start: plainBlock('start', 0) }
  const links: Record<string, object> = {}
  let before = 'start'
  for (const [at, block] of blocks(bot).entries()) {
    operators[`b${at}`] = block
    links[`l${at}`] = link(before, `b${at}`)
    before = `b${at}`
  }
  await done(admin.put(`/dialog/${dialog}/flow`, { operators, links }))
  await done(admin.post(`/dialog/${dialog}/publish`))
  await done(admin.patch(`/dialogtask/${task}`, { principaldialog: dialog }, 1))
  await done(admin.patch(`/bot/${bot}`, { defaultdialogtask: task }, 1))
  const { id: channel } = await done(admin.post('/channel', { bot, type: 'webchat' }))
  return { bot, dialog, channel }
}
const start = ({ bot }: MadeBot) => done(admin.post(`/bot/${bot}/start`))

const text = (words: string) => plainBlock('text', 100, { text: words })
const talkTo = (bot: string) => plainBlock('talktoanotherbot', 200, { bot })
const ask = (varname: string, words: string) =>
  plainBlock('prompt', 300, { varname, data: { type: 'text', text: words } })

interface Said {
  readonly id: string
  readonly from: string
  readonly text?: string
  readonly actions: readonly { readonly id: string; readonly title: string }[]
}

const openChat = async ({ channel }: MadeBot) => {
  const send = async (path: string, body: object, token = '') => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(parley.origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBeLessThan(300)
    return (await answer.json()) as Record<string, string>
  }
  const { conversation = '', token = '' } = await send(`/chat/${channel}/conversations`, {})
  const path = `/chat/conversations/${conversation}/messages`
  const bot = async (): Promise<readonly Said[]> => {
    const page = await fetch(`${parley.origin}${path}?after=`, { headers: { authorization: `Bearer ${token}` } })
    return ((await page.json()) as { messages: Said[] }).messages.filter(({ from }) => from === 'bot')
  }
  return {
    conversation,
    bot,
    say: (words: string) => send(path, { id: crypto.randomUUID(), type: 'text', text: words }, token),
    send: (message: object) => send(path, { id: crypto.randomUUID(), ...message }, token),
    press: (of: string, value: string) => send(path, { id: crypto.randomUUID(), type: 'choice', of, value }, token),
    said: async () => (await bot()).map(message => message.text),
  }
}
/** Keeps a test that was made, and runs it. */
const passes = async ({ bot }: MadeBot, made: ReturnType<Client['post']>) => {
  const { file } = await done(made)
  const { id } = await done(admin.post('/conversationtest', { bot, name: 'Visita', file }))
  const { result } = await done(admin.post(`/conversationtest/${id}/run`))
  expect(result, String(file)).toMatchObject({ passed: true })
}
const until = (read: () => unknown) => expect.poll(read, { timeout: 20_000, interval: 50 })

test('a started bot hands the person to another one, until that one asks for nothing more [D-3.12.41] [R-50]', async () => {
  const other = await makeBot(() => [ask('nome', 'Seu nome?'), text('Oi, {{nome}}')])
  const own = await makeBot(() => [text('Minha'), talkTo(other.bot), text('Minha de novo')])
  await start(other)
  await start(own)
  const chat = await openChat(own)
  await until(chat.said).toEqual(['Minha', 'Seu nome?'])
  await chat.say('Ana')
  await until(chat.said).toEqual(['Minha', 'Seu nome?', 'Oi, Ana', 'Minha de novo'])
  const linked = async () => (await admin.get(`/conversation?bot=${other.bot}`)).body.items
  await until(linked).toMatchObject([{ bot: other.bot, channeltype: 'bot', turns: 2, status: 'ended' }])
  // Nothing was said yet when the visit began: the other bot opened it.
  const [{ id = '' } = {}] = (await linked()) as { id?: string }[]
  const { messages } = (await admin.get(`/conversation/${id}/transcript`)).body as unknown as { messages: Said[] }
  expect(messages.map(({ from, text }) => [from, text])).toEqual([
    ['bot', 'Seu nome?'],
    ['user', 'Ana'],
    ['bot', 'Oi, Ana'],
  ])
})

test('starts each visit fresh: after a return of the flow, and after a restart by the person [P-1506] [R-50]', async () => {
  const other = await makeBot(() => [ask('nome', 'Seu nome?'), text('Oi, {{nome}}')])
  const own = await makeBot(() => [talkTo(other.bot), ask('mais', 'Mais alguém?'), talkTo(other.bot), text('Fim')])
  await start(other)
  await start(own)
  const chat = await openChat(own)
  await until(async () => (await chat.said()).at(-1)).toBe('Seu nome?')
  await chat.say('Ana')
  await until(async () => (await chat.said()).at(-1)).toBe('Mais alguém?')
  await chat.say('sim')
  await until(async () => (await chat.said()).at(-1)).toBe('Seu nome?')
  const restarted = (await chat.said()).length
  await chat.send({ type: 'menu', value: 'restart' })
  await until(async () => (await chat.said()).slice(restarted).at(-1)).toBe('Seu nome?')
  await chat.say('Bia')
  await until(async () => (await chat.said()).slice(-2)).toEqual(['Oi, Bia', 'Mais alguém?'])
})

test('a secret for the other bot is a secret in both conversations, and both end and are forgotten together [P-1506] [R-85]', async () => {
  const data = { type: 'text', text: 'Senha?', textStyle: 'password' }
  const other = await makeBot(() => [plainBlock('prompt', 300, { varname: 'senha', data }), ask('cidade', 'Cidade?')])
  const own = await makeBot(() => [talkTo(other.bot), text('Fim')])
  await start(other)
  await start(own)
  const chat = await openChat(own)
  await until(chat.said).toEqual(['Senha?'])
  await chat.say('abracadabra')
  await until(async () => (await chat.said()).at(-1)).toBe('Cidade?')
  const linked = async () => (await admin.get(`/conversation?bot=${other.bot}`)).body.items[0]
  const { id = '' } = (await linked()) as { id?: string }
  for (const conversation of [chat.conversation, id])
    for (const page of ['transcript', 'replay'])
      expect((await admin.get(`/conversation/${conversation}/${page}`)).text).not.toContain('abracadabra')
  expect((await admin.post(`/conversation/${id}/forget`, { confirm: 'CONFIRM' })).status).toBe(403)
  expect((await admin.post(`/conversation/${chat.conversation}/forget`, { confirm: 'CONFIRM' })).status).toBe(200)
  await until(linked).toMatchObject({ status: 'ended' })
})

test('buttons of the other bot are shown, and a press on one answers it [D-3.12.41] [P-1506]', async () => {
  const data = { type: 'choice', text: 'Qual?', listStyle: 'button', options: ['Norte', 'Sul'] }
  const place = { type: 'location', text: 'Onde?' }
  const other = await makeBot(() => [
    plainBlock('prompt', 300, { varname: 'onde', data }),
    text('Então {{onde}}'),
    plainBlock('prompt', 400, { varname: 'cor', data: { ...data, text: 'Cor?' }, mandatory: false }),
    plainBlock('prompt', 500, { varname: 'lugar', data: place }),
  ])
  const own = await makeBot(() => [talkTo(other.bot), text('Fim')])
  await start(other)
  await start(own)
  const chat = await openChat(own)
  await until(async () => (await chat.bot()).length).toBe(1)
  const [question] = await chat.bot()
  const sul = question?.actions.find(({ title }) => title === 'Sul')
  await chat.press(String(question?.id), String(sul?.id))
  await until(chat.said).toEqual(['Qual?', 'Então Sul', 'Cor?'])
  const colour = (await chat.bot()).at(-1)
  await chat.press(String(colour?.id), String(colour?.actions.find(({ title }) => title === 'Pular')?.id))
  await until(async () => (await chat.said()).at(-1)).toBe('Onde?')
  await chat.send({ type: 'location', data: { latitude: -8.05, longitude: -34.9 } })
  await until(async () => (await chat.said()).at(-1)).toBe('Fim')
  // A test that is kept of the conversation passes.
  await passes(own, admin.post(`/conversation/${chat.conversation}/test`, { name: 'Visita' }))
})

test('skips a bot that is stopped, in a higher level or in an endless loop, and continues the flow [P-1506]', async () => {
  const branch = await level(admin, 'Filial')
  const stopped = await makeBot(() => [text('Nunca')])
  const above = await makeBot(() => [text('Nunca')])
  await start(above)
  const below = await makeBot(() => [talkTo(above.bot), talkTo(stopped.bot), text('Sigo')], { hierarchylevel: branch })
  await start(below)
  const first = await openChat(below)
  await until(first.said).toEqual(['Sigo'])

  const loop = await makeBot(own => [text('Volta'), talkTo(own), text('Fim')])
  await start(loop)
  const chat = await openChat(loop)
  await until(chat.said).toEqual(['Volta', 'Volta', 'Volta', 'Volta', 'Fim', 'Fim', 'Fim', 'Fim'])
})

test('in test mode the other bot is talked to as well; going back takes its answers back [D-3.12.41] [R-50] [R-81]', async () => {
  const other = await makeBot(() => [ask('nome', 'Seu nome?'), ask('cidade', '{{nome}}, de onde?')])
  const own = await makeBot(() => [talkTo(other.bot), text('Fim')])
  await start(other)
  const begun = await done(admin.post(`/bot/${own.bot}/simulation`, { dialog: own.dialog }))
  const said = ({ body }: { body: Record<string, unknown> }) =>
    (body.said as { from: string; text: string }[]).filter(({ from }) => from === 'bot').map(each => each.text)
  const act = (name: string, body: object = {}) => admin.post(`/simulation/${begun.simulation}/${name}`, body)
  expect(said({ body: begun })).toEqual(['Seu nome?'])
  expect(said(await act('say', { text: 'Ana' }))).toEqual(['Seu nome?', 'Ana, de onde?'])
  await act('back')
  expect(said(await act('say', { text: 'Bia' })).at(-1)).toBe('Bia, de onde?')
  expect(said(await act('say', { text: 'Recife' })).at(-1)).toBe('Fim')
  // A test that is kept of it passes.
  await passes(own, act('test', { name: 'Visita' }))
  expect((await admin.get(`/conversation?bot=${other.bot}`)).body.items).toEqual([])
})
