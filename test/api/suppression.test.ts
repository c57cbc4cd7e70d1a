import { afterAll, describe, expect, test } from 'vitest'
import { OPT_OUT_WORDS } from '#schemas/entities/optoutsetting.ts'
import { person } from './people.ts'
import { startTemplateWorld } from './template-world.ts'

const world = await startTemplateWorld()
const campaign = await world.made('/campaign', {
  name: 'lista',
  template: await world.draft(),
  metaaccount: world.account,
})
const names = ['Ana', '=Bia', '']
for (const [at, nome] of names.entries())
  expect((await world.admin.post('/contact', { campaign, phone: `+551198765000${at + 1}`, nome })).status).toBe(201)
afterAll(() => world.close())

const stopped = async (): Promise<readonly string[]> => {
  const { items } = (await world.admin.get(`/contact?campaign=${campaign}`)).body
  return items
    .filter(({ suppressed }) => suppressed === true)
    .map(({ phone }) => String(phone))
    .toSorted()
}

describe('opted-out numbers', () => {
  test('are added by hand with a reason, under any spelling of the number [P-1765]', async () => {
    const refused = await world.admin.post('/suppression', { phone: '11 8765-0001', reason: ' ' })
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'reason'])
    const wrong = await world.admin.post('/suppression', { phone: '98765', reason: 'Pediu por telefone' })
    expect([wrong.status, wrong.body.errors?.[0]?.path]).toEqual([422, 'phone'])
    const reason = 'Pediu por telefone'
    const made = await world.admin.post('/suppression', { phone: '11 8765-0001', reason })
    expect([made.status, made.body], made.text).toEqual([200, { added: true }])
    const again = await world.admin.post('/suppression', { phone: '+55 11 98765-0001', reason })
    expect(again.body).toEqual({ added: false })
    expect(await stopped()).toEqual(['+5511987650001'])
  })

  test('are imported, and counted by source [P-1765]', async () => {
    const phones = ['(11) 98765-0002', '551187650002', 'abc', '11987650001']
    const { body } = await world.admin.post('/suppression/import', { phones, reason: 'Lista antiga', scope: 'all' })
    expect(body).toEqual({ added: 2, known: 1, invalid: [2] })
    const list = (await world.admin.get('/suppression')).body
    expect(list).toMatchObject({
      total: 3,
      bysource: [
        { source: 'hand', count: 1 },
        { source: 'import', count: 2 },
      ],
    })
    expect(JSON.stringify(list)).not.toContain('8765000')
  })

  test('are found by the whole number, with their history [P-1765]', async () => {
    const search = async (phone: string) => (await world.admin.post('/suppression/search', { phone })).body
    expect(await search('11 98765-0002')).toMatchObject({
      ...{ phone: '+5511987650002', marketing: true, utility: true },
      history: [{ kind: 'stop', category: '*', source: 'import', reason: 'Lista antiga', active: true }],
    })
    expect(await search('11 98765-0003')).toMatchObject({ marketing: false, utility: false, history: [] })
  })

  test('are listed with the name of their contact, with the right to read contacts alone [P-1940]', async () => {
    const { items } = (await world.admin.get('/suppression')).body
    expect(items.map(({ name, ends, source, campaign: of }) => [name, ends, source, of])).toEqual([
      ['Ana', '0001', 'import', null],
      ['=Bia', '0002', 'import', null],
      ['Ana', '0001', 'hand', null],
    ])
    const level = String((await world.admin.get(`/campaign/${campaign}`)).body.hierarchylevel)
    const given = { username: 'lista', level, actions: ['readsuppression'] }
    const { client: reader } = await person(world.parley, world.admin, given)
    const shown = (await reader.get('/suppression')).body
    expect(shown.items.map(({ name, ends }) => [name, ends])).toEqual([
      ['', ''],
      ['', ''],
      ['', ''],
    ])
    expect((await reader.get('/suppression/export')).status).toBe(403)
  })

  test('are exported as CSV without formulas, with the right to export contacts, and audited [P-1941]', async () => {
    const { status, text } = await world.admin.get('/suppression/export')
    expect(status).toBe(200)
    const [head, ...lines] = text.trim().split('\r\n')
    expect(head).toBe('time,phone,name,source,word,category,campaign,channel,bot,rule,reason')
    expect(lines.map(line => line.split(',').slice(1))).toEqual([
      ["'+5511987650001", 'Ana', 'import', '', '*', '', '', '', '', 'Lista antiga'],
      ["'+5511987650002", "'=Bia", 'import', '', '*', '', '', '', '', 'Lista antiga'],
      ["'+5511987650001", 'Ana', 'hand', '', 'marketing', '', '', '', '', 'Pediu por telefone'],
    ])
    const audit = () => world.admin.get('/audit?entity=suppression&size=100')
    await expect.poll(async () => (await audit()).body.items.map(({ action }) => action)).toContain('exported')
    expect((await audit()).text).not.toContain('87650001')
  })

  test('are lifted by hand with a reason, and each change is audited without the number [P-1765]', async () => {
    const { body } = await world.admin.post('/suppression/lift', { phone: '551187650001', reason: 'Engano' })
    expect(body).toEqual({ lifted: true, active: false })
    expect(await stopped()).toEqual(['+5511987650002'])
    const audit = await world.admin.get('/audit?entity=suppression&size=100')
    expect(audit.body.items.map(({ action }) => action).toSorted()).toEqual([
      ...['exported', 'imported', 'resumed', 'suppressed', 'suppressed'],
    ])
    expect(audit.text).toContain('Engano')
    expect(audit.text).not.toContain('87650001')
  })

  test('follow the words of a level, which has one setting at most [P-1763] [P-1946]', async () => {
    const { id } = (await world.admin.post('/optoutsetting', {})).body
    const setting = (await world.admin.get(`/optoutsetting/${id}`)).body
    expect(setting.words).toHaveLength(OPT_OUT_WORDS.length)
    expect(setting).toMatchObject({ startwords: ['VOLTAR A RECEBER', 'START'], scope: 'marketing', pass_to_bot: false })
    const { status, body } = await world.admin.post('/optoutsetting', {}, { 'accept-language': 'en' })
    expect([status, body.code]).toEqual([409, 'entity.exists'])
    expect(body.detail).toBe('This level has an opt-out setting already: change that one')
    const hierarchylevel = (await world.admin.post('/hierarchy', { name: 'Filial' })).body.id
    const both = await Promise.all([1, 2].map(() => world.admin.post('/optoutsetting', { hierarchylevel })))
    expect(both.map(answer => answer.status).toSorted()).toEqual([201, 409])
    const [kept] = both.filter(answer => answer.status === 201)
    const path = `/optoutsetting/${kept?.body.id}`
    const { revision } = (await world.admin.get(path)).body
    expect((await world.admin.delete(path)).status).toBe(200)
    expect((await world.admin.post('/optoutsetting', { hierarchylevel })).status).toBe(201)
    expect((await world.admin.post(`${path}/restore`, { revision })).body.code).toBe('entity.exists')
  })
})
