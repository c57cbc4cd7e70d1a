import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ProviderValues } from '#runtime/channel/channel-port.ts'
import { openValues } from '#runtime/channel/shared/provider-call.ts'
import type { OutboundRequest } from '#runtime/outbound/call.ts'
import { ExpiringValues } from '#runtime/outbound/expiring-values.ts'
import type { JsonObject } from '#schemas/event.ts'
import { accepted } from '#schemas/refusal.ts'
import { TELEGRAM_BOT, TELEGRAM_TOKEN } from '#test/doubles/telegram-server.ts'
import { channelContract, loadAdapter, MESSAGES, rendered, told } from './contract.ts'
import { answeredValues, noValues, WEBHOOK, webhookRequest } from './request.ts'

const FIELDS = { auth_token: TELEGRAM_TOKEN, webhook: WEBHOOK }
const TO = { id: '42' }
const secretOf = (token: string) => createHmac('sha256', token).update('parley webhook /channel/c1').digest('hex')
const call = (body: JsonObject, secret = secretOf(TELEGRAM_TOKEN)) =>
  webhookRequest({ body: JSON.stringify(body), headers: { 'x-telegram-bot-api-secret-token': secret } })

const PRIVATE = { id: 42, type: 'private', first_name: 'Ana' }
const ANA = { id: 42, is_bot: false, first_name: 'Ana', last_name: 'Souza', username: 'ana', language_code: 'pt-br' }
const update = (members: JsonObject, message: JsonObject = {}): JsonObject => ({
  update_id: 900_001,
  message: { message_id: 7, from: ANA, chat: PRIVATE, date: 1_780_000_000, ...message, ...members },
})
const button = (text: string, data: string) => ({ text, callback_data: data })
const bad = (status: number, description: string, parameters: JsonObject = {}) =>
  [status, { ok: false, error_code: status, description, parameters }] as const

channelContract({
  type: 'telegram',
  fields: FIELDS,
  folder: '',
  body: update({ text: 'oi' }),
  signed: body => call(body),
  forged: body => [
    call(body, ''),
    call(body, secretOf(`${TELEGRAM_BOT}:another`)),
    call(body, TELEGRAM_TOKEN),
    webhookRequest({ body: JSON.stringify(body), url: `${WEBHOOK}/${secretOf(TELEGRAM_TOKEN)}` }),
  ],
  to: TO,
  sent: {
    text: [{ chat_id: '42', text: 'Olá Ana', entities: [{ type: 'bold', offset: 4, length: 3 }] }],
    buttons: [
      { text: 'Confirma?', reply_markup: { inline_keyboard: [[button('Sim', '7_yes'), button('Não', '7_no')]] } },
    ],
    list: [{ text: 'Escolha', reply_markup: { inline_keyboard: Array.from({ length: 10 }, () => [{}]) } }],
    many: [{ reply_markup: { inline_keyboard: Array.from({ length: 14 }, () => [{}]) } }],
    image: [{ photo: 'https://example.com/a.png', caption: 'Comprovante' }],
    document: [{ document: 'https://example.com/a.pdf' }],
    location: [{ latitude: -23.56, longitude: -46.65, title: 'Av. Paulista, 1', address: 'Av. Paulista, 1' }],
    carousel: ['Plano A', 'Plano B'].map(title => ({
      ...{ photo: 'https://example.com/a.jpg', caption: `${title}\nR$ 10\nPor mês` },
      caption_entities: [{ type: 'bold', offset: 0, length: 7 }],
      reply_markup: { inline_keyboard: [[button('Quero', '7_1.1')]] },
    })),
  },
  answers: [
    [200, { ok: true, result: { message_id: 9, chat: { id: 42 } } }, { kind: 'sent', id: '42.9' }],
    [...bad(429, 'Too Many Requests: retry after 35', { retry_after: 35 }), { kind: 'retry', after: 35_000 }],
    [...bad(429, 'Too Many Requests: retry after 9000', { retry_after: 9_000 }), { kind: 'retry', after: 3_600_000 }],
    [...bad(403, 'Forbidden: bot was blocked by the user'), { kind: 'final', code: 'telegram.blocked' }],
    [...bad(403, 'Forbidden: user is deactivated'), { kind: 'final', code: 'telegram.deactivated' }],
    [
      ...bad(403, "Forbidden: bot can't initiate conversation with a user"),
      { kind: 'final', code: 'telegram.notstarted' },
    ],
    [...bad(400, 'Bad Request: chat not found'), { kind: 'final', code: 'telegram.nochat' }],
    [...bad(400, 'Bad Request: message text is empty'), { kind: 'final', code: 'telegram.request' }],
    [...bad(401, 'Unauthorized'), { kind: 'unauthorized', code: 'http.401' }],
    [...bad(404, 'Not Found'), { kind: 'unauthorized', code: 'http.404' }],
    [502, undefined, { kind: 'unknown' }],
  ],
})

/** Each kind of update by its documented members, and how it reads. */
const UPDATES: readonly (readonly [name: string, body: JsonObject, read: string])[] = [
  ['words', update({ text: 'oi' }), 'text "oi" id 42.7 from 42 name Ana Souza to 123456789 at 1780000000000'],
  [
    'a start by a link',
    update({ text: '/start promo_junho' }),
    'opening id 42.7 from 42 name Ana Souza to 123456789 at 1780000000000 payload promo_junho',
  ],
  ['a start', update({ text: '/start' }), 'opening id 42.7 from 42 name Ana Souza to 123456789 at 1780000000000'],
  ['a word like start', update({ text: '/started' }), expect.stringContaining('text "/started"')],
  [
    'a reply',
    update({ text: 'sim', reply_to_message: { message_id: 5, chat: PRIVATE } }),
    expect.stringContaining('reply 42.5'),
  ],
  [
    'a photo in three sizes',
    update({
      caption: 'veja',
      photo: [
        { file_id: 'small', width: 90, height: 90 },
        { file_id: 'large', width: 1280, height: 960 },
        { file_id: 'middle', width: 320, height: 240 },
      ],
    }),
    expect.stringContaining('media large image/jpeg "veja"'),
  ],
  [
    'a document',
    update({ document: { file_id: 'd', file_name: 'nota.pdf', mime_type: 'application/pdf' } }),
    expect.stringContaining('media d application/pdf nota.pdf'),
  ],
  ['a voice message', update({ voice: { file_id: 'v', duration: 3 } }), expect.stringContaining('media v audio/ogg')],
  ['a video note', update({ video_note: { file_id: 'n' } }), expect.stringContaining('media n video/mp4')],
  [
    'an animation',
    update({ animation: { file_id: 'g' }, document: { file_id: 'g', mime_type: 'video/mp4' } }),
    expect.stringContaining('media g video/mp4 id'),
  ],
  ['a sticker', update({ sticker: { file_id: 's', emoji: '👍' } }), expect.stringContaining('media s image/webp')],
  [
    'an animated sticker',
    update({ sticker: { file_id: 's', emoji: '👍', is_animated: true } }),
    expect.stringContaining('text "👍"'),
  ],
  [
    'a place',
    update({ location: { latitude: -23.56, longitude: -46.65 } }),
    expect.stringContaining('location -23.56,-46.65'),
  ],
  [
    'a venue',
    update({ location: {}, venue: { location: { latitude: 1, longitude: 2 }, title: 'Loja', address: 'Rua 1' } }),
    expect.stringContaining('location 1,2'),
  ],
  [
    'a contact',
    update({ contact: { phone_number: '5511', first_name: 'Bia' } }),
    expect.stringContaining('contacts 1'),
  ],
  [
    'a press',
    {
      update_id: 1,
      callback_query: {
        ...{ id: 'q1', from: ANA, chat_instance: '1', data: '7_yes' },
        message: { message_id: 3, chat: PRIVATE, reply_markup: { inline_keyboard: [[button('Sim', '7_yes')]] } },
      },
    },
    'choice 7_yes "Sim" id press.q1 from 42 name Ana Souza to 123456789 at 0',
  ],
  [
    'a press on a message that Telegram no longer has',
    { update_id: 1, callback_query: { id: 'q2', from: ANA, data: '7_yes' } },
    expect.stringContaining('choice 7_yes "7_yes"'),
  ],
  [
    'a press in a group',
    {
      update_id: 1,
      callback_query: { id: 'q3', from: ANA, data: '7_yes', message: { chat: { id: -1, type: 'group' } } },
    },
    'unknown callback_query',
  ],
  [
    'an edited message',
    { update_id: 8, edited_message: { message_id: 7, from: ANA, chat: PRIVATE, text: 'olá' } },
    'edit of 42.7 by 42',
  ],
  ['words in a group', update({ text: 'oi', chat: { id: -100, type: 'supergroup' } }), 'unknown chat.supergroup'],
  ['a service message', update({ pinned_message: { message_id: 1 } }), 'unknown message'],
  ['a blocked bot', { update_id: 9, my_chat_member: { chat: PRIVATE } }, 'unknown update.my_chat_member'],
  ['an unknown update', { update_id: 10, poll_of_tomorrow: {} }, 'unknown update.poll_of_tomorrow'],
]

test.each(UPDATES)('Telegram: reads %s [P-2233]', async (_name, body, read) => {
  const { parse } = await loadAdapter('telegram')
  const events = await parse(call(body), FIELDS, noValues)
  expect(events.ok && events.value.map(told)).toEqual([read])
})

test('Telegram: refuses a body without an update id [P-2233]', async () => {
  const { parse } = await loadAdapter('telegram')
  expect(await parse(call({ message: {} }), FIELDS, noValues)).toMatchObject({ refusal: { code: 'channel.body' } })
})

test('Telegram: answers a press in the answer of the webhook, and nothing else [P-2234]', async () => {
  const { acknowledge } = await loadAdapter('telegram')
  const answerTo = (body: JsonObject) => JSON.parse(acknowledge?.(call(body)).body ?? '')
  const press = { update_id: 1, callback_query: { id: 'q1', from: ANA, data: '7_yes' } }
  expect(answerTo(press)).toEqual({ method: 'answerCallbackQuery', callback_query_id: 'q1' })
  expect(answerTo(update({ text: 'oi' }))).toEqual({})
})

test('Telegram: formats by ranges in UTF-16 units, so that no character has to be escaped [P-2235]', async () => {
  const adapter = await loadAdapter('telegram')
  const bodyOf = async (text: string) =>
    (await rendered(adapter, { ...(MESSAGES.text as object), text } as never, TO, FIELDS))[0]?.body
  expect(await bodyOf('👍 **a < b & c** _x_ ~~y~~ `z` [Loja](https://example.com/?a=1&b=2)')).toEqual({
    chat_id: '42',
    text: '👍 a < b & c x y z Loja',
    entities: [
      { type: 'bold', offset: 3, length: 9 },
      { type: 'italic', offset: 13, length: 1 },
      { type: 'strikethrough', offset: 15, length: 1 },
      { type: 'code', offset: 17, length: 1 },
      { type: 'text_link', offset: 19, length: 4, url: 'https://example.com/?a=1&b=2' },
    ],
  })
  expect(await bodyOf('<b>5 * 3_000</b> &amp; [x](tel:1)')).toEqual({
    chat_id: '42',
    text: '<b>5 * 3_000</b> &amp; x: tel:1',
  })
})

test('Telegram: puts a long text before a picture with buttons, and pages beside answers [P-2235]', async () => {
  const adapter = await loadAdapter('telegram')
  const text = Array.from({ length: 90 }, (_, at) => `Linha número ${at}.`).join('\n')
  const actions = [
    { id: '1', type: 'openUrl', title: 'Ver', value: 'https://example.com/' },
    { id: '2', type: 'postBack', title: 'Quero', value: 'x' },
  ]
  const card = {
    ...(MESSAGES.text as object),
    type: 'card',
    title: '',
    image: 'https://example.com/a.jpg',
    text,
    actions,
  }
  const made = await rendered(adapter, card as never, TO, FIELDS)
  expect(made.map(({ url }) => url.split('/').at(-1))).toEqual(['sendMessage', 'sendPhoto'])
  const { caption = '', reply_markup: markup } = (made[1]?.body ?? {}) as JsonObject
  expect(String(caption).length).toBeLessThanOrEqual(1024)
  expect(markup).toEqual({
    inline_keyboard: [
      [
        { text: 'Ver', url: 'https://example.com/' },
        { text: 'Quero', callback_data: '7_2' },
      ],
    ],
  })
})

test('Telegram: puts up to three buttons into a row while each label has at most 12 characters [P-2235]', async () => {
  const adapter = await loadAdapter('telegram')
  const rowsOf = async (...titles: readonly string[]) => {
    const actions = titles.map((title, at) => ({ id: String(at), type: 'reply', title, value: title }))
    const [made] = await rendered(adapter, { ...(MESSAGES.buttons as object), actions } as never, TO, FIELDS)
    const { reply_markup: markup } = (made?.body ?? {}) as JsonObject
    return (markup as { readonly inline_keyboard: readonly unknown[][] }).inline_keyboard.map(row => row.length)
  }
  expect(await rowsOf('x'.repeat(12), 'Não', 'Talvez')).toEqual([3])
  expect(await rowsOf('x'.repeat(13), 'Não')).toEqual([1, 1])
  expect(await rowsOf('A', 'B', 'C', 'D')).toEqual([1, 1, 1, 1])
})

/** A provider's values whose downloads answer with these bytes. */
const downloading = (body: Uint8Array, status = 200): ProviderValues =>
  openValues(
    {
      call: async ({ url }: OutboundRequest) =>
        accepted({ ...{ status, url, redirects: 0, headers: [], truncated: false }, body }),
      values: new ExpiringValues(10),
      evaluator: { evaluate: () => Promise.reject(new Error('not asked')) } as never,
    },
    'c1',
  )

test('Telegram: uploads files of types that it does not download, and links those that it does not get [P-2236]', async () => {
  const adapter = await loadAdapter('telegram')
  const file = (contentType: string, name: string) => ({
    ...(MESSAGES.document as object),
    text: 'Planilha',
    attachments: [{ contentType, contentUrl: `https://example.com/${name}`, name }],
  })
  const sheet = file('application/vnd.ms-excel', 'preço "1".xls') as never
  const [made] = await rendered(adapter, sheet, TO, FIELDS, downloading(Buffer.from([0, 255, 13, 10])))
  expect(made?.url).toBe('https://api.telegram.org/bot/sendDocument')
  const [[, type = ''] = []] = made?.headers ?? []
  const form = await new Response(made?.body as never, { headers: { 'content-type': type } }).formData()
  const sent = form.get('document') as File
  expect([form.get('chat_id'), form.get('caption'), sent.name]).toEqual(['42', 'Planilha', 'preço _1_.xls'])
  expect([...new Uint8Array(await sent.arrayBuffer())]).toEqual([0, 255, 13, 10])
  const [linked] = await rendered(adapter, sheet, TO, FIELDS, downloading(new Uint8Array(), 404))
  expect(linked?.body).toEqual({
    ...{ chat_id: '42', text: 'Planilha\npreço "1".xls: https://example.com/preço "1".xls' },
  })
  const methods = await Promise.all(
    [
      ['image/gif', 'a.gif'],
      ['audio/ogg', 'a.ogg'],
      ['audio/mpeg', 'a.mp3'],
      ['video/mp4', 'a.mp4'],
      ['application/zip', 'a.zip'],
      // Telegram shows no picture of this type.
      ['image/svg+xml', 'a.svg'],
    ].map(async ([kind = '', name = '']) => {
      const message = { ...(file(kind, name) as object), text: '' } as never
      const values = downloading(Buffer.from([1]))
      return (await rendered(adapter, message, TO, FIELDS, values))[0]?.url.split('/').at(-1)
    }),
  )
  expect(methods).toEqual(['sendAnimation', 'sendVoice', 'sendAudio', 'sendVideo', 'sendDocument', 'sendDocument'])
})

test('Telegram: has its token in addresses alone, and asks with a refused one no second time [P-2237]', async () => {
  const adapter = await loadAdapter('telegram')
  const [request] = await rendered(adapter, MESSAGES.text as never, TO, FIELDS)
  if (request === undefined) throw new Error('nothing was made')
  expect(JSON.stringify(request)).not.toContain(TELEGRAM_TOKEN)
  expect(await adapter.authorize(request, FIELDS, noValues)).toMatchObject({
    value: { url: `https://api.telegram.org/bot${TELEGRAM_TOKEN}/sendMessage`, headers: [] },
  })
  expect(await adapter.authorize(request, FIELDS, noValues, request)).toMatchObject({
    refusal: { code: 'channel.token' },
  })
  const own = { ...FIELDS, url: 'https://telegram.example.com/' }
  const [proxied] = await rendered(adapter, MESSAGES.text as never, TO, own)
  expect(await adapter.authorize(proxied ?? request, own, noValues)).toMatchObject({
    value: { url: `https://telegram.example.com/bot${TELEGRAM_TOKEN}/sendMessage` },
  })
})

test('Telegram: finds a file by its id, and leaves no folder of the files [P-2237]', async () => {
  const { mediaRequest } = await loadAdapter('telegram')
  const { values, asked } = answeredValues(() => ({ body: { ok: true, result: { file_path: 'photos/a b.jpg' } } }))
  expect(await mediaRequest?.('AgAC', FIELDS, values)).toMatchObject({
    value: { url: `https://api.telegram.org/file/bot${TELEGRAM_TOKEN}/photos/a%20b.jpg` },
  })
  expect(asked.map(({ url, body }) => [url.split('/').at(-1), body])).toEqual([['getFile', '{"file_id":"AgAC"}']])
  const { values: busy } = answeredValues(() => ({ status: 502, body: {} }))
  expect(await mediaRequest?.('AgAC', FIELDS, busy)).toMatchObject({ refusal: { code: 'outbound.unreachable' } })
  for (const file_path of ['', '../x', 'photos/../../x']) {
    const { values: others } = answeredValues(() => ({ body: { ok: true, result: { file_path } } }))
    expect(await mediaRequest?.('AgAC', FIELDS, others)).toMatchObject({ refusal: { code: 'channel.answer' } })
  }
})

test('Telegram: registers its webhook, and a test names the bot or what is wrong [P-2238]', async () => {
  const { connect, check } = await loadAdapter('telegram')
  const { values, asked } = answeredValues(() => ({ body: { ok: true, result: true } }))
  expect(await connect?.(FIELDS, values)).toMatchObject({ value: WEBHOOK })
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual({
    ...{ url: WEBHOOK, secret_token: secretOf(TELEGRAM_TOKEN) },
    allowed_updates: ['message', 'edited_message', 'callback_query'],
  })
  const info = (members: JsonObject) =>
    answeredValues(({ url }) => ({
      body: { ok: true, result: url.endsWith('getMe') ? { id: 1, username: 'lume_bot' } : members },
    })).values
  const now = Math.floor(Date.now() / 1000)
  const error = { last_error_date: now, last_error_message: 'Wrong response: 401', pending_update_count: 2 }
  expect(await check?.(FIELDS, info({ url: WEBHOOK }))).toMatchObject({ value: '@lume_bot' })
  expect(await check?.(FIELDS, info({ url: '' }))).toMatchObject({ refusal: { code: 'channel.unconnected' } })
  expect(await check?.(FIELDS, info({ url: WEBHOOK, ...error }))).toMatchObject({
    refusal: { code: 'channel.answer', params: { error: 'Wrong response: 401' } },
  })
  expect(await check?.(FIELDS, info({ url: WEBHOOK, ...error, last_error_date: now - 3_600 }))).toMatchObject({
    value: '@lume_bot',
  })
  // Telegram has delivered all since the error.
  expect(await check?.(FIELDS, info({ url: WEBHOOK, ...error, pending_update_count: 0 }))).toMatchObject({
    value: '@lume_bot',
  })
  for (const status of [401, 404]) {
    const refused = answeredValues(() => ({ status, body: { ok: false, description: 'Unauthorized' } })).values
    expect(await check?.(FIELDS, refused)).toMatchObject({ refusal: { code: 'channel.token' } })
    expect(await connect?.(FIELDS, refused)).toMatchObject({ refusal: { code: 'channel.token' } })
  }
})
