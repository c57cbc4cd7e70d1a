import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, discard, type Parley, startParley } from './harness.ts'

let parley: Parley
let admin: Client
beforeAll(async () => {
  parley = await startParley()
  admin = await parley.signIn()
})
afterAll(() => discard(parley))

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
})
