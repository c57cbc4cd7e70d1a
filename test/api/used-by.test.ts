import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'

const CONFIRM = { confirm: 'CONFIRM' }

const { parley, admin } = await openAdmin()
const bot = (await admin.post('/bot', { name: 'Clínica' })).body.id
const task = (await admin.post('/dialogtask', { name: 'Agenda', bot })).body.id
const elsewhere = (await admin.post('/dialogtask', { name: 'Recepção', bot })).body.id

const make = (entity: string, fields: object) => admin.create(entity, fields)
const usedBy = async (path: string) => (await admin.get(`/${path}/usedby`)).body.items
const calling = (dialogtask: string, id: string) => ({
  format: 'parley-flow',
  version: 1,
  operators: {
    jump: { type: 'gototask', title: 'Ir', top: 0, left: 0, properties: { task: dialogtask, dialog: id } },
    sub: { type: 'subdialog', title: 'Chamar', top: 120, left: 0, properties: { subScenario: id } },
  },
  links: {},
})

describe('an entity in use', () => {
  test('is not removed while a declared reference holds it, and the answer names what does', async () => {
    const role = await make('role', { name: 'Leitor', actions: ['readbot'], services: [] })
    const group = await make('usergroup', { name: 'Leitores', roles: [role] })
    expect(await usedBy(`role/${role}`)).toEqual([
      { entity: 'usergroup', id: group, title: 'Leitores', field: 'roles' },
    ])
    const refused = await admin.delete(`/role/${role}`, CONFIRM)
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'entity.used', detail: 'It is still used in one place' },
    })
    expect(refused.body.errors).toMatchObject([
      { path: 'roles', code: 'used', params: { entity: 'usergroup', id: group, title: 'Leitores' } },
    ])
    const person = await make('user', {
      username: 'rui',
      email: 'rui@example.com',
      usergroup: [group],
      password: 'Parley-2026!',
    })
    expect((await admin.delete(`/usergroup/${group}`, CONFIRM)).body).toMatchObject({ code: 'entity.used' })
    await admin.patch(`/user/${person}`, { usergroup: [] }, 1)
    expect((await admin.delete(`/usergroup/${group}`, CONFIRM)).status).toBe(200)
    // A removed group no longer blocks its roles.
    expect((await admin.delete(`/role/${role}`, CONFIRM)).status).toBe(200)
  })

  test('keeps a schema while a variable uses it', async () => {
    const schema = await make('variableschema', { name: 'Paciente', schemajson: { type: 'object' }, bot })
    const variable = await make('variable', { name: 'paciente', bot, schema })
    expect((await admin.delete(`/variableschema/${schema}`)).body).toMatchObject({ code: 'entity.used' })
    await admin.delete(`/variable/${variable}`)
    expect((await admin.delete(`/variableschema/${schema}`)).status).toBe(200)
  })

  test('keeps a dialog and its task while blocks of other flows use them', async () => {
    const called = await make('dialog', { name: 'Confirmar', dialogtask: task })
    const caller = await make('dialog', { name: 'Início', dialogtask: elsewhere })
    await admin.put(`/dialog/${caller}/flow`, calling(task, called))
    const uses = await usedBy(`dialog/${called}`)
    expect(uses).toContainEqual({
      entity: 'dialog',
      id: caller,
      title: 'Início',
      field: 'subScenario',
      flow: { dialog: caller, block: 'sub' },
    })
    for (const path of [`dialog/${called}`, `dialogtask/${task}`])
      expect((await admin.delete(`/${path}`, CONFIRM)).body).toMatchObject({ code: 'entity.used' })
    expect((await admin.get(`/dialog/${called}`)).status).toBe(200)
    await admin.put(`/dialog/${caller}/flow`, { ...calling(task, called), operators: {} })
    expect((await admin.delete(`/dialogtask/${task}`, CONFIRM)).status).toBe(200)
  })

  test('keeps an OAuth configuration while blocks use its id or, in its own bot, its name [P-442] [P-1814]', async () => {
    const configuration = (of: string) =>
      make('oauth', {
        bot: of,
        name: 'Correios',
        grant_type: 'password',
        access_token_url: 'https://cep.example/token',
      })
    const [oauth, foreign] = [await configuration(bot), await configuration(await make('bot', { name: 'Outra' }))]
    const calls = (oauthConfigName: string) => ({
      format: 'parley-flow',
      version: 1,
      operators: { call: { type: 'restservice', title: 'CEP', top: 0, left: 0, properties: { oauthConfigName } } },
      links: {},
    })
    const held = { entity: 'dialog', field: 'oauthConfigName' }
    const byName = await make('dialog', { name: 'Pelo nome', dialogtask: elsewhere })
    const byId = await make('dialog', { name: 'Pelo id', dialogtask: elsewhere })
    await admin.put(`/dialog/${byName}/flow`, calls('Correios'))
    await admin.put(`/dialog/${byId}/flow`, calls(oauth))
    const uses = await usedBy(`oauth/${oauth}`)
    expect(uses).toHaveLength(2)
    for (const id of [byName, byId])
      expect(uses).toContainEqual(expect.objectContaining({ ...held, id, flow: { dialog: id, block: 'call' } }))
    expect(await usedBy(`oauth/${foreign}`)).toEqual([])
    expect((await admin.delete(`/oauth/${foreign}`)).status).toBe(200)
    const refused = await admin.delete(`/oauth/${oauth}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'entity.used' } })
    expect(refused.body.errors).toHaveLength(2)

    expect((await admin.post(`/dialog/${byName}/publish`, {})).status).toBe(200)
    await admin.put(`/dialog/${byName}/flow`, calls('Correio'))
    const published = (await admin.post(`/dialog/${byName}/publish`, {}, { 'accept-language': 'en' })).body
    expect(published.code).toBe('flow.invalid')
    expect(published.errors).toHaveLength(Number((published.params as { count: number }).count))
    expect(published.errors).toContainEqual(
      expect.objectContaining({
        path: 'operators.call.properties.oauthConfigName',
        code: 'flow',
        message: '“CEP” points to nothing: choose OAuth configuration',
      }),
    )
    await admin.put(`/dialog/${byId}/flow`, calls(''))
    expect((await admin.delete(`/oauth/${oauth}`)).status).toBe(200)
  })

  test('is removed with everything that holds it', async () => {
    const inner = await make('dialogtask', { name: 'Interna', bot })
    const called = await make('dialog', { name: 'Um', dialogtask: inner })
    const caller = await make('dialog', { name: 'Dois', dialogtask: inner })
    await admin.put(`/dialog/${caller}/flow`, calling(inner, called))
    const { revision } = (await admin.get(`/dialogtask/${inner}`)).body
    await admin.patch(`/dialogtask/${inner}`, { principaldialog: called }, revision)
    expect((await admin.delete(`/dialog/${called}`, CONFIRM)).body).toMatchObject({ code: 'entity.used' })
    expect((await admin.delete(`/dialogtask/${inner}`, CONFIRM)).status).toBe(200)
  })

  test('clears references to removed entities when their holder is restored, and returns which', async () => {
    const role = await make('role', { name: 'Passageiro', actions: ['readbot'], services: [] })
    const other = await make('role', { name: 'Constante', actions: ['readbot'], services: [] })
    const group = await make('usergroup', { name: 'Grupo', roles: [role, other] })
    await admin.delete(`/usergroup/${group}`, CONFIRM)
    expect((await admin.delete(`/role/${role}`, CONFIRM)).status).toBe(200)
    const back = await admin.post(`/usergroup/${group}/restore`, { revision: 1 })
    expect(back).toMatchObject({ status: 200, body: { cleared: [{ path: 'roles', id: role }] } })
    expect((await admin.get(`/usergroup/${group}`)).body.roles).toEqual([other])
  })

  test('a tree comes back without the references to what was removed before it, at any depth', async () => {
    const tree = await make('dialogtask', { name: 'Árvore', bot })
    const old = await make('dialog', { name: 'Velho', dialogtask: tree })
    const kept = await make('dialog', { name: 'Novo', dialogtask: tree })
    await admin.patch(`/dialogtask/${tree}`, { principaldialog: old }, 1)
    await admin.patch(`/dialogtask/${tree}`, { principaldialog: kept }, 2)
    expect((await admin.delete(`/dialog/${old}`, CONFIRM)).status).toBe(200)
    expect((await admin.delete(`/dialogtask/${tree}`, CONFIRM)).status).toBe(200)
    const back = await admin.post(`/dialogtask/${tree}/restore`, { revision: 2 })
    expect(back).toMatchObject({ status: 200, body: { cleared: [{ path: 'principaldialog', id: old }] } })
    expect((await admin.get(`/dialogtask/${tree}`)).body.principaldialog).toBeNull()
    expect((await admin.get(`/dialog/${kept}`)).status).toBe(200)
    await admin.delete(`/dialogtask/${tree}`, CONFIRM)
    const whole = await admin.post(`/dialogtask/${tree}/restore`, { revision: 3 })
    expect(whole).toMatchObject({ status: 200 })
    expect(whole.body.cleared).toBeUndefined()
    expect((await admin.get(`/dialogtask/${tree}`)).body.principaldialog).toBe(kept)
  })

  test('stays where the caller may not see what uses it, and nobody is named', async () => {
    const role = await make('role', { name: 'Discreto', actions: ['readbot'], services: [] })
    await make('usergroup', { name: 'Secretíssimos', roles: [role] })
    const remover = await make('role', {
      name: 'Removedor',
      actions: ['readbot', 'readrole', 'deleterole'],
      services: [],
    })
    const group = await make('usergroup', { name: 'Removedores', roles: [remover] })
    const password = 'Parley-2026!'
    await make('user', { username: 'ana', email: 'ana@example.com', usergroup: [group], password })
    const ana = await parley.signIn('ana', password)
    expect(await ana.get(`/role/${role}/usedby`)).toMatchObject({
      status: 200,
      body: { items: [], total: 0, hidden: 1, kinds: [] },
    })
    const refused = await ana.delete(`/role/${role}`, CONFIRM)
    expect(refused).toMatchObject({ status: 409, body: { code: 'entity.used', params: { count: 1, hidden: 1 } } })
    expect(refused.text).not.toContain('Secret')
    expect((await ana.get(`/usergroup/${group}/usedby`)).status).toBe(403)
    expect((await admin.get('/bot/none/usedby')).status).toBe(404)
  })
})
