import { expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { parley } = await openAdmin()

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
