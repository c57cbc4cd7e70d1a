import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { parley, admin } = await openAdmin()

const make = (entity: string, fields: object) => admin.create(entity, fields)

describe('names', () => {
  test('of many kinds come in one answer, without removed or hidden ones', async () => {
    const bot = await make('bot', { name: 'Vendas' })
    const gone = await make('bot', { name: 'Antigo' })
    await admin.delete(`/bot/${gone}`, { confirm: 'CONFIRM' })
    const task = await make('dialogtask', { name: 'Início', bot })
    const role = await make('role', { name: 'Só bots', actions: ['readbot'], services: [] })
    const ids = { bot: [bot, gone, 'none'], dialogtask: [task], role: [role] }
    expect(await admin.post('/names', { ids })).toMatchObject({ status: 200 })
    expect((await admin.post('/names', { ids })).body).toEqual({
      bot: { [bot]: 'Vendas' },
      dialogtask: { [task]: 'Início' },
      role: { [role]: 'Só bots' },
    })
    const group = await make('usergroup', { name: 'Bots', roles: [role] })
    const password = 'Parley-2026!'
    await make('user', { username: 'eva', email: 'eva@example.com', usergroup: [group], password })
    const eva = await parley.signIn('eva', password)
    expect((await eva.post('/names', { ids })).body).toEqual({ bot: { [bot]: 'Vendas' }, dialogtask: {}, role: {} })
  })

  test('are not given outside of the caller’s levels, but for roles and groups of the levels above', async () => {
    const root = (await admin.get('/userhierarchy')).body.hierarchylevel
    const south = await make('hierarchy', { name: 'Sul', parent: root })
    const bot = await make('bot', { name: 'Da matriz' })
    const role = await make('role', { name: 'Sulista', actions: ['readbot', 'readrole'], services: [] })
    const group = await make('usergroup', { name: 'Sulistas', roles: [role] })
    const password = 'Parley-2026!'
    const person = { username: 'sol', email: 'sol@example.com', usergroup: [group], password, hierarchylevel: south }
    await make('user', person)
    const sol = await parley.signIn('sol', password)
    expect((await sol.post('/names', { ids: { bot: [bot], role: [role] } })).body).toEqual({
      bot: {},
      role: { [role]: 'Sulista' },
    })
  })

  test('of an unknown kind, and of more than 500 ids, are refused', async () => {
    expect((await admin.post('/names', { ids: { unicorn: ['a'] } })).status).toBe(422)
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`)
    expect((await admin.post('/names', { ids: { bot: ids(251), role: ids(250) } })).status).toBe(422)
    expect((await admin.post('/names', { ids: { bot: ids(250), role: ids(250) } })).status).toBe(200)
  })
})

describe('a list sorted by a reference', () => {
  test('is in the order of the titles, and follows them when they change', async () => {
    const bot = await make('bot', { name: 'Ordem' })
    const schema = (name: string) => make('variableschema', { name, schemajson: { type: 'object' }, bot })
    const [zebra, acao] = [await schema('Zebra'), await schema('Ação')]
    for (const [name, held] of Object.entries({ um: zebra, dois: acao, tres: zebra, quatro: null }))
      await make('variable', { name, bot, schema: held })
    const namesBy = async (sort: string) =>
      (await admin.get(`/variable?bot=${bot}&sort=${sort}`)).body.items.map(row => row.name)
    expect(await namesBy('schema')).toEqual(['quatro', 'dois', 'um', 'tres'])
    expect(await namesBy('-schema')).toEqual(['tres', 'um', 'dois', 'quatro'])
    await admin.patch(`/variableschema/${zebra}`, { name: 'Abelha' }, 1)
    expect(await namesBy('schema')).toEqual(['quatro', 'um', 'tres', 'dois'])
    expect((await admin.get(`/variable?bot=${bot}&schema=${acao}`)).body.items).toMatchObject([{ name: 'dois' }])
  })
})
