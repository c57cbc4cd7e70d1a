import { expect, test } from 'vitest'
import { openBench } from '#gateway/fixture.ts'
import type { ReadModels, Row } from '#projections/port.ts'
import type { JsonObject } from '#schemas/event.ts'
import { memoryConversations } from '../doubles/memory-conversations.ts'

const row = (id: string, fields: object): Row => ({
  id,
  revision: 1,
  hierarchylevel: null,
  created_at: '',
  modified_at: '',
  created_by: null,
  modified_by: null,
  ...fields,
})

const CHANNEL = {
  bot: 'b1',
  type: 'webchat',
  enable: true,
  channel_verify_token: 'verify-token',
  channel_origin: 'https://a.example; https://b.example',
}

/** The gateway's HTTP side with one channel of one bot. */
const open = async (given: { readonly setting?: object; readonly channels?: Readonly<Record<string, Row>> } = {}) => {
  const rows: Record<string, Row | undefined> = {
    'channel c1': row('c1', CHANNEL),
    'bot b1': row('b1', { restartconversationinmenu: true }),
    'conversationsetting conversationsetting-b1': row('conversationsetting-b1', given.setting ?? {}),
  }
  const lists: Readonly<Record<string, readonly Row[]>> = {
    theme: [row('t1', { name: 'Claro' }), row('t2', { name: 'Escuro', default: true, colors: { text: '#FFFFFF' } })],
    dialogtask: [row('d1', { name: 'Boletos', showinmenu: true }), row('d2', { name: 'Outros' })],
  }
  let opened = 0
  const listeners: Parameters<ReadModels['onTouched']>[1][] = []
  const conversations = memoryConversations(() => ({ say: [{ text: 'Olá' }, { text: 'Tudo bem?' }] }))
  const { app, logged } = await openBench({
    conversations,
    openFields: async (entity, id): Promise<JsonObject | undefined> => {
      opened += 1
      return rows[`${entity} ${id}`]
    },
    read: {
      detail: async (_scope, entity, id) => rows[`${entity} ${id}`] as never,
      onTouched: (_entities, listener) => {
        listeners.push(listener)
        return () => undefined
      },
      list: async (_scope, entity) => ({ items: lists[entity] ?? [], total: lists[entity]?.length ?? 0 }) as never,
    },
  })
  const post = (body: object, headers: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url: '/chat/c1/conversations', payload: body, headers })
  const change = (name: string, changed: Row) => {
    rows[name] = changed
    for (const listener of listeners) listener([])
  }
  return { app, change, post, logged, conversations, opened: () => opened }
}

test("serves the chat of a bot's channel at the root, with its theme, menu and history [R-73] [P-529]", async () => {
  const { app, post, opened } = await open({ setting: { history_length: 1 } })
  const first = (await post({}, { origin: 'https://b.example' })).json()
  expect(first).toMatchObject({
    stream: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:3000\/chat\/conversations\//),
    theme: { colors: { text: '#FFFFFF' } },
    menu: [{ id: 'restart' }, { id: 'd1', title: 'Boletos' }],
  })
  expect(first.messages).toHaveLength(2)
  const again = (await post({ resume: first.token })).json()
  expect([again.conversation, again.messages.length]).toEqual([first.conversation, 1])
  expect((await post({ token: 'verify-token', user: { id: 'ana' } })).statusCode).toBe(201)
  expect((await post({}, { origin: 'https://c.example' })).statusCode).toBe(403)
  expect(opened()).toBe(1)
  await app.close()
})

test('takes up a conversation that another node opened a moment ago and this one does not list yet [P-1985]', async () => {
  const { app, post, conversations } = await open()
  const first = (await post({})).json()
  conversations.live = async () => undefined
  expect((await post({ resume: first.token })).json()).toMatchObject({
    conversation: first.conversation,
    resumed: true,
  })
  await conversations.end(first.conversation, 'person')
  expect((await post({ resume: first.token })).json().conversation).not.toBe(first.conversation)
  await app.close()
})

test('logs the sites that it refuses, a limited number of them for each bot, and those where conversations begin [P-1843] [P-2945]', async () => {
  const { app, post, logged } = await open()
  await post({}, { origin: 'https://c.example' })
  await post({}, { origin: 'https://c.example' })
  await post({}, { origin: 'null' })
  await post({}, { origin: 'https://a.example' })
  const site = { service: 'webchat:c1', detail: 'https://c.example' }
  const line = { level: 'warn', code: 'channel.origin', bot: 'b1', ...site }
  const begun = { ...line, level: 'info', code: 'channel.site', detail: 'https://a.example' }
  expect(logged).toEqual([line, line, begun])
  // A conversation that is taken up again did not begin there.
  const { token } = (await post({}, { origin: 'https://b.example' })).json()
  await post({ resume: token }, { origin: 'https://b.example' })
  expect(logged.slice(3)).toEqual([{ ...begun, detail: 'https://b.example' }])
  logged.length = 0
  await post({}, { origin: 'https://c.example' })
  for (let site = 0; site < 150; site += 1) await post({}, { origin: `https://s${site}.example` })
  expect(new Set(logged.map(({ detail }) => detail)).size).toBe(100)
  await app.close()
})

test('takes up a change of the channel at once, and no conversation where people are not remembered [P-529]', async () => {
  const { app, change, post } = await open({ setting: { remember_user_on_reload: false } })
  const first = (await post({})).json()
  expect((await post({ resume: first.token })).json().conversation).not.toBe(first.conversation)
  change('channel c1', { ...row('c1', { ...CHANNEL, enable: false }), revision: 2 })
  const closed = await post({}, { 'accept-language': 'es' })
  expect([closed.statusCode, closed.json().detail]).toEqual([404, 'El chat no está habilitado, no se puede conversar'])
  await app.close()
})

test('serves no chat where the gateway holds no conversations [P-529]', async () => {
  const { app } = await openBench({})
  expect((await app.inject({ method: 'POST', url: '/chat/c1/conversations', payload: {} })).json().code).toBe(
    'entity.notfound',
  )
  await app.close()
})
