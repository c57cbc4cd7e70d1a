import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { isFull } from '#test/fixture/full.ts'
import type { Answer, Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

let projects = 0
const newProject = async (fields: object = {}): Promise<string> => {
  projects += 1
  return (await admin.post('/nluproject', { name: `Projeto ${projects}`, locale: 'pt', ...fields })).body.id
}

interface Given {
  readonly name?: string
  readonly query?: string
  readonly by?: Client
  readonly headers?: Record<string, string>
}

const upload = (project: string, content: string | Uint8Array<ArrayBuffer>, given: Given = {}): Promise<Answer> => {
  const { name = 'data.yml', query = '', by = admin, headers = {} } = given
  const body = new FormData()
  body.set('file', new Blob([content]), name)
  return by.send('POST', `/nluproject/${project}/upload${query}`, { body, headers })
}
const things = async (entity: string, project: string) =>
  (await admin.get(`/${entity}?nluproject=${project}&size=100&sort=${entity === 'synonym' ? 'value' : 'name'}`)).body
    .items
const linesOf = async (project: string) =>
  Object.fromEntries(
    (await things('intent', project)).map(({ name, statements }) => [
      name,
      (statements as { text: string }[]).map(({ text }) => text),
    ]),
  )

const FILE = `nlu:
- intent: saudar
  examples: |
    - oi
    - bom dia [Ana](nome)
- synonym: Ana
  examples: |
    - Aninha
- regex: cep
  examples: |
    - \\d{5}-\\d{3}
- lookup: unidade
  examples: |
    - UBS Centro
responses:
  utter_saudar:
  - text: Olá!
  utter_outra:
  - text: Sem intenção
stories:
- story: feliz
  steps:
  - intent: saudar
  - action: utter_saudar
`

/** Upload states in the history of a thing, oldest first. */
const uploadsOf = async (entity: string, id: string) => {
  const { items } = (await admin.get(`/${entity}/${id}/history`)).body
  const changes = (items as { changes: { path: string; after: unknown }[] }[]).flatMap(item => item.changes)
  return changes.filter(({ path, after }) => path === 'upload_status' && after !== 'none').map(({ after }) => after)
}

describe('a file of training data', () => {
  test('is previewed first: additions, changes and unsupported parts; writes nothing [N-6.5]', async () => {
    const project = await newProject()
    await admin.post('/intent', { nluproject: project, name: 'Saudar', statements: [{ text: 'oi' }] })
    const { status, body } = await upload(project, FILE, { query: '?dryrun=true' })
    expect([status, body]).toMatchObject([
      200,
      { added: 6, changed: 1, unchanged: 0, refused: 0, notunderstood: [{ code: 'response', name: 'utter_outra' }] },
    ])
    expect(body.rows).toContainEqual({ entity: 'intent', name: 'saudar', outcome: 'changed', count: 2 })
    expect(await linesOf(project)).toEqual({ Saudar: ['oi'] })
    expect(await things('synonym', project)).toEqual([])
  })

  test('is taken in as one process: new things, and to those that are there what they lack [N-6.5] [C-4.07]', async () => {
    const project = await newProject()
    await admin.post('/intent', { nluproject: project, name: 'saudar', statements: [{ id: 'mine', text: 'e aí' }] })
    const { status, body, text } = await upload(project, FILE)
    expect([status, body], text).toMatchObject([200, { added: 6, changed: 1, process: expect.any(String) }])
    expect(await linesOf(project)).toEqual({ saudar: ['e aí', 'oi', 'bom dia [Ana](nome)'] })
    expect(await things('nluprojectentity', project)).toMatchObject([
      { name: 'cep', type: 'system' },
      { name: 'nome', type: 'learned' },
      { name: 'unidade', type: 'lookup', lookup_data: [{ value: 'UBS Centro' }] },
    ])
    const row = (await admin.get(`/nluproject/${project}`)).body
    const finished = { upload_status: 'finished', uploaded_at: expect.any(String) }
    expect(row).toMatchObject(finished)
    const [story] = await things('story', project)
    expect(story).toMatchObject({ name: 'feliz', ...finished })
    expect(await uploadsOf('nluproject', project)).toEqual(['started', 'finished'])
    expect(await uploadsOf('story', String(story?.id))).toEqual(['started', 'finished'])
    expect((await admin.get(`/process/${String(body.process)}`)).body).toMatchObject({ state: 'finished', refused: [] })
    expect((await upload(project, FILE)).body).toMatchObject({ added: 0, changed: 0, unchanged: 7 })
  })

  test('downloaded in either format and uploaded elsewhere gives the same project [D-3.6.02] [N-6.1]', async () => {
    const [project, ...others] = [await newProject(), await newProject(), await newProject()]
    await upload(project, FILE)
    await admin.post('/intent', { nluproject: project, name: 'vazia' })
    const odd = { nluproject: project, name: 'estranha', statements: [{ text: '- \\[a] "b": <c> # d' }] }
    await admin.post('/intent', odd)
    for (const [at, format] of ['json', 'yaml'].entries()) {
      const file = await admin.get(`/nluproject/${project}/download?format=${format}`)
      expect(file.headers.get('content-disposition')).toContain(`.${format}`)
      expect(file.headers.get('content-type')).toContain(format)
      const other = others[at] ?? ''
      const taken = await upload(other, file.text, { name: `x.${format}` })
      expect(taken.status, taken.text).toBe(200)
      expect(await linesOf(other)).toEqual(await linesOf(project))
      expect((await admin.get(`/nluproject/${other}/download?format=${format}`)).text).toBe(file.text)
    }
  })

  test('has the format of the settings, unless the request names another [D-3.6.02]', async () => {
    const project = await newProject()
    await upload(project, FILE)
    const plain = async () => (await admin.get(`/nluproject/${project}/download`)).headers.get('content-type')
    expect(await plain()).toContain('yaml')
    const { revision } = (await admin.get('/nlusettings/nlusettings')).body
    await admin.patch('/nlusettings/nlusettings', { nluformattodownload: 'json' }, revision)
    expect(await plain()).toContain('json')
    expect((await admin.get(`/nluproject/${project}/download?format=xml`)).status).toBe(422)
  })

  test('of Dialogflow comes as an archive [N-6.6]', async () => {
    const project = await newProject()
    const phrase = [{ data: [{ text: 'luz ' }, { text: 'azul', meta: '@cor', alias: 'cor' }] }]
    const agent = {
      'agent.json': strToU8('{"language":"pt-br"}'),
      'intents/Ligar luz.json': strToU8(
        JSON.stringify({ name: 'Ligar luz', responses: [{ messages: [{ type: 0, speech: 'Ok' }] }] }),
      ),
      'intents/Ligar luz_usersays_pt-br.json': strToU8(JSON.stringify(phrase)),
      'entities/cor.json': strToU8(JSON.stringify({ name: 'cor' })),
      'entities/cor_entries_pt-br.json': strToU8(JSON.stringify([{ value: 'azul', synonyms: ['azul', 'anil'] }])),
    }
    expect((await upload(project, zipSync(agent) as Uint8Array<ArrayBuffer>, { name: 'agent.zip' })).status).toBe(200)
    expect(await linesOf(project)).toEqual({ 'Ligar luz': ['luz [azul](cor)'] })
    expect(await things('nluprojectentity', project)).toMatchObject([
      { name: 'cor', type: 'lookup', lookup_data: [{ value: 'azul', synonyms: ['anil'] }] },
    ])
  })

  test('with a refused row is refused whole, row by row, and leaves a failed upload [N-6.3] [C-4.07]', async () => {
    const project = await newProject()
    const regex = 'nlu:\n- intent: boa\n  examples: |\n    - oi\n- regex: má\n  examples: |\n    - (a+)+$\n'
    const refused = await upload(project, regex)
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'import.refused', rows: [{ entity: 'regex', name: 'má', outcome: 'refused' }, {}, {}] },
    ])
    expect(await uploadsOf('nluproject', project)).toEqual(['failed'])
    const long = `intent,text\nlonga,${'x'.repeat(isFull ? 1_000_000 : 100_000)}\n`
    expect((await upload(project, long, { name: 'a.csv' })).status).toBe(422)
    const wrong: readonly [string | Uint8Array<ArrayBuffer>, RegExp][] = [
      ['{"nlu": [], "nlu": []}', /twice/],
      ['nlu: [\n', /line \d cannot be read/],
      [Uint8Array.of(0xff, 0xfe, 0x61, 0x00), /not UTF-8/],
      [zipSync({ '../x.json': strToU8('{}') }) as Uint8Array<ArrayBuffer>, /leads out of it/],
      [zipSync({ 'x.json': new Uint8Array(65_000_000) }, { level: 1 }) as Uint8Array<ArrayBuffer>, /more than/],
      ['nothing', /nothing in it/],
    ]
    for (const [content, message] of wrong) {
      const { status, body } = await upload(project, content, { name: 'ruim' })
      expect([status, body.code], String(message)).toEqual([422, 'nlu.format'])
      expect((body.errors[0] as unknown as { message: string }).message).toMatch(message)
    }
    expect(await linesOf(project)).toEqual({})
    expect((await admin.get(`/nluproject/${project}`)).body).toMatchObject({
      upload_status: 'failed',
      uploaded_at: null,
    })
  }, 60_000)

  test('with 500 intents of one line each is taken in, once for one key [P-752]', async () => {
    const project = await newProject()
    const rows = Array.from({ length: 500 }, (_, at) => `intenção ${at},linha ${at} <b>&amp;`)
    const headers = { 'idempotency-key': 'quinhentas' }
    const file = ['intent,text', ...rows].join('\n')
    const first = await upload(project, file, { name: 'a.csv', headers })
    expect([first.status, first.body.added], first.text.slice(0, 500)).toEqual([200, 500])
    const again = await upload(project, file, { name: 'a.csv', headers })
    expect(again.body.process).toBe(first.body.process)
    expect((await admin.get(`/intent?nluproject=${project}`)).body.total).toBe(500)
  }, 60_000)

  test('is for those who may change all that is in it [P-750]', async () => {
    const here = await level(admin, 'Arquivos')
    const project = await newProject({ hierarchylevel: here })
    const actions = ['readnluproject', 'updatenluproject', 'createintent', 'updateintent']
    const { client } = await person(parley, admin, { username: 'metade', level: here, actions })
    const lacking = await upload(project, FILE, { by: client })
    expect([lacking.status, lacking.body.code]).toEqual([403, 'access.lacking'])
    expect((await upload(await newProject(), FILE, { by: client })).status).toBe(404)
    const { client: reader } = await person(parley, admin, {
      username: 'só lê',
      level: here,
      actions: ['readnluproject'],
    })
    expect((await upload(project, FILE, { by: reader })).status).toBe(403)
  })
})
