import { describe, expect, test } from 'vitest'
import { trainedModel } from './nlu-project.ts'
import { openAdmin } from './open-parley.ts'

const { parley, admin } = await openAdmin()

const read = async () => (await admin.get('/nlusettings/nlusettings')).body
const change = async (fields: object) => admin.patch('/nlusettings/nlusettings', fields, (await read()).revision)

describe('the settings of NLU', () => {
  const whole = {
    authurl: 'https://nlu.example/token',
    parseurl: 'https://nlu.example/parse',
    clientsecret: 'segredo',
    project: 'saude',
    model: 'm1',
    timeout: 3000,
    minscore: 40,
  }

  test('are one for the installation, and keep their secret [D-3.6.01]', async () => {
    expect((await admin.get('/nlusettings')).body.items).toMatchObject([
      { id: 'nlusettings', revision: 0, authurl: null },
    ])
    expect((await change({ ...whole, nluformattodownload: 'json' })).status).toBe(200)
    const saved = await read()
    expect(saved).toMatchObject({ ...whole, clientsecret: { set: true }, nluformattodownload: 'json' })
    expect((await change({ nluformattodownload: 'xml' })).status).toBe(422)
  })

  test('are saved whole or not at all [D-5.01]', async () => {
    for (const name of Object.keys(whole)) {
      const { status, body } = await change({ [name]: null })
      expect([status, body.errors], name).toMatchObject([422, [{ path: name, code: 'required' }]])
    }
    expect((await admin.delete('/nlusettings/nlusettings')).status).toBe(200)
    const { errors } = (await change({ project: 'só' })).body
    expect(errors.map(({ path }) => path)).toEqual([
      'authurl',
      'parseurl',
      'clientsecret',
      'model',
      'timeout',
      'minscore',
    ])
  })

  test('take positive numbers alone, in the words of the specification [D-5.02]', async () => {
    for (const number of [0, -1]) {
      const { errors } = (await change({ ...whole, timeout: number, minscore: number })).body
      expect(errors).toMatchObject([
        { path: 'timeout', message: 'timeout is invalid,has to be a positive number' },
        { path: 'minscore', message: 'minscore is invalid, has to be a positive number' },
      ])
    }
  })

  test('report after a save how many running bots applied it: none, then one; not without the permission [D-8.04] [P-978]', async () => {
    const running = async () => (await admin.get('/nlusettings/nlusettings/running')).body
    expect((await change({ ...whole, timeout: 2000 })).status).toBe(200)
    expect(await running()).toEqual({ running: 0, updated: 0, heard: true })
    const bot = (await admin.post('/bot', { name: 'Bia', nluenabled: true })).body.id
    expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
    expect((await change({ timeout: 4000 })).status).toBe(200)
    expect(await running()).toEqual({ running: 1, updated: 1, heard: true })
    expect((await parley.anyone.get('/nlusettings/nlusettings/running')).status).toBe(401)
    expect((await admin.get('/nlusettings/none/running')).status).toBe(404)
  })

  test('report a model set for production in the same way [D-8.04] [P-978]', async () => {
    const nluproject = (await admin.post('/nluproject', { name: 'Banco', locale: 'pt' })).body.id
    const bot = (await admin.post('/bot', { name: 'Ana', nluenabled: true, nluproject })).body.id
    const running = async () => (await admin.get(`/nluproject/${nluproject}/running`)).body
    expect(await running()).toEqual({ running: 0, updated: 0, heard: true })
    expect((await admin.post(`/bot/${bot}/start`)).status).toBe(200)
    const model = await trainedModel(admin, 'intent', { nluproject })
    expect((await admin.post(`/nluproject/${nluproject}/setproduction`, { model })).status).toBe(200)
    expect(await running()).toEqual({ running: 1, updated: 1, heard: true })
  })
})
