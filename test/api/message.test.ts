import { describe, expect, test } from 'vitest'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

interface Cell {
  readonly text: string | null
  readonly source: string | null
  readonly own: { readonly id: string; readonly revision: number; readonly enabled: boolean } | null
  readonly general: { readonly id: string | null; readonly message: string } | null
}
interface Item {
  readonly code: string
  readonly namespace: string | null
  readonly messages: Readonly<Record<string, Cell>>
}

describe('messages by code and language', async () => {
  const { parley, admin } = await openAdmin()
  const made = (entity: string, fields: object) => admin.create(entity, fields)
  const shop = await level(admin, 'Loja')
  const inherited = await made('localemessage', { locale: 'pt', code: 'hello', message: 'Olá' })
  await made('localemessage', { locale: 'en', code: 'hello', message: 'Hello' })
  await made('localemessage', { locale: 'pt', code: 'bye', message: 'Tchau' })
  await made('localemessage', { locale: 'pt', code: 'bye', message: 'Até logo, loja', hierarchylevel: shop })
  await made('localemessage', { locale: 'pt', code: 'off', message: 'Desligada', enabled: false })
  const bot = await made('bot', { name: 'Vendas', hierarchylevel: shop })
  await made('botspecificlocalemessage', { bot, locale: 'pt', code: 'HELLO', message: 'Oi da loja' })
  await made('botspecificlocalemessage', { bot, locale: 'en', code: 'hello', message: 'Hi', enabled: false })
  await made('botspecificlocalemessage', { bot, locale: 'en', code: 'price', namespace: 'shop', message: 'Price' })
  const actions = ['readbot', 'readlocalemessage', 'readbotspecificlocalemessage']
  const below = (await person(parley, admin, { username: 'shop.builder', level: shop, actions })).client
  const few = ['readbot', 'readbotspecificlocalemessage']
  const bare = (await person(parley, admin, { username: 'bare', level: shop, actions: ['readbot'] })).client
  const ownOnly = (await person(parley, admin, { username: 'own.only', level: shop, actions: few })).client

  const of = async (client: Client, path: string) => {
    const answer = await client.get(path)
    expect(answer.status, answer.text).toBe(200)
    return answer.body as unknown as { items: readonly Item[]; total: number; missing: Record<string, number> }
  }
  const said = ({ items }: { items: readonly Item[] }) =>
    items.map(({ code, messages }) => [code, messages.en?.text ?? null, messages.pt?.text ?? null])

  test('a bot says its own message, else that of the nearest level, and a message that is off is not said [C-3.46] [P-440]', async () => {
    const matrix = await of(admin, `/bot/${bot}/messages`)
    expect(said(matrix)).toEqual([
      ['bye', null, 'Até logo, loja'],
      ['HELLO', 'Hello', 'Oi da loja'],
      ['price', 'Price', null],
    ])
    const [bye, hello] = matrix.items
    expect(bye?.messages.pt).toMatchObject({ source: 'general', own: null })
    expect(hello?.messages.pt).toMatchObject({ source: 'own', general: { id: inherited, message: 'Olá' } })
    expect(hello?.messages.en).toMatchObject({ source: 'general', own: { enabled: false, revision: 1 } })
    expect(matrix).toMatchObject({ total: 3, locales: ['en', 'pt'], missing: { any: 2, en: 1, pt: 1 } })
  })

  test('a level shows what its messages and those above it say, its own first [P-440]', async () => {
    expect(said(await of(admin, '/localemessage/matrix'))).toEqual([
      ['bye', null, 'Tchau'],
      ['hello', 'Hello', 'Olá'],
      ['off', null, null],
    ])
    const matrix = await of(admin, `/localemessage/matrix?hierarchylevel=${shop}`)
    expect(said(matrix)).toEqual([
      ['bye', null, 'Até logo, loja'],
      ['hello', 'Hello', 'Olá'],
    ])
    expect(matrix.items[0]?.messages.pt).toMatchObject({ source: 'own', general: { message: 'Tchau' } })
    expect(said(await of(below, '/localemessage/matrix'))).toEqual([['bye', null, 'Até logo, loja']])
  })

  test('is searched, narrowed to what is missing in a language, and paged [P-440]', async () => {
    const codes = async (query: string) =>
      (await of(admin, `/bot/${bot}/messages?${query}`)).items.map(({ code }) => code)
    expect(await codes('search=LOJA')).toEqual(['bye', 'HELLO'])
    expect(await codes('missing=any')).toEqual(['bye', 'price'])
    expect(await codes('missing=pt')).toEqual(['price'])
    expect(await codes('size=1&page=2')).toEqual(['HELLO'])
    expect((await of(admin, `/bot/${bot}/messages?search=price`)).missing).toEqual({ any: 1, en: 0, pt: 1 })
    for (const wrong of ['missing=es', 'size=101', 'sort=code'])
      expect((await admin.get(`/bot/${bot}/messages?${wrong}`)).status, wrong).toBe(422)
  })

  test('shows only the existence of a text the caller may not read, and nothing of other levels [P-440]', async () => {
    const seen = await of(below, `/bot/${bot}/messages`)
    expect(seen.items.map(({ code }) => code)).toEqual(['bye', 'HELLO', 'price'])
    expect(seen.items[1]?.messages).toMatchObject({
      en: { text: null, source: 'hidden', general: null, own: { enabled: false } },
      pt: { text: 'Oi da loja', source: 'own', general: null },
    })
    expect(seen.missing).toEqual({ any: 2, en: 1, pt: 1 })
    const own = await of(ownOnly, `/bot/${bot}/messages`)
    expect(own.items.map(({ code }) => code)).toEqual(['HELLO', 'price'])
    expect((await of(bare, `/bot/${bot}/messages`)).total).toBe(0)
    expect((await of(below, `/bot/${bot}/messages?search=tchau`)).total).toBe(0)
    const root = (await admin.get('/userhierarchy')).body as unknown as { hierarchylevel: string }
    expect((await below.get(`/localemessage/matrix?hierarchylevel=${root.hierarchylevel}`)).status).toBe(404)
    const elsewhere = (await admin.post('/bot', { name: 'Outro' })).body.id
    expect((await below.get(`/bot/${elsewhere}/messages`)).status).toBe(404)
    expect((await ownOnly.get('/localemessage/matrix')).status).toBe(403)
    expect((await parley.anyone.get(`/bot/${bot}/messages`)).status).toBe(401)
  })
})
