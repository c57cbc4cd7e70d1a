import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type Client, discard, type ParleyProcess, startParley } from './harness.ts'
import { nluProjectOf, trainedProject, untilTrained } from './nlu-project.ts'

let parley: ParleyProcess | undefined
afterEach(async () => {
  await discard(parley)
  parley = undefined
})

const LINES = { boleto: ['quero o boleto', 'segunda via do boleto'], oi: ['oi', 'olá', 'bom dia'] }
/** Takes some seconds to train. */
const LARGE = Object.fromEntries(
  Array.from({ length: 12 }, (_, intent) => [
    `i${intent}`,
    Array.from({ length: 400 }, (_line, at) => `linha ${at} palavra${intent} coisa${at * 7}`),
  ]),
)

const begun = async (): Promise<Client> => {
  parley = await startParley()
  return parley.signIn()
}
const restarted = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<Client> => {
  const folder = parley?.folder ?? ''
  await parley?.end(signal)
  parley = await startParley({ folder })
  return parley.signIn()
}
const fileOf = async (admin: Client, project: string): Promise<string> => {
  const [model] = (await admin.get(`/nluproject/${project}`)).body.models as { file: string }[]
  const file = model?.file ?? ''
  return join(parley?.folder ?? '', 'files', file.slice(0, 2), file)
}
const parse = (admin: Client, project: string) => admin.post(`/nluproject/${project}/parse`, { text: 'oi' })

test('rebuilds a lost or damaged model file from the same data; otherwise reports it and loses nothing else [N-5.4] [P-921]', async () => {
  let admin = await begun()
  const production = async (name: string, word: string) => {
    const project = await nluProjectOf(admin, name, { ...LINES, outro: [word] })
    const { id } = await trainedProject(admin, project)
    await admin.post(`/nluproject/${project}/setproduction`, { model: id })
    return { project, id }
  }
  const same = await production('Igual', 'senha')
  const changed = await production('Mudou', 'fatura')
  writeFileSync(await fileOf(admin, same.project), 'damaged')
  await rm(await fileOf(admin, changed.project))
  await admin.create('intent', { nluproject: changed.project, name: 'tchau', statements: [{ text: 'tchau' }] })
  admin = await restarted('SIGTERM')
  expect((await parse(admin, same.project)).body).toMatchObject({ intent: 'oi', model: same.id })
  const { status, body } = await parse(admin, changed.project)
  expect([status, body.code]).toEqual([409, 'nlu.modelfile'])
  const { models } = (await admin.get(`/nluproject/${changed.project}`)).body
  expect(models).toMatchObject([{ id: changed.id, production: true }])
  const next = await trainedProject(admin, changed.project)
  await admin.post(`/nluproject/${changed.project}/setproduction`, { model: next.id })
  expect((await parse(admin, changed.project)).body.intent).toBe('oi')
})

test('a training whose node dies is done by the next one [N-5.14]', async () => {
  let admin = await begun()
  const project = await nluProjectOf(admin, 'Interrompido', LARGE)
  await admin.post(`/nluproject/${project}/train`)
  expect((await admin.get(`/nluproject/${project}/training`)).body.status).toBe('started')
  admin = await restarted('SIGKILL')
  const { status, models } = await untilTrained(admin, project)
  expect([status, models.length]).toEqual(['finished', 1])
}, 90_000)

test('refuses a training while ten wait, in the words of the specification [C-8.20]', async () => {
  const admin = await begun()
  const parent = await nluProjectOf(admin, 'Fila', LARGE)
  const projects: string[] = []
  for (let at = 0; at < 13; at += 1)
    projects.push(await admin.create('nluproject', { name: `Fila ${at}`, locale: 'pt', inheritfrom: parent }))
  const train = (project: string) => admin.post(`/nluproject/${project}/train`, {}, { 'accept-language': 'en' })
  const waiting = async (project = '') => (await admin.get(`/nluproject/${project}/training`)).body.waiting
  for (const project of projects.slice(0, 12)) expect((await train(project)).status).toBe(200)
  await vi.waitFor(async () => expect(await waiting(projects[11])).toBe(11))
  const [last = ''] = projects.slice(-1)
  const refused = await train(last)
  expect([refused.status, refused.body.detail]).toEqual([503, 'Can not send training request for now, try later'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await admin.get(`/nluproject/${last}`)).body.training_status).toBe('none')
  await admin.post(`/nluproject/${projects[4]}/cancel`)
  expect(await waiting(projects[11])).toBe(10)
  expect((await train(last)).status).toBe(200)
  await Promise.all(projects.map(project => admin.post(`/nluproject/${project}/cancel`)))
}, 30_000)
