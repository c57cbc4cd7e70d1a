import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { type Client, discard } from '#test/api/harness.ts'
import { type HostedParley, openParley } from '#test/api/open-parley.ts'
import { startGraphServer } from '#test/doubles/graph-server.ts'
import { PIXEL } from '#test/fixture/pixel.ts'

const SECRET = 'app-secret'
const GIVEN = { env: { ALLOW_PRIVATE_ADDRESSES: 'true' }, limits: { channelLookMs: 1_000 } }

let parley: HostedParley
let admin: Client
let graph: Awaited<ReturnType<typeof startGraphServer>>
let bot: string
let channel: string
let zenvia: string

const made = async (fields: object): Promise<string> => {
  const { status, text, body } = await admin.post('/channel', { bot, ...fields })
  expect(status, text).toBe(201)
  return body.id
}

beforeAll(async () => {
  graph = await startGraphServer()
  parley = await openParley(GIVEN)
  admin = await parley.signIn()
  const confirm = { varname: 'nome', data: { type: 'confirm', text: 'Está **certo**?' } }
  bot = (await makeChatBot(admin, {}, confirm)).bot
  const secrets = { auth_token: 'EAAx', app_secret: SECRET, channel_verify_token: 'handshake' }
  channel = await made({ type: 'whatsapp_meta', account_id: '104', url: graph.url, ...secrets })
  const given = { sender_number: 'lume', auth_token: 'z', channel_verify_token: 'zenvia-token' }
  zenvia = await made({ type: 'whatsapp_zenvia', url: graph.url, deny_attachment_types: ['image/gif'], ...given })
}, 120_000)
afterAll(async () => {
  graph.close()
  await discard(parley)
})

const change = (value: object) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', ...value } }] }],
})
const message = (from: string, id: string, content: object) =>
  change({
    metadata: { display_phone_number: '5511', phone_number_id: '104' },
    contacts: [{ profile: { name: 'Ana' }, wa_id: from }],
    messages: [{ from, id, timestamp: String(Math.floor(Date.now() / 1000)), ...content }],
  })
const text = (from: string, id: string, body: string) => message(from, id, { type: 'text', text: { body } })
const receipt = (id: string, status: string, more: object = {}) =>
  change({ statuses: [{ id, status, timestamp: String(Math.floor(Date.now() / 1000)), recipient_id: '55', ...more }] })

const call = async (body: string | object, headers: Record<string, string> = {}, path = `/channel/${channel}`) => {
  const content = typeof body === 'string' ? body : JSON.stringify(body)
  const signature = `sha256=${createHmac('sha256', SECRET).update(content).digest('hex')}`
  return fetch(`${parley.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature, ...headers },
    body: content,
  })
}
/** The answer to a call that says how large it is, before any of its body is sent. */
const announced = (bytes: number): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': bytes }
    const asked = request(`${parley.origin}/channel/${channel}`, { method: 'POST', headers }, answer => {
      resolve(answer.statusCode)
      asked.destroy()
    })
    asked.on('error', reject)
    asked.flushHeaders()
  })
const sentTo = (to: string) => graph.sent.filter(one => one.to === to)
const isSent = (to: string, count: number) =>
  vi.waitFor(() => expect(sentTo(to).length).toBeGreaterThanOrEqual(count), { timeout: 15_000, interval: 50 })

interface Shown {
  readonly from: string
  readonly text?: string
  readonly attachments?: readonly { readonly contentUrl: string; readonly contentType: string }[]
  readonly delivery?: { readonly status: string; readonly code: string }
}
const transcripts = async (of: string): Promise<readonly Shown[]> => {
  const { items } = (await admin.get(`/conversation?bot=${bot}&channel=${of}&size=50`)).body
  const all = await Promise.all(items.map(({ id }) => admin.get(`/conversation/${String(id)}/transcript`)))
  return all.flatMap(({ body }) => body.messages as readonly Shown[])
}

describe('a WhatsApp channel of Meta', () => {
  test('answers the challenge to who knows its verify token alone [D-3.1.13]', async () => {
    const ask = (token: string) =>
      fetch(`${parley.origin}/channel/${channel}?hub.mode=subscribe&hub.challenge=77&hub.verify_token=${token}`)
    const right = await ask('handshake')
    expect([right.status, await right.text()]).toEqual([200, '77'])
    expect((await ask('guess')).status).toBe(403)
  })

  test('carries text, button presses and answers, each once [D-3.1.13] [D-3.1.04] [R-68] [P-1121]', async () => {
    const first = text('5511910000001', 'wamid.in1', 'oi')
    expect((await call(first)).status).toBe(200)
    await isSent('5511910000001', 1)
    const asked = sentTo('5511910000001')[0]
    expect(asked?.interactive?.type).toBe('button')
    const [yes] = asked?.interactive?.action.buttons ?? []
    const press = { type: 'interactive', interactive: { type: 'button_reply', button_reply: yes?.reply } }
    // The provider repeats its calls.
    const again = message('5511910000001', 'wamid.in2', press)
    await Promise.all([call(first), call(again), call(again)])
    await isSent('5511910000001', 3)
    expect(sentTo('5511910000001')[1]?.text?.body).toBe('Oi, true')
    await pause(500)
    expect(sentTo('5511910000001')).toHaveLength(3)
    const said = (await transcripts(channel)).filter(({ from }) => from === 'user').map(({ text: words }) => words)
    expect(said).toEqual(['oi', yes?.reply.title])
  })

  test('shows what became of a message, and never goes back to less [R-68] [P-1122]', async () => {
    await call(text('5511910000002', 'wamid.in3', 'oi'))
    await isSent('5511910000002', 1)
    const id = `wamid.${graph.sent.findIndex(({ to }) => to === '5511910000002') + 1}`
    const shown = async () => (await transcripts(channel)).flatMap(one => one.delivery?.status ?? [])
    await vi.waitFor(async () => expect(await shown()).toContain('sent'), { timeout: 10_000 })
    await call(receipt(id, 'read'))
    await call(receipt(id, 'delivered'))
    expect((await shown()).filter(status => status === 'read')).toHaveLength(1)
  })

  test('records why a message is rejected, and continues with the next [R-68] [P-1122]', async () => {
    graph.answers.push({ status: 400, body: { error: { code: 131026, message: 'undeliverable' } } })
    await call(text('5511910000003', 'wamid.in4', 'oi'))
    await isSent('5511910000003', 1)
    await vi.waitFor(
      async () =>
        expect(await transcripts(channel)).toContainEqual(
          expect.objectContaining({ delivery: expect.objectContaining({ status: 'failed', code: '131026' }) }),
        ),
      { timeout: 10_000 },
    )
    await call(text('5511910000003', 'wamid.in5', 'sim'))
    await isSent('5511910000003', 3)
  })

  test('a gateway that dies between request and answer does not send twice, and says that it does not know [R-68] [P-1123]', async () => {
    graph.answers.push('hold')
    await call(text('5511910000004', 'wamid.in6', 'oi'))
    await isSent('5511910000004', 1)
    await parley.kill()
    parley = await openParley({ ...GIVEN, folder: parley.folder })
    admin = await parley.signIn()
    await vi.waitFor(
      async () =>
        expect((await transcripts(channel)).some(({ delivery }) => delivery?.status === 'unknown')).toBe(true),
      { timeout: 20_000 },
    )
    await call(text('5511910000004', 'wamid.in7', 'sim'))
    await isSent('5511910000004', 3)
    expect(sentTo('5511910000004').map(one => one.text?.body ?? one.interactive?.type)).toEqual([
      'button',
      'Oi, true',
      'button',
    ])
  }, 90_000)
})

test('a call that a provider repeats counts once for its sender [P-1121]', async () => {
  const one = (n: number) => ({ from: '5511977770000', id: `wamid.repeat${n}`, type: 'text', text: { body: `m${n}` } })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const messages = Array.from({ length: 40 }, (_, n) => ({ ...one(n), timestamp }))
  const metadata = { display_phone_number: '5511', phone_number_id: '104' }
  const many = change({ metadata, contacts: [{ profile: { name: 'Eva' }, wa_id: '5511977770000' }], messages })
  for (let n = 0; n < 3; n += 1) expect((await call(many)).status).toBe(200)
})

/** A form that Twilio signed for the address of a channel. */
const signedForm = async (id: string, form: Readonly<Record<string, string>>) => {
  const url = `${parley.origin}/channel/${id}`
  const told = Object.keys(form)
    .sort()
    .map(name => `${name}${form[name]}`)
    .join('')
  const signature = createHmac('sha1', 'tw').update(`${url}${told}`).digest('base64')
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
  return (await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form).toString() })).status
}

describe('an event of another number', () => {
  const to = (number: string, from: string, id: string) => ({
    ...change({
      metadata: { display_phone_number: `551130000${number}`, phone_number_id: number },
      messages: [{ from, id, timestamp: String(Math.floor(Date.now() / 1000)), type: 'text', text: { body: 'oi' } }],
    }),
  })
  const notices = async () => {
    const { items } = (await admin.get('/notification?size=50')).body
    return items.filter(({ message: code }) => code === 'channel.unrouted')
  }

  test('gets no answer and one notification for its number [P-1740] [P-1741]', async () => {
    for (const n of [1, 2]) expect((await call(to('999', '5511933330001', `wamid.un${n}`))).status).toBe(200)
    await vi.waitFor(async () => expect(await notices()).toHaveLength(1), { timeout: 10_000 })
    expect((await notices())[0]).toMatchObject({
      ...{ entity: 'channel', entityid: channel, notificationType: 'warn' },
      params: { number: '551130000999', family: 'whatsapp_meta' },
    })
    expect(sentTo('5511933330001')).toEqual([])
    expect(await transcripts(channel)).not.toContainEqual(expect.objectContaining({ text: 'wamid.un1' }))
  })

  test('gets an answer from its own channel with the same app secret [P-1742]', async () => {
    const secrets = { auth_token: 'EAAx', app_secret: SECRET, channel_verify_token: 'other' }
    const other = await made({ type: 'whatsapp_meta', account_id: '105', url: graph.url, ...secrets })
    const foreign = { ...secrets, app_secret: 'of-another-app' }
    await made({ type: 'whatsapp_meta', account_id: '106', url: graph.url, ...foreign })
    expect((await call(to('105', '5511933330002', 'wamid.own1'))).status).toBe(200)
    expect((await call(to('106', '5511933330003', 'wamid.own2'))).status).toBe(200)
    await isSent('5511933330002', 1)
    expect((await admin.get(`/conversation?bot=${bot}&channel=${other}`)).body.total).toBe(1)
    expect(sentTo('5511933330003')).toEqual([])
  })

  test('gets no answer from another page or number of Twilio [P-1740]', async () => {
    graph.files.set('/v23.0/me?fields=id', Buffer.from('{"id":"777"}'))
    const secrets = { pagetoken: 't', verifytoken: 'v', app_secret: SECRET, url: graph.url }
    const page = await made({ type: 'facebook', ...secrets })
    const event = (recipient: string, mid: string) => ({
      object: 'page',
      entry: [
        {
          id: recipient,
          messaging: [
            { sender: { id: 'psid' }, recipient: { id: recipient }, timestamp: 1, message: { mid, text: 'oi' } },
          ],
        },
      ],
    })
    expect((await call(event('778', 'm.1'), {}, `/channel/${page}`)).status).toBe(200)
    expect((await call(event('777', 'm.2'), {}, `/channel/${page}`)).status).toBe(200)
    const twilio = await made({
      type: 'whatsapp_twilio',
      sender_number: '+551140000001',
      account_id: 'AC1',
      auth_token: 'tw',
    })
    const form = { MessageSid: 'SM1', From: 'whatsapp:+5511933330009', To: 'whatsapp:+551140000002', Body: 'oi' }
    expect(await signedForm(twilio, form)).toBe(200)
    expect(await signedForm(twilio, { ...form, MessageSid: 'SM2', To: 'whatsapp:+551140000001' })).toBe(200)
    await vi.waitFor(
      async () => expect((await admin.get(`/conversation?bot=${bot}&channel=${twilio}`)).body.total).toBe(1),
      { timeout: 10_000 },
    )
    expect((await transcripts(twilio)).filter(({ from }) => from === 'user')).toHaveLength(1)
    await vi.waitFor(
      async () => expect((await admin.get(`/conversation?bot=${bot}&channel=${page}`)).body.total).toBe(1),
      { timeout: 10_000 },
    )
    expect((await transcripts(page)).filter(({ from }) => from === 'user')).toHaveLength(1)
  })

  test('cannot belong to two enabled channels: the second returns 409 with the name of the first [P-1744]', async () => {
    const secrets = { auth_token: 'EAAx', app_secret: SECRET, channel_verify_token: 'second' }
    const given = { bot, type: 'whatsapp_meta', account_id: '104', ...secrets }
    const refused = await admin.post('/channel', given)
    expect([refused.status, refused.body.code]).toEqual([409, 'channel.numbertaken'])
    expect(refused.text).toContain('WhatsApp · Meta')
    const waiting = await made({ ...given, enable: false })
    expect((await admin.patch(`/channel/${waiting}`, { enable: true }, 1)).body.code).toBe('channel.numbertaken')
  })
})

describe('the health of a channel', () => {
  const health = async (id: string) => (await admin.get(`/channel/${id}/health`)).body

  test('counts what came in and went out [P-1753]', async () => {
    const shown = async () => {
      const { status, body } = await admin.get(`/bot/${bot}/channelhealth`)
      expect(status).toBe(200)
      return body.items.find(({ id }) => id === channel)
    }
    // Messages of the tests before may still be on their way.
    await vi.waitFor(async () => expect(await shown()).toMatchObject({ state: 'ok', code: '', waiting: 0 }), {
      timeout: 15_000,
    })
    const { hours, lastin } = (await health(channel)) as unknown as AnswerOf<'GET /channel/{id}/health'>
    expect(hours).toHaveLength(24)
    expect(hours.at(-1)?.in).toBeGreaterThan(0)
    expect(Date.now() - Date.parse(lastin ?? '')).toBeLessThan(600_000)
  })

  test('shows a token that is refused until it is replaced, and then sends what waits, with a notification of each change [P-1752] [P-1753] [P-1884]', async () => {
    const expired = { status: 401, body: { error: { code: 190, message: 'Session has expired' } } }
    graph.answers.push(expired, expired)
    await call(text('5511910000031', 'wamid.expired', 'oi'))
    await vi.waitFor(
      async () => expect(await health(channel)).toMatchObject({ state: 'error', code: 'unauthorized', detail: '190' }),
      { timeout: 15_000 },
    )
    expect(await health(channel)).toMatchObject({ waiting: 1 })
    const { items } = (await admin.get(`/bot/${bot}/logs?size=100`)).body
    expect(items).toContainEqual(
      expect.objectContaining({
        code: 'delivery.unauthorized',
        detail: 'buttons · 190 Access token has expired · +60 s',
      }),
    )
    await vi.waitFor(async () => expect((await admin.get('/notification?size=50')).text).toContain('channel.error'), {
      timeout: 20_000,
      interval: 500,
    })
    const { revision } = (await admin.get(`/channel/${channel}`)).body
    expect((await admin.patch(`/channel/${channel}`, { auth_token: 'EAAnew' }, revision)).status).toBe(200)
    await isSent('5511910000031', 3)
    await vi.waitFor(async () => expect(await health(channel)).toMatchObject({ state: 'ok', waiting: 0 }), {
      timeout: 10_000,
    })
    await vi.waitFor(
      async () => {
        const { items } = (await admin.get('/notification?size=50')).body
        const told = items.filter(({ entityid, message: code }) => entityid === channel && code !== 'channel.unrouted')
        expect(told.map(({ message: code }) => code)).toEqual(['channel.ok', 'channel.error'])
      },
      { timeout: 40_000, interval: 500 },
    )
  }, 90_000)
})

describe('a link that opens a chat', () => {
  test('answers no question that waits [P-1754]', async () => {
    const page = (await admin.get(`/channel?bot=${bot}&size=50`)).body.items.find(({ type }) => type === 'facebook')
    const call1 = (event: object) =>
      call(
        {
          object: 'page',
          entry: [{ id: '777', messaging: [{ sender: { id: 'ref' }, recipient: { id: '777' }, ...event }] }],
        },
        {},
        `/channel/${page?.id}`,
      )
    expect((await call1({ timestamp: Date.now(), message: { mid: 'm.r1', text: 'oi' } })).status).toBe(200)
    expect((await call1({ timestamp: Date.now() + 1, referral: { ref: 'promo_junho' } })).status).toBe(200)
    expect((await call1({ timestamp: Date.now() + 2, optin: { ref: 'clube' } })).status).toBe(200)
    await pause(1_000)
    const shown = await transcripts(String(page?.id))
    expect(shown.map(({ text: words }) => words ?? '').join(' ')).not.toMatch(/promo_junho|clube|true|false/u)
  })
})

describe('a channel that misses what its provider needs', () => {
  test('is saved disabled and cannot be enabled before it has it [P-1745]', async () => {
    const id = await made({ type: 'whatsapp_meta', account_id: '120' })
    expect((await admin.get(`/channel/${id}`)).body.enable).toBe(false)
    const { status, body } = await admin.patch(`/channel/${id}`, { enable: true }, 1)
    expect(status).toBe(422)
    expect(body.errors).toMatchObject(
      ['auth_token', 'app_secret', 'channel_verify_token'].map(path => ({ path, code: 'required' })),
    )
    const secrets = { auth_token: 't', app_secret: 's', channel_verify_token: 'v' }
    expect((await admin.patch(`/channel/${id}`, { enable: true, ...secrets }, 1)).status).toBe(200)
  })
})

describe('calls that are not the provider’s', () => {
  test('are refused: another signature, no signature, another token, no such channel, too much, no body of its [P-1124]', async () => {
    const body = text('5511910000009', 'wamid.bad', 'oi')
    expect((await call(body, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })).status).toBe(401)
    expect((await call(body, { 'x-hub-signature-256': '' })).status).toBe(401)
    expect((await call(body, {}, `/channel/${zenvia}/guess`)).status).toBe(401)
    expect((await call(body, {}, `/channel/${bot}`)).status).toBe(404)
    expect(await announced(4_000_000)).toBe(413)
    const statuses = Array.from({ length: 2_001 }, (_, n) => ({ id: `wamid.many${n}`, status: 'read' }))
    expect((await call(change({ metadata: { phone_number_id: '104' }, statuses }))).status).toBe(413)
    for (const garbage of ['', '{', '[]', '{"object":7}', '\u0000'.repeat(1000)])
      expect([200, 400], garbage).toContain((await call(garbage)).status)
    expect(sentTo('5511910000009')).toEqual([])
  })
})

describe('files that people send', () => {
  const file = (id: string, path: string) => ({
    id,
    timestamp: new Date().toISOString(),
    type: 'MESSAGE',
    channel: 'whatsapp',
    direction: 'IN',
    message: {
      ...{ id, from: '5511911111111', to: 'lume', direction: 'IN', visitor: { name: 'Bo' } },
      contents: [{ type: 'file', fileUrl: path, fileMimeType: 'image/png', fileName: 'foto.png' }],
    },
  })
  const bring = (id: string, path: string) => call(file(id, path), {}, `/channel/${zenvia}/zenvia-token`)
  const kept = async () => (await transcripts(zenvia)).flatMap(({ attachments = [] }) => attachments)

  test('are fetched at once and kept, by what they hold [P-1125]', async () => {
    graph.files.set('/foto', PIXEL).set('/gif', Buffer.from('GIF89a....')).set('/html', Buffer.from('<html>'))
    expect((await bring('z1', `${graph.url}/foto`)).status).toBe(200)
    await vi.waitFor(async () => expect(await kept()).toHaveLength(1), { timeout: 15_000 })
    const [one] = await kept()
    expect(one?.contentType).toBe('image/png')
    const read = await fetch(one?.contentUrl ?? '')
    expect(Buffer.from(await read.arrayBuffer())).toEqual(PIXEL)
  })

  test('of a denied type, of no known type, or that are not there are left out [D-3.1.03] [P-1125]', async () => {
    for (const [id, path] of [
      ['z2', '/gif'],
      ['z3', '/html'],
      ['z4', '/none-there-posted'],
    ] as const)
      expect((await bring(id, `${graph.url}${path}`)).status).toBe(200)
    await vi.waitFor(
      async () => {
        const { items } = (await admin.get(`/bot/${bot}/logs?size=100`)).body
        expect(items.map(({ code }) => code)).toEqual(expect.arrayContaining(['channel.denied', 'channel.media']))
      },
      { timeout: 15_000 },
    )
    expect(await kept()).toHaveLength(1)
    // A file that could not be fetched keeps its name, and the person reads why nothing happens.
    const shown = await transcripts(zenvia)
    expect(shown.filter(({ from, text: words }) => from === 'user' && words === 'foto.png')).toHaveLength(4)
    const { items } = (await admin.get(`/bot/${bot}/logs?size=100`)).body
    expect(items).toContainEqual(expect.objectContaining({ code: 'channel.media', detail: 'image/png · http.404' }))
    expect(shown.some(({ text: words }) => words?.startsWith('Não foi possível receber o arquivo') === true)).toBe(true)
  }, 30_000)
})

describe('an opt-out', () => {
  const [late, stopped, refused] = ['5511987650031', '5511987650032', '5511987650033']
  const state = async (phone: string) => {
    const { body } = await admin.post('/suppression/search', { phone })
    return (body.history as readonly { source: string; rule: string }[]).map(({ source, rule }) => `${source} ${rule}`)
  }
  const soon = (phone: string, wanted: readonly string[]) =>
    vi.waitFor(async () => expect(await state(phone)).toEqual(wanted), { timeout: 10_000, interval: 100 })

  test('counts in the press of an earlier question [P-1880]', async () => {
    await call(text(late, 'wamid.late1', 'oi'))
    await isSent(late, 1)
    const [yes] = sentTo(late)[0]?.interactive?.action.buttons ?? []
    const press = (id: string) =>
      call(message(late, id, { type: 'interactive', interactive: { type: 'button_reply', button_reply: yes?.reply } }))
    await press('wamid.late2')
    await isSent(late, 3)
    const words = [
      { locale: 'pt', word: String(yes?.reply.title), sure: true },
      { locale: 'pt', word: 'SAIR', sure: false },
    ]
    const setting = await admin.post('/optoutsetting', { words, reply: [{ locale: 'pt', text: 'Pronto.' }] })
    expect(setting.status, setting.text).toBe(201)
    expect((await press('wamid.late3')).status).toBe(200)
    await soon(late, ['word sure'])
    await vi.waitFor(() => expect(sentTo(late).at(-1)?.text?.body).toBe('Pronto.'), { timeout: 10_000 })
  }, 30_000)

  test('is learned from the code by which the provider refuses a message [P-1881]', async () => {
    graph.answers.push({ status: 400, body: { error: { code: 131050, message: 'stopped' } } })
    await call(text(refused, 'wamid.ref1', 'oi'))
    await soon(refused, ['meta 131050'])
  })

  test('counts while the channel is disabled, and so does a receipt, although the call is answered with 404 [P-2249]', async () => {
    const disabled = '5511987650034'
    await call(text(disabled, 'wamid.dis1', 'oi'))
    await isSent(disabled, 1)
    const id = `wamid.${graph.sent.findIndex(({ to }) => to === disabled) + 1}`
    const { revision } = (await admin.get(`/channel/${channel}`)).body
    expect((await admin.patch(`/channel/${channel}`, { enable: false }, revision)).status).toBe(200)
    expect((await call(receipt(id, 'read', { recipient_id: disabled }))).status).toBe(404)
    expect((await call(text(disabled, 'wamid.dis2', 'Sair'))).status).toBe(404)
    await soon(disabled, ['word nobot'])
    const { items } = (await admin.get(`/conversation?bot=${bot}&channel=${channel}&size=50`)).body
    const all = await Promise.all(items.map(each => admin.get(`/conversation/${String(each.id)}/transcript`)))
    const own = all.map(({ body }) => body.messages as readonly Shown[])
    const mine = own.filter(messages => messages.some(({ delivery }) => delivery?.status === 'read'))
    expect(mine.some(messages => messages.every(({ text: words }) => words !== 'Sair'))).toBe(true)
    expect(sentTo(disabled)).toHaveLength(1)
    await admin.patch(`/channel/${channel}`, { enable: true }, revision + 1)
  })

  test('counts while the bot is stopped, before any campaign was sent [P-1880]', async () => {
    expect((await admin.post(`/bot/${bot}/stop`, {})).status).toBe(200)
    expect((await call(text(stopped, 'wamid.stop1', 'Sair'))).status).toBe(200)
    await soon(stopped, ['word nobot'])
    expect(sentTo(stopped)).toEqual([])
  })
})
