import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, discard, type Parley, startParley } from './harness.ts'

let parley: Parley
let admin: Client
let bot: string
beforeAll(async () => {
  parley = await startParley()
  admin = await parley.signIn()
  bot = (await admin.post('/bot', { name: 'Reachable' })).body.id
})
afterAll(() => discard(parley))

const make = async (fields: object) => {
  const { status, text, body } = await admin.post('/channel', { bot, type: 'webchat', ...fields })
  expect(status, text).toBe(201)
  return (await admin.get(`/channel/${body.id}`)).body
}

describe('a channel of a bot', () => {
  test('is a web chat that is enabled, named by its type and without a secret to be read [D-3.1.01]', async () => {
    const channel = await make({ channel_verify_token: 'planted-verify-token' })
    expect(channel).toMatchObject({
      bot,
      type: 'webchat',
      name: 'webchat',
      enable: true,
      store_message: true,
      channel_verify_token: { set: true },
    })
    expect(channel.webhook).toBe(`/chat/${channel.id}`)
    expect(JSON.stringify(await admin.get(`/channel/${channel.id}/history`))).not.toContain('planted-verify-token')
    const { status } = await admin.patch(`/channel/${channel.id}`, { name: '', enable: false, jobinterval: 250 }, 1)
    expect(status).toBe(200)
    expect((await admin.get(`/channel/${channel.id}`)).body).toMatchObject({ name: 'webchat', enable: false })
  })

  test('of the type rest has its address, two tokens and a callback; a web chat has not [D-3.1.05] [D-3.1.20]', async () => {
    const rest = {
      type: 'rest',
      channel_verify_token: 'a',
      channel_password: 'b',
      callback_url: 'https://shop.example/bot',
    }
    const channel = await make(rest)
    expect(channel).toMatchObject({ webhook: `/rest/${channel.id}`, channel_password: { set: true } })
    expect(channel.callback_url).toBe('https://shop.example/bot')
    const chat = await make({ channel_password: null })
    expect(chat).toMatchObject({ callback_url: null, channel_password: null })
    const changed = await admin.patch(`/channel/${chat.id}`, { type: 'rest' }, 1)
    expect(changed.body.errors).toMatchObject([{ path: 'type', code: 'readonly' }])
  })

  test('takes origins separated by semicolons and nothing else, and known types of attachments [P-560]', async () => {
    const channel = await make({
      channel_origin: 'https://www.shop.example; http://localhost:8080/',
      deny_attachment_types: ['application/pdf'],
    })
    expect(channel.deny_attachment_types).toEqual(['application/pdf'])
    for (const origin of ['shop.example', 'https://shop.example/path', 'javascript:alert(1)', 'https://a.example,b']) {
      const refused = await admin.patch(`/channel/${channel.id}`, { channel_origin: `https://x.example;${origin}` }, 1)
      expect(refused.status, origin).toBe(422)
      expect(refused.body.errors).toMatchObject([{ path: 'channel_origin', code: 'format' }])
    }
    const unknown = await admin.patch(`/channel/${channel.id}`, { deny_attachment_types: ['text/html'] }, 1)
    expect(unknown.body.errors).toMatchObject([{ code: 'option' }])
  })
})
