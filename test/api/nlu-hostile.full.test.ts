import { expect, test, vi } from 'vitest'
import { nluProjectOf, trainedProject, untilTrained } from './nlu-project.ts'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

const MILLION = 'ã'.repeat(1_000_000)
const LINES = { boleto: ['quero o boleto', 'segunda via do boleto'], oi: ['oi', 'olá', 'bom dia'] }
const upload = (project: string, file: string, name: string) => {
  const body = new FormData()
  body.append('file', new Blob([file]), name)
  return admin.send('POST', `/nluproject/${project}/upload?dryrun=false`, { body })
}

test('refuses a million characters in every text input, and stores nothing [P-1090]', async () => {
  const nluproject = await nluProjectOf(admin, 'Milhão', LINES)
  const { id: model } = await trainedProject(admin, nluproject)
  const refused = async (path: string, body: object) => {
    const { status } = await admin.post(path, body)
    expect([413, 422], path).toContain(status)
  }
  await refused('/intent', { nluproject, name: 'longa', statements: [{ text: MILLION }] })
  await refused('/synonym', { nluproject, value: MILLION, synonyms: ['x'] })
  await refused('/regex', { nluproject, name: 'r', entity: 'e', pattern: MILLION })
  await refused('/nluprojectentity', { nluproject, name: 'e', type: 'lookup', lookup_data: [{ value: MILLION }] })
  await refused('/story', { nluproject, name: 's', steps: [{ kind: 'action', name: 'say', text: MILLION }] })
  await refused(`/nluproject/${nluproject}/parse`, { text: MILLION, model })
  await refused(`/nluproject/${nluproject}/compare`, { model, other: model, lines: [{ text: MILLION, intent: 'oi' }] })
  await refused(`/nluproject/${nluproject}/checkstory`, { story: null, steps: [{ kind: 'action', name: MILLION }] })
  for (const [file, name] of [
    [`intent,text\nlonga,${MILLION}\n`, 'a.csv'],
    [`version: "3.1"\nnlu:\n- intent: longa\n  examples: |\n    - ${MILLION}\n`, 'a.yml'],
    [JSON.stringify({ text: MILLION, intent: 'longa' }), 'a.jsonl'],
  ] as const)
    expect((await upload(nluproject, file, name)).status, name).toBe(422)
  const { items, total } = (await admin.get(`/intent?nluproject=${nluproject}`)).body
  expect([total, items.map(({ name }) => name).toSorted()]).toEqual([2, ['boleto', 'oi']])
  expect((await admin.post(`/nluproject/${nluproject}/parse`, { text: 'oi', model })).body.intent).toBe('oi')
}, 60_000)

test('500 intents of one line each are trained, and the gateway answers meanwhile [P-1090]', async () => {
  const project = await admin.create('nluproject', { name: 'Quinhentas', locale: 'pt' })
  const rows = Array.from({ length: 500 }, (_, at) => `intenção ${at},linha ${at} <b>&amp; coisa${at * 7}`)
  expect((await upload(project, ['intent,text', ...rows].join('\n'), 'a.csv')).status).toBe(200)
  expect((await admin.post(`/nluproject/${project}/train`)).status).toBe(200)
  const row = await vi.waitFor(
    async () => {
      expect((await admin.get(`/nluproject/${project}/training`)).status).toBe(200)
      const { body } = await admin.get(`/nluproject/${project}`)
      expect(body.training_status).not.toBe('started')
      return body
    },
    { timeout: 150_000, interval: 100 },
  )
  expect([row.training_status, row.training_error]).toEqual(['finished', null])
  const [model] = row.models as { id: string; figures: { intents: number } }[]
  expect(model?.figures.intents).toBe(500)
  const answer = await admin.post(`/nluproject/${project}/parse`, {
    text: 'linha 7 <b>&amp; coisa49',
    model: model?.id,
  })
  expect(answer.body).toMatchObject({ intent: 'intenção 7', confidence: 1 })
}, 180_000)

test('an empty project is trained, parsed, compared, checked and downloaded with a reason each [P-1090]', async () => {
  const project = await admin.create('nluproject', { name: 'Nada', locale: 'pt' })
  await admin.post(`/nluproject/${project}/train`)
  expect(await untilTrained(admin, project)).toMatchObject({ status: 'failed', error: 'nointents' })
  const post = async (path: string, body: object) => {
    const answer = await admin.post(`/nluproject/${project}/${path}`, body)
    return [answer.status, answer.body.code]
  }
  expect(await post('parse', { text: 'oi' })).toEqual([409, 'nlu.model'])
  expect(await post('compare', { model: 'a', other: 'b' })).toEqual([409, 'nlu.model'])
  expect(await post('setproduction', { model: 'a' })).toEqual([422, 'validation.failed'])
  expect((await admin.post(`/nluproject/${project}/checkstory`, { story: null, steps: [] })).body.faults).toEqual([])
  expect((await admin.get(`/nluproject/${project}/unrecognized`)).body).toEqual({ items: [], more: false })
  expect((await admin.get(`/nluproject/${project}/download?format=yaml`)).status).toBe(200)
})
