import { afterAll, beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '#schemas/language.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { discard, type Parley } from './harness.ts'
import { openParley } from './open-parley.ts'

let parley: Parley
beforeAll(async () => {
  parley = await openParley({ env: { PARLEY_SAMPLE: 'off' } })
})
afterAll(() => discard(parley))

test('lets any site load the script of the web chat, with revalidation [P-546]', async () => {
  const answer = await fetch(`${parley.origin}/chat/widget.js`, { headers: { origin: 'https://shop.example' } })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/javascript; charset=utf-8$/)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=600')
  // A body that is not read holds its connection, and with it the end of the gateway.
  expect((await answer.text()).length).toBeGreaterThan(10_000)
  const etag = answer.headers.get('etag') ?? ''
  expect(etag).not.toBe('')
  const again = await fetch(`${parley.origin}/chat/widget.js`, {
    headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
  })
  expect(again.status).toBe(304)
})

test('an address of no chat says so in the language of the browser, and runs nothing of others [P-547]', async () => {
  const answer = await fetch(`${parley.origin}/chat/%3Cscript%3E`, { headers: { 'accept-language': 'es' } })
  expect(answer.status).toBe(404)
  const page = await answer.text()
  expect(page).toContain('Este chat no existe')
  expect(page).not.toContain('<script')
  const policy = answer.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'; script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  for (const path of ['look', 'picture/x'])
    expect((await fetch(`${parley.origin}/chat/none/${path}`)).status, path).toBe(404)
})

test('the chat speaks a language of its bot: its own, or one that it has messages in [P-1921]', async () => {
  const admin = await parley.signIn()
  const bot = (await admin.post('/bot', { name: 'Lojinha', defaultlocale: 'pt' })).body.id
  const channel = (await admin.post('/channel', { bot, type: 'webchat' })).body.id
  const pageIn = async (language: string) => {
    const answer = await fetch(`${parley.origin}/chat/${channel}`, { headers: { 'accept-language': language } })
    return /<html lang="(\w+)">.*data-language="(\w+)"/su.exec(await answer.text())?.slice(1)
  }
  const languages = async () => (await (await fetch(`${parley.origin}/chat/${channel}/look`)).json()).languages

  expect(await pageIn('en')).toEqual(['pt', 'pt'])
  expect(await languages()).toEqual(['pt'])
  const message = { bot, locale: 'en', code: 'conversation.welcome', message: 'Welcome' }
  expect((await admin.post('/botspecificlocalemessage', message)).status).toBe(201)
  expect(await languages()).toEqual(['pt', 'en'])
  expect(await pageIn('en')).toEqual(['en', 'en'])
  expect(await pageIn('es')).toEqual(['pt', 'pt'])
})

test('the chat of a bot and its standard texts are in the language that it speaks, as its template is [P-2823]', async () => {
  const admin = await parley.signIn()
  const chatOf = async (bot: string) => {
    const [channel] = (await admin.get(`/channel?bot=${bot}`)).body.items
    const page = await fetch(`${parley.origin}/chat/${channel?.id}`, { headers: { 'accept-language': 'en' } })
    const { languages } = await (await fetch(`${parley.origin}/chat/${channel?.id}/look`)).json()
    return [/<html lang="(\w+)">.*data-language="(\w+)"/su.exec(await page.text())?.slice(1), languages]
  }
  for (const language of LANGUAGES) {
    const headers = { 'content-type': 'application/json', 'accept-language': language }
    const body = JSON.stringify({ name: `Dudas ${language}` })
    const { bot } = (await admin.send('POST', '/bottemplate/faq', { headers, body })).body
    expect(await chatOf(String(bot))).toEqual([[language, language], [language]])
  }

  const bot = await admin.create('bot', { name: 'Tienda', language: 'es', defaultlocale: 'en' })
  await admin.create('channel', { bot, type: 'webchat' })
  const dialogtask = await admin.create('dialogtask', { bot, name: 'Pedido' })
  const dialog = await admin.create('dialog', { dialogtask, name: 'Pedido' })
  const ask = plainBlock('prompt', 90, { varname: 'n', data: { type: 'number', text: '¿Cuántos?' } })
  const operators = { start: plainBlock('start', 0), ask }
  const flow = { format: 'parley-flow', version: 1, operators, links: { a: link('start', 'ask') } }
  expect((await admin.put(`/dialog/${dialog}/flow`, flow)).status).toBe(200)
  const refusal = async (locale?: string) => {
    const asked = { dialog, ...(locale === undefined ? {} : { locale }) }
    const { simulation } = (await admin.post(`/bot/${bot}/simulation`, asked)).body
    const said = (await admin.post(`/simulation/${simulation}/say`, { text: 'muchos' })).body.said
    return (said as unknown as readonly { text: string }[]).map(({ text }) => text).at(-2)
  }
  expect(await refusal()).toBe('Por favor, responda con un número.')
  const message = { locale: 'en', code: 'prompt.invalid.number' }
  await admin.create('localemessage', { ...message, message: 'A number, please.' })
  expect(await refusal()).toBe('Por favor, responda con un número.')
  await admin.create('botspecificlocalemessage', { ...message, bot, message: 'Solo cifras.' })
  expect(await refusal()).toBe('Solo cifras.')
  // Its own texts are Spanish, so an English chat has the English default.
  expect(await refusal('en')).toBe('Please answer with a number.')
  expect(await chatOf(bot)).toEqual([['es', 'es'], ['es']])
})

test('`bot.locale` is the language of the bot, not that of the person [P-2972]', async () => {
  const admin = await parley.signIn()
  const toldBy = async (spoken: object, locale?: string) => {
    const { bot, dialog } = await admin.createDialog(
      { name: `Idioma ${JSON.stringify(spoken)}`, ...spoken },
      'Início',
      'Início',
    )
    const operators = { start: plainBlock('start', 0), told: plainBlock('text', 90, { text: '[{{bot.locale}}]' }) }
    const flow = { format: 'parley-flow', version: 1, operators, links: { a: link('start', 'told') } }
    expect((await admin.put(`/dialog/${dialog}/flow`, flow)).status).toBe(200)
    const asked = { dialog, ...(locale === undefined ? {} : { locale }) }
    const { said } = (await admin.post(`/bot/${bot}/simulation`, asked)).body
    return (said as unknown as readonly { text: string }[]).map(({ text }) => text)
  }
  for (const language of LANGUAGES)
    expect(await toldBy({ language, defaultlocale: language === 'en' ? 'pt' : 'en' })).toEqual([`[${language}]`])
  expect(await toldBy({ language: 'es', defaultlocale: 'pt' }, 'en')).toEqual(['[es]'])
  // A bot without a language speaks that of its messages.
  expect(await toldBy({ defaultlocale: 'en' }, 'pt')).toEqual(['[en]'])
  expect(await toldBy({})).toEqual(['[pt]'])
})
