import { describe, expect, test } from 'vitest'
import { nluProjectOf, trainedProject } from './nlu-project.ts'
import { openAdmin } from './open-parley.ts'
import { person } from './people.ts'

const LINES = {
  boleto: ['quero a segunda via do boleto', 'preciso do boleto', 'onde está meu boleto', 'me manda o boleto'],
  atendente: ['falar com um atendente', 'quero uma pessoa', 'me passa para um humano', 'preciso do boleto já'],
  agencia: ['onde fica a agência', 'agência mais perto', 'endereço da agência', 'que horas abre a agência'],
}

const { parley, admin } = await openAdmin()

const addLine = async (nluproject: string, intent: string, text: string) => {
  const { items } = (await admin.get(`/intent?nluproject=${nluproject}`)).body
  const row = items.find(({ name }) => name === intent)
  const statements = [...((row?.statements ?? []) as object[]), { text }]
  const { status } = await admin.patch(`/intent/${row?.id}`, { statements }, Number(row?.revision))
  expect(status).toBe(200)
}
const training = async (id: string) => (await admin.get(`/nluproject/${id}/training`)).body

describe('a trained model', () => {
  test('tells per intent how good it is, what it confused, and which lines of two intents look alike [N-5.15]', async () => {
    const id = await nluProjectOf(admin, 'Figuras', LINES)
    const model = await trainedProject(admin, id)
    const me = ((await admin.get('/auth/user')).body.user as { id: string }).id
    expect(model).toMatchObject({ number: 1, trained_by: me, figures: { lines: 12, intents: 3 } })
    const { status, text, body } = await admin.get(`/nluproject/${id}/evaluation?model=${model.id}`)
    expect(status, text).toBe(200)
    const { intents, confusion, wrong, pairs } = body as unknown as {
      intents: { name: string; count: number }[]
      confusion: { intent: string; found: string; count: number }[]
      wrong: { intent: string; found: string }[]
      pairs: { one: { intent: string }; other: { intent: string }; score: number }[]
    }
    expect(intents.map(({ name, count }) => [name, count])).toEqual([
      ['agencia', 4],
      ['atendente', 4],
      ['boleto', 4],
    ])
    expect(confusion.reduce((sum, { count }) => sum + count, 0)).toBe(12)
    const mistaken = confusion.filter(cell => cell.intent !== cell.found)
    expect(mistaken.reduce((sum, { count }) => sum + count, 0)).toBe(wrong.length)
    expect(body).toMatchObject({ lines: 12, right: 12 - wrong.length, f1: model.figures.f1 })
    expect(pairs.map(({ one, other }) => [one.intent, other.intent])).toEqual([['atendente', 'boleto']])
    expect((await admin.get(`/nluproject/${id}/evaluation?model=${'0'.repeat(64)}`)).body.code).toBe('nlu.model')
  })

  test('is compared with another line by line, on what they were trained with or on lines that are given [N-5.15]', async () => {
    const id = await nluProjectOf(admin, 'Dois', LINES)
    const first = await trainedProject(admin, id)
    await addLine(id, 'agencia', 'meu boleto chegou na agência')
    await addLine(id, 'boleto', 'fatura')
    const second = await trainedProject(admin, id)
    expect(second.number).toBe(2)
    const both = { model: second.id, other: first.id }
    const own = (await admin.post(`/nluproject/${id}/compare`, both)).body
    expect(own.lines).toBe(12)
    const lines = [
      { text: 'fatura', intent: 'boleto' },
      { text: 'onde fica a agência', intent: 'agencia' },
    ]
    const given = (await admin.post(`/nluproject/${id}/compare`, { ...both, lines })).body
    expect(given).toMatchObject({ lines: 2, right: 2, otherRight: 1, better: 1, worse: 0, total: 1 })
    expect(given.changed).toMatchObject([{ text: 'fatura', model: { intent: 'boleto', confidence: 1 } }])
    const parse = async (model: string) => (await admin.post(`/nluproject/${id}/parse`, { text: 'fatura', model })).body
    expect((await parse(second.id)).intent).toBe('boleto')
    expect((await parse(first.id)).model).toBe(first.id)
    expect((await admin.post(`/nluproject/${id}/compare`, { ...both, other: 'x' })).body.code).toBe('nlu.model')
  })

  test('stores which lines are reviewed, until they return to the list [P-920]', async () => {
    const id = await nluProjectOf(admin, 'Conferidas', LINES)
    const done = (line: string, is = true) =>
      admin.post(`/nluproject/${id}/reviewline`, { line, as: 'boleto', done: is })
    expect((await done('um')).status).toBe(200)
    await Promise.all([done('dois'), done('três'), done('um')])
    await done('dois', false)
    const { reviewed } = (await admin.get(`/nluproject/${id}`)).body
    expect((reviewed as { line: string }[]).map(({ line }) => line).toSorted()).toEqual(['três', 'um'])
    const level = String((await admin.get(`/nluproject/${id}`)).body.hierarchylevel)
    const { client } = await person(parley, admin, { username: 'leitora', level, actions: ['readnluproject'] })
    expect((await client.post(`/nluproject/${id}/reviewline`, { line: 'a', as: 'b' })).status).toBe(403)
  })

  test('is stale once its project changes, or one that it inherits from, and not any more when that is undone [N-5.11]', async () => {
    const parent = await nluProjectOf(admin, 'Matriz', LINES)
    const child = await nluProjectOf(admin, 'Filial', { tchau: ['tchau', 'até logo'] }, { inheritfrom: parent })
    expect(await training(child)).toMatchObject({ stale: null, untrained: null })
    await trainedProject(admin, child)
    expect(await training(child)).toMatchObject({ stale: false, untrained: 0 })
    await addLine(parent, 'boleto', 'cadê a fatura')
    expect(await training(child)).toMatchObject({ stale: true, untrained: 1 })
    const model = await trainedProject(admin, child)
    expect(model.figures.lines).toBe(15)
    expect(await training(child)).toMatchObject({ stale: false, untrained: 0 })
    const synonym = await admin.create('synonym', { nluproject: parent, value: 'boleto', synonyms: ['fatura'] })
    expect(await training(child)).toMatchObject({ stale: true, untrained: 0 })
    expect((await admin.delete(`/synonym/${synonym}`)).status).toBe(200)
    expect(await training(child)).toMatchObject({ stale: false })
  })
})
