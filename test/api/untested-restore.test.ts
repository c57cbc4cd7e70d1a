import { expect, test } from 'vitest'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

test('a published flow comes back while tests fail with a reason, by who may publish untested [R-89] [P-1056]', async () => {
  const made = (entity: string, fields: object) => admin.create(entity, fields)
  const place = await level(admin, 'Loja')
  const { bot, dialog } = await admin.createDialog({ name: 'Loja', hierarchylevel: place }, 'Entrada', 'Recepção')
  await admin.put(`/dialog/${dialog}/flow`, {
    operators: { start: plainBlock('start', 0), hello: plainBlock('text', 90, { text: 'Olá' }) },
    links: { a: link('start', 'hello') },
  })
  expect((await admin.post(`/dialog/${dialog}/publish`, {})).status).toBe(200)
  const steps = [{ event: 'open' }, { bot: 'Tchau' }]
  const file = JSON.stringify({ format: 'parley-test', version: 1, name: 't', given: { dialog: 'Recepção' }, steps })
  const wrong = await made('conversationtest', { bot, name: 'Despede-se', file })
  expect((await admin.delete(`/dialog/${dialog}`, { confirm: 'CONFIRM' })).status).toBe(200)
  const restore = (more: object = {}, client = admin) =>
    client.post(`/dialog/${dialog}/restore`, { revision: 2, ...more })

  const refused = await restore()
  expect(refused).toMatchObject({ status: 422, body: { code: 'test.failed', params: { count: 1 } } })
  expect(refused.body.errors).toMatchObject([
    { code: 'test', params: { rule: 'message', bot, test: wrong, name: 'Despede-se', step: 2 } },
  ])
  const { client: drawer } = await person(parley, admin, {
    username: 'ivo',
    level: place,
    actions: ['readbot', 'readdialogtask', 'readdialog', 'updatedialog'],
  })
  expect((await restore({ reason: 'Feriado' }, drawer)).status).toBe(403)
  expect((await restore({ reason: ' ' })).status).toBe(422)
  expect((await restore({ reason: 'Feriado' })).status).toBe(200)
  expect((await admin.get(`/dialog/${dialog}`)).body).toMatchObject({ published: true, untestedreason: 'Feriado' })
  expect(JSON.stringify((await admin.get(`/dialog/${dialog}/history`)).body)).toContain('Feriado')
  // An entity without tests accepts no reason.
  await admin.delete(`/conversationtest/${wrong}`)
  expect((await admin.post(`/conversationtest/${wrong}/restore`, { revision: 1, reason: 'x' })).body).toMatchObject({
    errors: [{ path: 'reason', code: 'unknown' }],
  })
})
