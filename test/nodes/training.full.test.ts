import { afterAll, beforeAll, expect, test } from 'vitest'
import { nluProjectOf } from '#test/api/nlu-project.ts'
import { type Cluster, reaching, startCluster } from './cluster.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
  await reaching(cluster.nodes, true)
}, 180_000)
afterAll(() => cluster.close())

/** Takes some seconds to train. */
const LARGE = Object.fromEntries(
  Array.from({ length: 12 }, (_, intent) => [
    `i${intent}`,
    Array.from({ length: 400 }, (_line, at) => `linha ${at} palavra${intent} coisa${at * 7}`),
  ]),
)

test('a training whose node dies is taken over by one of the others, and ends once [N-5.14] [P-1089]', async () => {
  const [one, two, three] = cluster.nodes
  const project = await nluProjectOf(one.admin, 'Interrompido', LARGE)
  expect((await three.admin.post(`/nluproject/${project}/train`)).status).toBe(200)
  const progress = async () => (await three.admin.get(`/nluproject/${project}/training`)).body.progress
  await expect.poll(progress, { interval: 20 }).not.toBeNull()
  await three.parley.end('SIGKILL')
  const row = async () => (await one.admin.get(`/nluproject/${project}`)).body
  expect((await row()).training_status).toBe('started')
  expect((await two.admin.post(`/nluproject/${project}/train`)).status).toBe(409)
  await expect.poll(async () => (await row()).training_status, { timeout: 120_000, interval: 200 }).toBe('finished')
  expect((await row()).models).toHaveLength(1)
  const { items } = (await two.admin.get(`/nluproject/${project}/history`)).body
  expect(items.filter(({ type }) => type === 'NluProjectTrainingFinished')).toHaveLength(1)
  const { body } = await two.admin.post(`/nluproject/${project}/parse`, {
    text: 'linha 3 palavra5 coisa21',
    model: ((await row()).models as unknown as readonly { id: string }[])[0]?.id,
  })
  expect(body).toMatchObject({ intent: 'i5', confidence: 1 })
}, 180_000)
