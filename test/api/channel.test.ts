import { describe, expect, test } from 'vitest'
import { channelType } from '#schemas/channel-type.ts'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()
const bot = (await admin.post('/bot', { name: 'Reachable' })).body.id

const make = async (fields: object) => {
  const { status, text, body } = await admin.post('/channel', { bot, type: 'webchat', ...fields })
  expect(status, text).toBe(201)
  return (await admin.get(`/channel/${body.id}`)).body
}

/** Fields of each type beyond the common ones, from the specification; `*` marks secrets. */
const META = { app_secret: '*', graph_version: 'v23.0' }
const PAGE = { pagetoken: '*', verifytoken: '*', appid: '123', ...META }
const WHATSAPP = {
  account_id: 'AC1',
  auth_token: '*',
  username: 'bot',
  password: '*',
  media_id: '77',
  account_key: '*',
  sender_number: '+551100000000',
  message_prefix: 'Loja: ',
  channel_verify_token: '*',
}
/** Profile of a gateway without a public API. */
const PROFILE = JSON.stringify({ send: { path: '/messages', body: 'message' }, receive: 'body' })
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  facebook: PAGE,
  instagram: { ...PAGE, account_id: '178' },
  microsoft: { channel_id: 'app', channel_password: '*', channel_extra_id: 'tenant', channel_origin: 'SingleTenant' },
  whatsapp_twilio: WHATSAPP,
  whatsapp_avaya: WHATSAPP,
  whatsapp_meta: { ...WHATSAPP, ...META },
  whatsapp_gupshup: WHATSAPP,
  whatsapp_360dialog: WHATSAPP,
  whatsapp_interaxa: { ...WHATSAPP, channel_extra_info: PROFILE },
  whatsapp_infobip: { ...WHATSAPP, url: 'https://x.api.infobip.com' },
  whatsapp_zenvia: WHATSAPP,
  blip: { account_id: 'lume', auth_token: '*', channel_verify_token: '*' },
  marketplace: { auth_token: '*', channel_verify_token: '*', channel_extra_info: PROFILE },
}
const COMMON = {
  phonenumber: '+55 11 0000-0000',
  version: '2',
  store_message: true,
  parallel_execution_processes: 8,
  jobinterval: 500,
  enable: false,
  deny_attachment_types: ['audio/wav'],
  channel_extra_info: '{}',
}

describe('a channel of a provider', () => {
  test.each(Object.entries(TYPES))(
    '%s has the fields of its type, an address, and its secrets for nobody [D-3.1.06] [D-3.1.07] [D-3.1.08] [D-3.1.10] [D-3.1.19] [D-3.1.23]',
    async (type, own) => {
      const secret = 'planted-secret-of-a-channel'
      const given = Object.fromEntries(
        Object.entries(own).map(([name, value]) => [name, value === '*' ? secret : value]),
      )
      const channel = await make({ type, ...COMMON, ...given })
      const shown = Object.entries(own).map(([name, value]) => [name, value === '*' ? { set: true } : value])
      expect(channel).toMatchObject({ ...COMMON, ...Object.fromEntries(shown), type, name: channelType(type)?.title })
      expect(channel.webhook).toBe(`/channel/${channel.id}`)
      const told = await Promise.all([admin.get(`/channel/${channel.id}/history`), admin.get(`/channel?bot=${bot}`)])
      expect(JSON.stringify(told)).not.toContain(secret)
    },
  )

  test('of Google Assistant keeps the name of its project and is reached nowhere [D-3.1.22]', async () => {
    const channel = await make({ type: 'googleassistant', channel_id: 'meu-projeto' })
    expect(channel).toMatchObject({ channel_id: 'meu-projeto', webhook: null })
    const { body } = await admin.post(`/channel/${channel.id}/test`, {})
    expect(body).toMatchObject({ ok: false, checks: [{ part: 'provider', code: 'channel.unsupported' }] })
  })

  test('of Telegram reads the id of its bot from the token, which one enabled channel has [P-2239]', async () => {
    const secret = 'AAEplanted-secret-of-a-channel-0123456'
    const channel = await make({ type: 'telegram', auth_token: `777000:${secret}`, account_id: '1' })
    expect(channel).toMatchObject({ account_id: '777000', auth_token: { set: true }, enable: true, name: 'Telegram' })
    expect(channel.webhook).toBe(`/channel/${channel.id}`)
    const told = await Promise.all([admin.get(`/channel/${channel.id}/history`), admin.get(`/channel?bot=${bot}`)])
    expect(JSON.stringify(told)).not.toContain(secret)
    const second = { bot, type: 'telegram', name: 'Second', auth_token: `777000:${secret}x` }
    expect((await admin.post('/channel', second)).body.code).toBe('channel.numbertaken')
    const kept = await make({ ...second, enable: false })
    const enabled = await admin.patch(`/channel/${kept.id}`, { enable: true }, 1)
    expect(enabled.body.code).toBe('channel.numbertaken')
    const moved = await admin.patch(`/channel/${kept.id}`, { enable: true, auth_token: `777001:${secret}` }, 1)
    expect(moved.status, moved.text).toBe(200)
    const after = { account_id: '9', phonenumber: '1' }
    expect((await admin.patch(`/channel/${kept.id}`, after, 2)).status).toBe(200)
    expect((await admin.get(`/channel/${kept.id}`)).body).toMatchObject({ account_id: '777001', phonenumber: '1' })
    for (const token of ['777000', `x:${secret}`, '777000:short', `777000:${secret} y`]) {
      const { status, body } = await admin.post('/channel', { ...second, auth_token: token })
      expect([status, body.errors]).toMatchObject([422, [{ path: 'auth_token', params: { rule: 'telegramtoken' } }]])
    }
    const bare = await make({ type: 'telegram', account_id: '5' })
    expect(bare).toMatchObject({ enable: false, account_id: null })
  })

  test('of Microsoft has one of three app types, and no other channel has one [D-3.1.09]', async () => {
    const channel = await make({ type: 'microsoft', channel_origin: 'MultiTenant' })
    const wrong = await admin.patch(`/channel/${channel.id}`, { channel_origin: 'https://a.example' }, 1)
    const options = ['MultiTenant', 'SingleTenant', 'UserAssignedMsi']
    expect(wrong.body.errors).toMatchObject([{ path: 'channel_origin', code: 'option', params: { options } }])
    expect((await admin.patch(`/channel/${channel.id}`, { channel_origin: 'UserAssignedMsi' }, 1)).status).toBe(200)
    const chat = await admin.post('/channel', { bot, type: 'webchat', channel_origin: 'MultiTenant' })
    expect(chat.body.errors).toMatchObject([{ path: 'channel_origin', code: 'format' }])
  })

  test('says in its connection test which fields are missing and that its address is no public one [P-1120]', async () => {
    const channel = await make({ type: 'whatsapp_meta', account_id: '104' })
    const { status, body } = await admin.post(`/channel/${channel.id}/test`, {})
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ok: false,
      checks: [
        { part: 'settings', ok: false, missing: ['auth_token', 'app_secret', 'channel_verify_token'] },
        { part: 'address', ok: false, code: 'channel.address' },
      ],
    })
  })
})

describe('a channel of a bot', () => {
  test('is a web chat that is enabled, named as its product and without a secret to be read [D-3.1.01] [P-2098]', async () => {
    const channel = await make({ channel_verify_token: 'planted-verify-token' })
    expect(channel).toMatchObject({
      bot,
      type: 'webchat',
      name: 'Web chat',
      enable: true,
      store_message: true,
      channel_verify_token: { set: true },
    })
    expect(channel.webhook).toBe(`/chat/${channel.id}`)
    expect(JSON.stringify(await admin.get(`/channel/${channel.id}/history`))).not.toContain('planted-verify-token')
    const { status } = await admin.patch(`/channel/${channel.id}`, { name: '', enable: false, jobinterval: 250 }, 1)
    expect(status).toBe(200)
    expect((await admin.get(`/channel/${channel.id}`)).body).toMatchObject({ name: 'Web chat', enable: false })
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

  test('asks for the origins of pages where pages call it, and refuses fields of another type [P-1403] [P-1860]', async () => {
    const given = { ...COMMON, channel_origin: 'https://www.shop.example' }
    for (const type of ['webchat', 'rest'])
      expect((await make({ type, ...given })).channel_origin).toBe('https://www.shop.example')
    for (const type of ['whatsapp_gupshup', 'blip'])
      expect(await admin.post('/channel', { bot, name: `No origin ${type}`, type, ...given })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'channel_origin', code: 'unknown' }] },
      })
    const webchat = await make({ type: 'webchat', name: 'Plain' })
    expect(await admin.patch(`/channel/${webchat.id}`, { appid: 'x' }, 1)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'appid', code: 'unknown' }] },
    })
    expect(await admin.post('/channel', { bot, name: 'Lost', type: 'webchat', pagetoken: 'secret' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'pagetoken', code: 'unknown' }] },
    })
  })

  test('takes origins separated by semicolons and nothing else, and known types of attachments [P-560] [P-2993]', async () => {
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
    const all = { deny_attachment_types: [...FILE_TYPES, 'video/mpeg'] }
    expect((await admin.patch(`/channel/${channel.id}`, all, 1)).status).toBe(200)
    const unknown = await admin.patch(`/channel/${channel.id}`, { deny_attachment_types: ['text/html'] }, 2)
    expect(unknown.body.errors).toMatchObject([{ code: 'option' }])
  })
})

test('a connection test of a gateway without a test call says that it cannot be tested [P-1756]', async () => {
  const profile = JSON.stringify({ send: { path: '/messages', body: 'message' }, receive: 'body' })
  const given = { channel_verify_token: 'v', channel_extra_info: profile, url: 'https://gateway.example' }
  const { id } = await make({ type: 'marketplace', ...given })
  const { status, body } = await admin.post(`/channel/${id}/test`, {})
  expect(status).toBe(200)
  expect(body.ok).toBe(false)
  expect(body.checks).toContainEqual(
    expect.objectContaining({ part: 'provider', ok: false, code: 'channel.untestable' }),
  )
})
