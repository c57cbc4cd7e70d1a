import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'
import { person } from './people.ts'

describe('the default theme of a bot', async () => {
  const { parley, admin } = await openAdmin()
  let bot: string

  const aBot = async (name: string) => {
    bot = (await admin.post('/bot', { name })).body.id
  }
  const make = async (name: string, fields: object = {}) => {
    const answer = await admin.post('/theme', { bot, name, ...fields })
    expect(answer.status, answer.text).toBe(201)
    return answer.body.id
  }
  const defaults = async () => (await admin.get(`/theme?bot=${bot}&default=true`)).body.items.map(({ name }) => name)
  const revisionOf = async (id: string) => (await admin.get(`/theme/${id}`)).body.revision

  test('a new one takes it from the old one in one command, and both say so in their history [P-443]', async () => {
    await aBot('Loja')
    const light = await make('Claro', { default: true, colors: { primary: '#112233' } })
    expect(await defaults()).toEqual(['Claro'])
    const dark = await make('Escuro', { default: true })
    expect(await defaults()).toEqual(['Escuro'])
    const changed = await admin.patch(`/theme/${light}`, { default: true, name: 'Claro novo' }, await revisionOf(light))
    expect(changed).toMatchObject({ status: 200, body: { revision: await revisionOf(light) } })
    expect(await defaults()).toEqual(['Claro novo'])
    const { items } = (await admin.get(`/theme/${dark}/history`)).body
    expect(items.at(-1)).toMatchObject({
      action: 'changed',
      actor: { username: 'admin' },
      changes: [{ path: 'default', before: true, after: false }],
    })
    const audit = (await admin.get(`/audit?entity=theme&entityid=${dark}&size=1`)).body.items[0]
    expect(audit).toMatchObject({ action: 'changed', changes: [{ path: 'default', after: false }] })
  })

  test('one that is brought back or restored takes it as well; other bots keep theirs [P-443]', async () => {
    await aBot('Primeiro')
    await make('Daqui', { default: true })
    const first = bot
    await aBot('Segundo')
    const old = await make('Antigo', { default: true })
    await admin.delete(`/theme/${old}`)
    const next = await make('Novo', { default: true })
    expect((await admin.post(`/theme/${old}/restore`, { revision: 1 })).status).toBe(200)
    expect(await defaults()).toEqual(['Antigo'])
    expect((await admin.post(`/theme/${next}/restore`, { revision: 2 })).status).toBe(200)
    expect((await admin.get(`/theme?bot=${first}&default=true`)).body.total).toBe(1)
    await admin.patch(`/theme/${old}`, { default: false }, await revisionOf(old))
    expect((await defaults()).length).toBeLessThan(2)
  })

  test('is set on one theme after several requests at once, and is unchanged by refused ones [P-443]', async () => {
    await aBot('Muitos')
    const ids = await Promise.all(['A', 'B', 'C', 'D'].map(name => make(name)))
    const answers = await Promise.all(ids.map(id => admin.patch(`/theme/${id}`, { default: true }, 1)))
    for (const { status } of answers) expect([200, 409]).toContain(status)
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect(await defaults()).toHaveLength(1)
    const before = await defaults()
    const [id = ''] = ids
    const refused = await admin.patch(
      `/theme/${id}`,
      { default: true, colors: { primary: 'red' } },
      await revisionOf(id),
    )
    expect(refused.status).toBe(422)
    expect(await defaults()).toEqual(before)
    const key = { 'idempotency-key': 'once-and-again' }
    const twice = [1, 2].map(() => admin.post('/theme', { bot, name: 'Chave', default: true }, key))
    const [one, other] = await Promise.all(twice)
    expect(one?.body.id).toBe(other?.body.id)
    expect(await defaults()).toEqual(['Chave'])
  })

  test('is not moved without the permission to change themes [P-443]', async () => {
    await aBot('Fechado')
    await make('Da casa', { default: true })
    const { hierarchylevel } = (await admin.get('/userhierarchy')).body as unknown as { hierarchylevel: string }
    const actions = ['readbot', 'readtheme', 'createtheme']
    const { client } = await person(parley, admin, { username: 'painter', level: hierarchylevel, actions })
    expect((await client.post('/theme', { bot, name: 'Dela', default: true })).status).toBe(403)
    expect(await defaults()).toEqual(['Da casa'])
  })
})
