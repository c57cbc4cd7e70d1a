import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTemplateWorld, type TemplateWorld } from './template-world.ts'

let world: TemplateWorld
let campaign: string
beforeAll(async () => {
  world = await startTemplateWorld()
  campaign = await world.made('/campaign', { name: 'lista', template: await world.draft(), metaaccount: world.account })
  for (const end of ['1', '2', '3'])
    expect((await world.admin.post('/contact', { campaign, phone: `+551198765000${end}` })).status).toBe(201)
})
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

  test('are lifted by hand with a reason, and each change is audited without the number [P-1765]', async () => {
    const { body } = await world.admin.post('/suppression/lift', { phone: '551187650001', reason: 'Engano' })
    expect(body).toEqual({ lifted: true, active: false })
    expect(await stopped()).toEqual(['+5511987650002'])
    const audit = await world.admin.get('/audit?entity=suppression&size=100')
    expect(audit.body.items.map(({ action }) => action).toSorted()).toEqual([
      ...['imported', 'resumed', 'suppressed', 'suppressed'],
    ])
    expect(audit.text).toContain('Engano')
    expect(audit.text).not.toContain('87650001')
  })

  test('follow the words that a level sets [P-1763]', async () => {
    const { id } = (await world.admin.post('/optoutsetting', {})).body
    const setting = (await world.admin.get(`/optoutsetting/${id}`)).body
    expect(setting.words).toHaveLength(19)
    expect(setting).toMatchObject({ startwords: ['VOLTAR A RECEBER', 'START'], scope: 'marketing', pass_to_bot: false })
  })
})
