import { expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()
const bots: string[] = []
for (const [name, stepdelay] of [
  ['Dez', 10],
  ['Vinte', 20],
  ['Trinta', 30],
] as const)
  bots.push((await admin.post('/bot', { name, stepdelay })).body.id)

const names = async (path: string) => {
  const { status, body } = await admin.get(path)
  expect(status).toBe(200)
  return body.items.map(({ name }) => name)
}

test.each([
  ['stepdelay=20', ['Vinte']],
  ['stepdelay=10..20', ['Dez', 'Vinte']],
  ['stepdelay=20..', ['Vinte', 'Trinta']],
  ['stepdelay=..15', ['Dez']],
  ['stepdelay=-5..5', []],
])('a range of numbers holds both of its ends: %s', async (filter, expected) => {
  expect(await names(`/bot?sort=stepdelay&${filter}`)).toEqual(expected)
})

test('a range of times holds both of its ends, and a day is all of it in UTC', async () => {
  const { body } = await admin.get(`/bot/${bots[1]}`)
  const at = encodeURIComponent(String(body.created_at))
  expect(await names(`/bot?created_at=${at}..${at}`)).toEqual(['Vinte'])
  expect(await names(`/bot?sort=name&created_at=..${at}`)).toEqual(['Dez', 'Vinte'])
  const dayOf = (time: unknown) => String(time).slice(0, 10)
  const day = dayOf(body.created_at)
  // A day may have ended between two of them.
  const { items } = (await admin.get('/bot?sort=name')).body
  const ofDay = items.filter(({ created_at }) => dayOf(created_at) === day).map(({ name }) => name)
  expect(await names(`/bot?sort=name&created_at=${day}`)).toEqual(ofDay)
  expect(await names(`/bot?sort=name&created_at=${day}..${day}`)).toEqual(ofDay)
  expect(await names('/bot?created_at=2020-01-01..2020-12-31')).toEqual([])
  const [signedIn] = (await admin.get('/user')).body.items
  const { body: users } = await admin.get(`/user?login_timestamp=${dayOf(signedIn?.login_timestamp)}..`)
  expect(users.items.map(({ username }) => username)).toEqual(['admin'])
})

test('an enumeration, a reference and a boolean narrow a list, alone and together with a search', async () => {
  await admin.post('/variable', { bot: bots[0], name: 'cpf', datatype: 'number' })
  await admin.post('/variable', { bot: bots[0], name: 'nome', datatype: 'string' })
  await admin.post('/variable', { bot: bots[1], name: 'cpf', datatype: 'string' })
  expect(await names('/variable?datatype=number')).toEqual(['cpf'])
  expect(await names(`/variable?sort=name&bot=${bots[0]}`)).toEqual(['cpf', 'nome'])
  expect(await names(`/variable?datatype=string&bot=${bots[1]}&search=CPF`)).toEqual(['cpf'])
  await admin.post('/localemessage', { locale: 'pt', code: 'a', message: 'a', enabled: false })
  await admin.post('/localemessage', { locale: 'pt', code: 'b', message: 'b' })
  const { body } = await admin.get('/localemessage?enabled=false')
  expect(body.items.map(({ code }) => code)).toEqual(['a'])
})

test.each(['stepdelay=..', 'stepdelay=a..b', 'stepdelay=1..2..3', 'created_at=yesterday', 'created_at=2020-13-01..'])(
  'refuses a malformed value or range: %s',
  async filter => {
    const { status, body } = await admin.get(`/bot?${filter}`)
    expect({ status, code: body.errors[0]?.code }).toEqual({ status: 422, code: 'format' })
  },
)

test('lists a bot by the language that it speaks: filtered, sorted and exported [P-2971]', async () => {
  const level = await admin.create('hierarchy', { name: 'Idiomas' })
  const spoken = {
    Tienda: { language: 'es', defaultlocale: 'en' },
    Loja: { language: 'pt', defaultlocale: 'en' },
    Shop: { defaultlocale: 'en' },
    Banca: {},
  }
  for (const [name, fields] of Object.entries(spoken))
    await admin.create('bot', { name, ...fields, hierarchylevel: level })
  const here = `hierarchylevel=${level}`
  expect(await names(`/bot?${here}&sort=name&language=pt`)).toEqual(['Banca', 'Loja'])
  expect(await names(`/bot?${here}&language=en`)).toEqual(['Shop'])
  expect(await names(`/bot?${here}&language=es`)).toEqual(['Tienda'])
  expect(await names(`/bot?${here}&sort=language`)).toEqual(['Shop', 'Tienda', 'Loja', 'Banca'])
  expect(await names(`/bot?${here}&sort=-language`)).toEqual(['Banca', 'Loja', 'Tienda', 'Shop'])

  const { text } = await admin.get(`/bot/export?${here}&sort=language`)
  const [header = [], ...records] = text
    .split('\r\n')
    .filter(Boolean)
    .map(line => line.split(','))
  const cells = (column: string) => records.map(record => record[header.indexOf(column)])
  expect(cells('language')).toEqual(['en', 'es', 'pt', 'pt'])
  expect(cells('defaultlocale')).toEqual(['en', 'en', 'en', 'pt'])
  const [shop] = (await admin.get(`/bot?${here}&language=en`)).body.items
  expect(shop).toMatchObject({ language: null, defaultlocale: 'en' })
})
