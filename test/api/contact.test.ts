import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeCampaign } from './campaign.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin({ env: { LOG_LEVEL: 'debug' } })

const campaign = await makeCampaign(admin, 'natal')
const other = await makeCampaign(admin, 'pascoa')

const add = (fields: object, to = campaign) => admin.post('/contact', { campaign: to, ...fields })
const listed = async (of = campaign) => (await admin.get(`/contact?campaign=${of}`)).body

/** Everything in the data folder, as bytes. */
const stored = (): string =>
  readdirSync(parley.folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

describe('a contact', () => {
  let ana: string

  test('is added to a campaign with nome and field01 to field16 [D-9.24]', async () => {
    const made = await add({ phone: '31 8765-4321', nome: ' Ana ', field01: 'Belo Horizonte', field16: 'ouro' })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ hints: ['ninthdigit'] })
    ana = made.body.id
    expect((await listed()).items).toMatchObject([
      {
        id: ana,
        phone: '+5531987654321',
        country: 'BR',
        nome: 'Ana',
        fields: { field01: 'Belo Horizonte', field16: 'ouro' },
        upload: null,
        suppressed: false,
      },
    ])
    const unknown = await add({ phone: '11 98765-4321', field17: 'x' })
    expect(unknown.status).toBe(422)
  })

  test('is refused with what is wrong with its number, in the words of the person [P-1337]', async () => {
    const faults = { '5,51E+12': 'rounded', abc: 'format', '190': 'invalid', '0800 722 1234': 'kind' }
    for (const [phone, rule] of Object.entries(faults)) {
      const { status, body } = await add({ phone })
      expect(status).toBe(422)
      expect(body.errors, phone).toMatchObject([{ path: 'phone', params: { rule: `contactphone${rule}` } }])
    }
    const long = await add({ phone: '11 98765-4321', nome: 'x'.repeat(1025), field02: 'a\u202eb' })
    expect(long.body.errors).toMatchObject([
      { path: 'nome', code: 'toolong' },
      { path: 'field02', code: 'characters' },
    ])
  })

  test('is in a campaign once, however its number is written [P-1331]', async () => {
    const again = await add({ phone: '+55 31 98765-4321', nome: 'Outra' })
    expect(again.status).toBe(422)
    expect(again.body.errors).toMatchObject([{ path: 'phone', code: 'duplicate' }])
    const elsewhere = await add({ phone: '553187654321' }, other)
    expect(elsewhere.body.id).toBe(ana)
  })

  test('is found by number and by a part of its name, neither of which is part of an address [P-1338]', async () => {
    await add({ phone: '11 98765-0001', nome: 'José Conceição' })
    const found = async (search: string) =>
      (await admin.post('/contact/search', { campaign, search })).body.items.map(({ nome }) => nome)
    expect(await found('(31) 98765-4321')).toEqual(['Ana'])
    expect(await found('conceicao')).toEqual(['José Conceição'])
    expect(await found('650001')).toEqual(['José Conceição'])
    expect(await found('nobody')).toEqual([])
    expect((await admin.get(`/contact?campaign=${campaign}&search=ana`)).status).toBe(422)
  })

  test('is changed, and taken out of a campaign without the others losing it [P-1339]', async () => {
    const changed = await admin.patch(`/contact/${ana}`, { campaign, nome: 'Ana Lima', field01: '' }, '*')
    expect(changed.status).toBe(200)
    const { body } = await admin.get(`/contact/${ana}?campaign=${campaign}`)
    expect(body).toMatchObject({ nome: 'Ana Lima', phone: '+5531987654321', fields: { field16: 'ouro' } })
    const taken = await admin.patch(`/contact/${ana}`, { campaign, phone: '11 98765-0001' }, '*')
    expect(taken.body.errors).toMatchObject([{ path: 'phone', code: 'duplicate' }])
    expect((await admin.delete(`/contact/${ana}?campaign=${other}`)).status).toBe(204)
    expect((await listed(other)).total).toBe(0)
    expect((await listed()).total).toBe(2)
  })

  test('is not for those who may not see the campaign or lack the right [P-1340]', async () => {
    const below = await level(admin, 'filial')
    const actions = ['readcontact', 'createcontact', 'forgetcontact', 'readcampaign']
    const { client: outside } = await person(parley, admin, { username: 'de fora', level: below, actions })
    expect((await outside.get(`/contact?campaign=${campaign}`)).status).toBe(404)
    expect((await outside.post('/contact', { campaign, phone: '11 98765-0009' })).status).toBe(404)
    expect((await outside.post(`/contact/${ana}/forget`, { confirm: 'CONFIRM' })).status).toBe(404)
    expect((await outside.delete(`/contact/${ana}?campaign=${campaign}`)).status).toBe(403)
  })

  test('is forgotten in every campaign, with the number suppressed and the deed on record [P-1334]', async () => {
    await add({ phone: '553187654321', nome: 'Ana' }, other)
    expect((await admin.post(`/contact/${ana}/forget`, {})).status).toBe(422)
    expect((await admin.post(`/contact/${ana}/forget`, { confirm: 'CONFIRM' })).status).toBe(200)
    expect((await listed(other)).total).toBe(0)
    expect((await listed()).items.map(({ nome }) => nome)).toEqual(['José Conceição'])
    expect((await admin.get(`/contact/${ana}?campaign=${campaign}`)).status).toBe(404)
    const { body } = await admin.get('/audit?entity=contact')
    expect(body.items).toMatchObject([{ action: 'forgotten', entityid: ana }])
    await add({ phone: '553187654321', nome: 'Ana' }, other)
    expect((await listed(other)).items).toMatchObject([{ nome: 'Ana', suppressed: true }])
    expect((await listed(other)).items[0]?.id).not.toBe(ana)
  })

  test('leaves nothing in clear, neither in the data folder nor in what the gateway says [P-1333]', () => {
    expect(parley.log()).toContain('written')
    for (const text of [stored(), parley.log()])
      for (const clear of ['987654321', '98765-0001', 'Belo Horizonte', 'José']) expect(text).not.toContain(clear)
  })
})
