import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '#test/fixture/full.ts'
import { makeCampaign } from './campaign.ts'
import { type Client, discard } from './harness.ts'
import { type HostedParley, openParley } from './open-parley.ts'
import { level, person } from './people.ts'

let parley: HostedParley
let admin: Client
let campaign: string
beforeAll(async () => {
  parley = await openParley()
  admin = await parley.signIn()
  campaign = await makeCampaign(admin, 'natal')
})
afterAll(() => discard(parley))

const phoneAt = (at: number) => `+55119${String(80_000_000 + at)}`
const bulk = (rows: unknown, { of = campaign, query = '', client = admin, headers = {} } = {}) =>
  client.post(`/contact/bulk?campaign=${of}${query}`, rows, headers)
const lines = (text: string, query = '') =>
  admin.send('POST', `/contact/bulk?campaign=${campaign}${query}`, {
    body: text,
    headers: { 'content-type': 'application/x-ndjson' },
  })
const listed = async (of = campaign) => (await admin.get(`/contact?campaign=${of}&size=100`)).body

describe('many contacts in one call', () => {
  test('are added, changed or left as they are, one number once [P-2630]', async () => {
    const consent = { source: 'loja', time: '2026-01-01T00:00:00Z' }
    const first = await bulk([
      { phone: '11 98765-0001', nome: 'Ana', field01: 'A1', consent },
      { phone: '(11) 98765-0002', nome: 'Bia' },
      { phone: '+5511987650001', nome: 'Outra' },
    ])
    expect(first.status, first.text).toBe(200)
    expect(first.body).toEqual({ added: 2, changed: 0, duplicates: 1, suppressed: 0, rejected: [] })
    await admin.post('/suppression', { phone: '11 98765-0002', reason: 'pediu' })
    const again = await bulk([
      { phone: '11 98765-0001', nome: 'Ana', field02: 'B2' },
      { phone: '11 98765-0002', nome: 'Bia' },
      { phone: '11 98765-0003', nome: 'Caio' },
    ])
    expect(again.body).toEqual({ added: 1, changed: 1, duplicates: 1, suppressed: 1, rejected: [] })
    const { items, total } = await listed()
    expect(total).toBe(3)
    expect(items.find(({ nome }) => nome === 'Ana')).toMatchObject({
      phone: '+5511987650001',
      fields: { field01: 'A1', field02: 'B2' },
      consent,
    })
  })

  test('are one object a line too; of faulty rows none is added, or the others with partial [P-2631]', async () => {
    const text = [
      '{"phone": "11 98765-0010", "nome": "Davi"}',
      '',
      '{"phone": "190"}',
      'no json',
      '{"phone": "11 98765-0011", "field17": "x"}',
      '{"phone": "11 98765-0012", "field01": "=HYPERLINK(\\"http://a\\")"}',
    ].join('\r\n')
    const refused = await lines(text)
    expect([refused.status, refused.body.errors.map(({ path }) => path)]).toEqual([422, ['1.phone', '2', '3.field17']])
    expect((await listed()).total).toBe(3)
    const partly = await lines(text, '&partial=true')
    expect(partly.body).toMatchObject({ added: 2, rejected: [{ row: 1, field: 'phone' }, { row: 2 }, { row: 3 }] })
    const [rejected] = partly.body.rejected as object[]
    expect(rejected).toMatchObject({ code: 'contactphoneinvalid', message: expect.stringMatching(/./u) })
    expect((await listed()).total).toBe(5)
  })

  test('are limited to 5,000 rows and 1 MB, and counted once for one Idempotency-Key [P-2632]', async () => {
    const rows = Array.from({ length: 5001 }, (_, at) => ({ phone: phoneAt(at) }))
    expect((await bulk(rows)).status).toBe(422)
    expect((await lines(rows.map(row => JSON.stringify(row)).join('\n'))).status).toBe(422)
    expect((await bulk([])).status).toBe(422)
    expect((await bulk([{ phone: phoneAt(0), nome: 'x'.repeat(1_100_000) }])).status).toBe(413)
    const headers = { 'idempotency-key': 'lote-1' }
    const one = await bulk([{ phone: '11 98765-0020' }], { headers })
    const two = await bulk([{ phone: '11 98765-0020' }], { headers })
    expect([one.body.added, two.body]).toEqual([1, one.body])
    expect((await bulk([{ phone: '11 98765-0021' }], { headers })).status).toBe(422)
  })

  test('are for callers who may add contacts, and changed by those who may change them [P-2633]', async () => {
    const hierarchylevel = String((await admin.get(`/campaign/${campaign}`)).body.hierarchylevel)
    const adds = ['readcampaign', 'readcontact', 'createcontact']
    const { client: adder } = await person(parley, admin, { username: 'soma', level: hierarchylevel, actions: adds })
    const changed = await bulk([{ phone: '11 98765-0001', nome: 'Trocada' }], { client: adder })
    expect(changed.body).toMatchObject({ added: 0, changed: 0, duplicates: 1 })
    const below = await level(admin, 'filial')
    const { client: outside } = await person(parley, admin, { username: 'fora', level: below, actions: adds })
    expect((await bulk([{ phone: '11 98765-0030' }], { client: outside })).status).toBe(404)
    const { client: reader } = await person(parley, admin, {
      ...{ username: 'leitora', level: hierarchylevel },
      actions: ['readcampaign', 'readcontact'],
    })
    expect((await bulk([{ phone: '11 98765-0030' }], { client: reader })).status).toBe(403)
    expect((await reader.get(`/contact/export?campaign=${campaign}`)).status).toBe(403)
  })

  test('leave as CSV with the right to export, formulas defused, and the audit has it [P-2634]', async () => {
    const { status, text } = await admin.get(`/contact/export?campaign=${campaign}`)
    expect(status).toBe(200)
    const [header, ...rows] = text.replace('\ufeff', '').trim().split('\r\n')
    expect(header).toMatch(/^phone,nome,field01,.*,field16,country,consent_source,consent_time,added,suppressed$/u)
    expect(rows).toHaveLength(6)
    expect(rows[0]).toMatch(/^'\+5511987650001,Ana,A1,B2,.*,BR,loja,2026-01-01T00:00:00Z,\d{4}-.*,false$/u)
    expect(rows[1]).toMatch(/^'\+5511987650002,Bia,.*,true$/u)
    expect(text).toContain(`"'=HYPERLINK(""http://a"")"`)
    const { body } = await admin.get('/audit?entity=contact')
    expect(body.items[0]).toMatchObject({ action: 'exported', changes: [{ path: 'campaign', after: campaign }] })
  })

  test('are added at 1,000 rows a second or more [P-2635]', async () => {
    const of = await makeCampaign(admin, 'muitos')
    const rows = Array.from({ length: 5000 }, (_, at) => ({ phone: phoneAt(at), nome: `Pessoa ${at}`, field01: 'A' }))
    const begun = performance.now()
    const { status, body } = await bulk(rows, { of })
    const perSecond = 5000 / ((performance.now() - begun) / 1000)
    expect([status, body.added]).toEqual([200, 5000])
    // Other work on the machine slows it down: the full form alone judges the rate.
    if (isFull) expect(perSecond).toBeGreaterThan(1000)
  })
})
