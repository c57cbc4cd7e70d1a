import { describe, expect, test, vi } from 'vitest'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

const made = (entity: string, fields: object) => admin.create(entity, fields)
const read = async (entity: string, id: string) => (await admin.get(`/${entity}/${id}`)).body
const change = async (entity: string, id: string, fields: object) =>
  admin.patch(`/${entity}/${id}`, fields, (await read(entity, id)).revision)
const lines = (...texts: string[]) => texts.map(text => ({ text }))

const project = async (name: string): Promise<string> => {
  const nluproject = await made('nluproject', { name, locale: 'pt' })
  const intents = {
    boleto: lines('quero a segunda via do boleto', 'preciso do boleto', 'onde está meu boleto', 'me manda o boleto'),
    atendente: lines('falar com um atendente', 'quero uma pessoa', 'me passa para um humano', 'atendimento humano'),
    agencia: lines('onde fica a agência de [sampa](cidade)', 'agência mais perto', 'endereço da agência'),
  }
  for (const [intent, statements] of Object.entries(intents))
    await made('intent', { nluproject, name: intent, statements })
  const lookup_data = [{ value: 'São Paulo', synonyms: ['sampa'] }]
  await made('nluprojectentity', { nluproject, name: 'cidade', type: 'lookup', lookup_data })
  await made('nluprojectentity', { nluproject, name: 'date', type: 'system' })
  await made('regex', { nluproject, name: 'protocolo', entity: 'protocolo', pattern: '[A-Z]{2}\\d{6}' })
  return nluproject
}

const ended = async (entity: string, id: string) =>
  vi.waitFor(
    async () => {
      const row = await read(entity, id)
      expect(row.training_status).not.toBe('started')
      return row
    },
    { timeout: 20_000, interval: 50 },
  )

interface Model {
  readonly id: string
  readonly hash: string
  readonly test: boolean
  readonly figures: object
}

const trained = async (entity: string, id: string): Promise<Model> => {
  const { status, text } = await admin.post(`/${entity}/${id}/train`)
  expect(status, text).toBe(200)
  const row = await ended(entity, id)
  expect(row.training_status, String(row.training_error)).toBe('finished')
  return (row.models as Model[])[0] as Model
}

describe('training a project', () => {
  test('gives a model that is set for production and understands [C-4.08] [N-5.10] [N-5.14]', async () => {
    const id = await project('Banco')
    expect((await admin.post(`/nluproject/${id}/parse`, { text: 'boleto' })).body.code).toBe('nlu.model')
    const model = await trained('nluproject', id)
    expect(model).toMatchObject({ production: false, test: false, figures: { lines: 11, intents: 3 } })
    expect(model.hash).toMatch(/^[\da-f]{64}$/u)
    expect((await admin.post(`/nluproject/${id}/setproduction`, { model: 'none' })).status).toBe(422)
    expect((await admin.post(`/nluproject/${id}/setproduction`, { model: model.id })).status).toBe(200)
    const text = 'qual o endereço da agência de sampa, protocolo AB123456, até 12/05/2026'
    const { status, body } = await admin.post(`/nluproject/${id}/parse`, { text })
    expect(status).toBe(200)
    expect(body).toMatchObject({ intent: 'agencia', system: 'parley', model: model.hash })
    expect((body.entities as Record<string, string>[]).map(({ entity, value, by }) => [entity, value, by])).toEqual([
      ['cidade', 'São Paulo', 'lookup'],
      ['protocolo', 'AB123456', 'regex'],
      ['date', '2026-05-12', 'system'],
    ])
    expect((body.ranking as { name: string }[])[0]?.name).toBe('agencia')
    expect((body.reasons as { for: object[] }).for.length).toBeGreaterThan(0)
    expect((await admin.post(`/nluproject/${id}/parse`, { text, model: 'test' })).status).toBe(409)
    expect((await admin.post(`/nluproject/${id}/parse`, { text: 'xyz kkk' })).body.intent).toBeNull()
  })

  test('the same data give the same model, and a flag is of one model alone [C-3.32] [C-4.08] [N-5.4]', async () => {
    const id = await project('Igual')
    const first = await trained('nluproject', id)
    expect((await admin.post(`/nluproject/${id}/settest`, { model: first.id })).status).toBe(200)
    const again = await trained('nluproject', id)
    expect(again).toMatchObject({ hash: first.hash, test: true })
    await made('intent', { nluproject: id, name: 'tchau', statements: lines('tchau', 'até logo', 'adeus') })
    const other = await trained('nluproject', id)
    expect(other.hash).not.toBe(first.hash)
    await admin.post(`/nluproject/${id}/settest`, { model: other.id })
    const { models } = await read('nluproject', id)
    expect((models as Model[]).map(model => model.test)).toEqual([true, false])
    await admin.post(`/nluproject/${id}/setproduction`, { model: first.id })
    expect((await read('nluproject', id)).models).toMatchObject([
      { id: other.id, production: false, test: true },
      { id: first.id, production: true, test: false },
    ])
  })

  test('fails with the reason without lines, and can run again [C-4.07] [N-5.14]', async () => {
    const id = await made('nluproject', { name: 'Vazio', locale: 'pt' })
    await admin.post(`/nluproject/${id}/train`)
    expect(await ended('nluproject', id)).toMatchObject({ training_status: 'failed', training_error: 'nointents' })
    await made('intent', { nluproject: id, name: 'oi', statements: lines('oi', 'olá') })
    await trained('nluproject', id)
  })

  test('trains the stories of the project: each finishes or fails with its first fault [C-4.07] [C-3.38]', async () => {
    const id = await project('Histórias')
    const steps = (intent: string) => [
      { kind: 'intent', name: intent },
      { kind: 'action', name: 'utter_boleto', text: 'Aqui está.' },
    ]
    const good = await made('story', { nluproject: id, name: 'feliz', steps: steps('boleto') })
    const bad = await made('story', { nluproject: id, name: 'triste', steps: steps('nao_existe') })
    await trained('nluproject', id)
    const { training_started_at } = await read('nluproject', id)
    const ends = { training_started_at, training_finished_at: expect.any(String) }
    expect(await read('story', good)).toMatchObject({ ...ends, training_status: 'finished', training_error: null })
    expect(await read('story', bad)).toMatchObject({
      ...ends,
      training_status: 'failed',
      training_error: 'intent: nao_existe',
    })
    expect((await change('story', bad, { steps: steps('agencia') })).status).toBe(200)
    await trained('nluproject', id)
    expect(await read('story', bad)).toMatchObject({ training_status: 'finished', training_error: null })
  })

  test('refuses a second training meanwhile; and can be cancelled [C-8.19] [C-4.07] [N-5.14]', async () => {
    const id = await made('nluproject', { name: 'Grande', locale: 'pt' })
    for (let intent = 0; intent < 12; intent++) {
      const statements = Array.from({ length: 400 }, (_, at) => ({
        text: `linha ${at} palavra${intent} coisa${at * 7}`,
      }))
      await made('intent', { nluproject: id, name: `i${intent}`, statements })
    }
    const story = await made('story', { nluproject: id, name: 'feliz', steps: [{ kind: 'intent', name: 'i1' }] })
    expect((await admin.post(`/nluproject/${id}/train`)).status).toBe(200)
    const second = await admin.post(`/nluproject/${id}/train`, {}, { 'accept-language': 'en' })
    expect([second.status, second.body.detail]).toEqual([409, 'Training initiated by another user please wait'])
    const { body } = await admin.get(`/nluproject/${id}/training`)
    expect(body).toMatchObject({ status: 'started', error: null })
    expect(await read('nluproject', id)).toMatchObject({ training_status: 'started' })
    await expect.poll(() => read('story', story)).toMatchObject({ training_status: 'started' })
    expect((await admin.post(`/nluproject/${id}/cancel`)).status).toBe(200)
    expect(await read('nluproject', id)).toMatchObject({ training_status: 'failed', training_error: 'cancelled' })
    expect((await read('nluproject', id)).models).toEqual([])
    const cancelled = { training_status: 'failed', training_error: 'cancelled' }
    await expect.poll(() => read('story', story)).toMatchObject(cancelled)
  })

  test('a child uses the intents, entities, patterns and lines of its parent, its own first [C-3.31] [C-3.33] [N-5.11]', async () => {
    const parent = await project('Mãe')
    const child = await made('nluproject', { name: 'Filha', locale: 'pt', inheritfrom: parent })
    await made('intent', { nluproject: child, name: 'tchau', statements: lines('tchau', 'até logo', 'adeus') })
    const model = await trained('nluproject', child)
    expect(model.figures).toMatchObject({ intents: 4, lines: 14 })
    const { body } = await admin.post(`/nluproject/${child}/parse`, {
      text: 'qual o endereço da agência de sampa, protocolo AB123456, até 12/05/2026',
      model: model.id,
    })
    expect(body.intent).toBe('agencia')
    expect((body.entities as Record<string, string>[]).map(({ entity, value }) => [entity, value])).toEqual([
      ['cidade', 'São Paulo'],
      ['protocolo', 'AB123456'],
      ['date', '2026-05-12'],
    ])
  })

  test('a brain is trained from its questions [N-5.12]', async () => {
    const brain = await made('brain', { name: 'Perguntas', locale: 'pt' })
    await made('nluintent', {
      brain,
      name: 'horario',
      statements: lines('que horas abre', 'horário'),
      responses: lines('9h'),
    })
    await made('nluintent', { brain, name: 'site', statements: lines('qual o site', 'endereço na internet') })
    const model = await trained('brain', brain)
    await admin.post(`/brain/${brain}/setproduction`, { model: model.id })
    expect((await admin.post(`/brain/${brain}/parse`, { text: 'Que horas abre?' })).body.intent).toBe('horario')
  })
})
