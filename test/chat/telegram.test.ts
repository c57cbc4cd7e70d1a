import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { makeChatBot } from '#test/api/chat-bot.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { startTelegram, TELEGRAM_BOT, TELEGRAM_TOKEN } from '#test/doubles/telegram-server.ts'
import { PROVIDER_ENV, PUBLIC_URL } from '#test/doubles/whatsapp/provider-server.ts'
import { object, objects, words } from '#test/doubles/whatsapp/wire.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { PIXEL } from '#test/fixture/pixel.ts'

const SOON = { timeout: 15_000, interval: 50 }

/** It asks whether something is right, and notes the answer after the delay of the bot. */
const FLOW = {
  operators: {
    start: plainBlock('start', 0),
    ask: plainBlock('prompt', 100, { varname: 'certo', data: { type: 'confirm', text: 'Está **certo**?' } }),
    hello: plainBlock('text', 200, { text: 'Anotado: {{certo}}', enableDelay: true }),
    end: plainBlock('prompt', 300, { varname: 'mais', data: { type: 'text', text: 'Mais?' } }),
  },
  links: { a: link('start', 'ask'), b: link('ask', 'hello'), c: link('hello', 'end'), d: link('end', 'ask') },
}

const telegram = await startTelegram()
const { parley, admin } = await openAdmin({ env: PROVIDER_ENV })
const made = await makeChatBot(admin, { stepdelay: 1_000 })
const bot = made.bot
expect((await admin.put(`/dialog/${made.dialog}/flow`, FLOW)).status).toBe(200)
expect((await admin.post(`/dialog/${made.dialog}/publish`)).status).toBe(200)
const fields = { bot, type: 'telegram', name: 'Telegram', url: telegram.url, auth_token: TELEGRAM_TOKEN }
const { status, text, body } = await admin.post('/channel', { ...fields, enable: false })
expect(status, text).toBe(201)
const channel = body.id
afterAll(async () => {
  telegram.close()
})

const ids = { last: 0 }
const nextId = () => {
  ids.last += 1
  return ids.last
}
const person = (id: number) => ({ id, is_bot: false, first_name: 'Ana', language_code: 'pt-br' })
const message = (from: number, members: object) => ({
  message: {
    ...{ message_id: nextId(), from: person(from), chat: { id: from, type: 'private' } },
    ...{ date: Math.floor(Date.now() / 1000), ...members },
  },
})
const tell = async (body: object) => {
  const answer = await telegram.update(parley.origin, body as never)
  expect(answer.status).toBe(200)
  return answer.json()
}
const textsTo = (chat: number) => telegram.calls('sendMessage', String(chat)).map(({ body }) => words(body.text))
const buttonsOf = (chat: number) => {
  const rows = object(telegram.calls('sendMessage', String(chat)).at(-1)?.body.reply_markup).inline_keyboard
  return Array.isArray(rows) ? rows.flatMap(objects) : []
}
const press = (from: number, id: string, data: unknown) => ({
  callback_query: { id, from: person(from), data, message: { message_id: 1, chat: { id: from, type: 'private' } } },
})
const health = async () => (await admin.get(`/channel/${channel}/health`)).body

describe('a channel of Telegram', () => {
  test('registers its webhook as soon as it is enabled, and tells when Telegram calls another [P-2240]', async () => {
    const tested = async () => (await admin.post(`/channel/${channel}/test`, {})).body
    expect(await tested()).toMatchObject({ ok: false, checks: [{}, {}, { code: 'channel.unconnected' }] })
    expect((await admin.post(`/channel/${channel}/connect`, {})).body).toMatchObject({ ok: false })
    expect(telegram.hook.url).toBe('')
    const { revision } = (await admin.get(`/channel/${channel}`)).body
    expect((await admin.patch(`/channel/${channel}`, { enable: true }, revision)).status).toBe(200)
    await vi.waitFor(() => expect(telegram.hook.url).toBe(`${PUBLIC_URL}/channel/${channel}`), SOON)
    expect(telegram.hook.secret).toMatch(/^[\da-f]{64}$/)
    expect(await tested()).toMatchObject({ ok: true, checks: [{}, {}, { part: 'provider', detail: '@lume_bot' }] })
    telegram.hook.url = 'https://elsewhere.example.com'
    expect(await tested()).toMatchObject({ ok: false, checks: [{}, {}, { code: 'channel.unconnected' }] })
    expect((await admin.post(`/channel/${channel}/connect`, {})).body).toMatchObject({ ok: true })
    expect(telegram.hook.url).toBe(`${PUBLIC_URL}/channel/${channel}`)
  })

  test('is in error while Telegram does not take its address, with the reason, until it is connected [P-2251]', async () => {
    telegram.state.hookError = 'Bad Request: bad webhook: Failed to resolve host'
    const { body } = await admin.post(`/channel/${channel}/connect`, {})
    expect(body).toMatchObject({ ok: false, checks: [{}, {}, { part: 'provider', code: 'channel.answer' }] })
    expect(await health()).toMatchObject({ state: 'error', code: 'unconnected', detail: telegram.state.hookError })
    telegram.state.hookError = ''
    expect((await admin.post(`/channel/${channel}/connect`, {})).body).toMatchObject({ ok: true })
    expect(await health()).toMatchObject({ state: 'new' })
  })

  test('takes no update without the secret that Telegram was given [P-2241]', async () => {
    for (const secret of ['', TELEGRAM_TOKEN, `${telegram.hook.secret}0`])
      expect((await telegram.update(parley.origin, message(1, { text: 'oi' }) as never, secret)).status).toBe(401)
    await pause(300)
    expect(textsTo(1)).toEqual([])
  })

  test('asks with buttons, takes a press once, and shows that it writes [P-2234] [P-2242]', async () => {
    await tell(message(2, { text: 'oi' }))
    await vi.waitFor(() => expect(textsTo(2)).toEqual(['Está certo?']), SOON)
    const [yes] = buttonsOf(2)
    expect(yes).toMatchObject({ text: 'Sim' })
    const pressed = press(2, 'q1', yes?.callback_data)
    expect(await tell(pressed)).toEqual({ method: 'answerCallbackQuery', callback_query_id: 'q1' })
    await tell(pressed)
    await vi.waitFor(() => expect(textsTo(2)).toEqual(['Está certo?', 'Anotado: true', 'Mais?']), SOON)
    expect(telegram.calls('sendChatAction', '2')).toMatchObject([{ body: { action: 'typing' } }])
    const { items } = (await admin.get(`/conversation?bot=${bot}&channel=${channel}&size=50`)).body
    const [first] = await Promise.all(items.map(({ id }) => admin.get(`/conversation/${String(id)}/transcript`)))
    expect(objects(first?.body.messages).at(-1)).toMatchObject({ from: 'bot', delivery: { status: 'sent' } })
  })

  test('answers no group, and passes over edits and unknown updates [P-2233]', async () => {
    const group = { ...message(3, { text: 'oi' }).message, chat: { id: -100, type: 'group' } }
    expect(await tell({ message: group })).toEqual({})
    await tell({ edited_message: message(3, { text: 'olá' }).message })
    await tell({ poll: { id: '1' } })
    await pause(500)
    expect([textsTo(3), textsTo(-100)]).toEqual([[], []])
  })

  test('begins a conversation by a link, whose payload is a payload and no words [P-2243]', async () => {
    await tell(message(4, { text: '/start promo' }))
    await vi.waitFor(() => expect(textsTo(4)).toEqual(['Está certo?']), SOON)
    await tell(message(4, { text: '/start outro' }))
    // The question waits, and is asked again.
    await vi.waitFor(() => expect(textsTo(4)).toEqual(['Está certo?', 'Está certo?']), SOON)
    await tell(message(4, { text: 'sim' }))
    await vi.waitFor(() => expect(textsTo(4).slice(2)).toEqual(['Anotado: true', 'Mais?']), SOON)
  })

  test('waits as long as Telegram says, keeps the order, and counts a person who blocked it for nobody else [P-2244]', async () => {
    telegram.faults.push({
      status: 429,
      description: 'Too Many Requests: retry after 2',
      parameters: { retry_after: 2 },
    })
    const began = Date.now()
    await tell(message(7, { text: 'oi' }))
    await vi.waitFor(() => expect(telegram.calls('sendMessage', '7')).toHaveLength(1), SOON)
    await vi.waitFor(async () => expect(await health()).toMatchObject({ state: 'failing', code: 'limit' }), SOON)
    await vi.waitFor(() => expect(telegram.calls('sendMessage', '7')).toHaveLength(2), SOON)
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_800)
    await vi.waitFor(async () => expect(await health()).toMatchObject({ state: 'ok' }), SOON)
    telegram.faults.push({ status: 403, description: 'Forbidden: bot was blocked by the user' })
    await tell(message(8, { text: 'oi' }))
    await vi.waitFor(() => expect(telegram.calls('sendMessage', '8')).toHaveLength(1), SOON)
    await vi.waitFor(async () => {
      const { items } = (await admin.get(`/bot/${bot}/logs?service=telegram:${channel}&size=100`)).body
      expect(items.map(({ detail }) => detail)).toContainEqual(
        expect.stringContaining('telegram.blocked bot was blocked by the user'),
      )
    }, SOON)
    expect(await health()).toMatchObject({ state: 'ok' })
  })

  test('fetches a file by its id, and says when it gets none [P-2237]', async () => {
    telegram.files.set('AgAC', PIXEL)
    await tell(message(5, { photo: [{ file_id: 'AgAC', width: 1, height: 1 }] }))
    await tell(message(6, { document: { file_id: 'gone', file_name: 'nota.pdf', mime_type: 'application/pdf' } }))
    const attachments = async () => {
      const { items } = (await admin.get(`/conversation?bot=${bot}&channel=${channel}&size=50`)).body
      const all = await Promise.all(items.map(({ id }) => admin.get(`/conversation/${String(id)}/transcript`)))
      return all.flatMap(({ body }) => objects(body.messages)).flatMap(({ attachments: held }) => objects(held))
    }
    await vi.waitFor(async () => {
      const png = (await attachments()).find(({ contentType }) => contentType === 'image/png')
      const kept = await fetch(words(png?.contentUrl).replace(PUBLIC_URL, parley.origin))
      expect(Buffer.from(await kept.arrayBuffer())).toEqual(PIXEL)
      const { items } = (await admin.get(`/bot/${bot}/logs?service=telegram:${channel}&size=100`)).body
      const lines = items.map(({ code, detail }) => `${code} ${detail}`)
      expect(lines).toContain('channel.media application/pdf · channel.answer')
    }, SOON)
    expect(await health()).toMatchObject({ state: 'warning', code: 'files' })
  })

  test('keeps what it says while the token is refused, and sends it with a new one [P-2245]', async () => {
    telegram.state.token = `${TELEGRAM_BOT}:AAFnew-token-of-the-same-bot-0123456789`
    await tell(message(9, { text: 'oi' }))
    await vi.waitFor(async () => expect(await health()).toMatchObject({ state: 'error', code: 'unauthorized' }), SOON)
    expect(textsTo(9)).toEqual([])
    const before = telegram.hook.secret
    const { revision } = (await admin.get(`/channel/${channel}`)).body
    const changed = await admin.patch(`/channel/${channel}`, { auth_token: telegram.state.token }, revision)
    expect(changed.status, changed.text).toBe(200)
    await vi.waitFor(() => expect(textsTo(9)).toEqual(['Está certo?']), SOON)
    await vi.waitFor(() => expect(telegram.hook.secret).not.toBe(before), SOON)
    expect((await telegram.update(parley.origin, message(9, { text: 'oi' }) as never, before)).status).toBe(401)
  })
})
