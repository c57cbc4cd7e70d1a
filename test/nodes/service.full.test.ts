import { afterAll, beforeAll, expect, test } from 'vitest'
import { trainedModel } from '#test/api/nlu-project.ts'
import { type Cluster, type Node, reaching, startCluster } from './cluster.ts'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
  await reaching(cluster.nodes, true)
}, 120_000)
afterAll(() => cluster.close())

interface Service {
  readonly id: string
  readonly state: string
  readonly nodes: readonly { readonly node: string; readonly status: string }[]
}

const until = (read: () => unknown) => expect.poll(read, { timeout: 15_000, interval: 50 })
const servicesOf = async ({ admin }: Node, bot: string) =>
  ((await admin.get(`/bot/${bot}/services`)).body as unknown as { items: readonly Service[] }).items

test('reports how many running bots apply a production model or saved settings, without a frozen node [D-8.04] [P-978]', async () => {
  const [one, two, three] = cluster.nodes
  const nluproject = (await one.admin.post('/nluproject', { name: 'Banco', locale: 'pt' })).body.id
  const bot = (await one.admin.post('/bot', { name: 'Ana', nluenabled: true, nluproject })).body.id
  const model = await trainedModel(one.admin, 'intent', { nluproject })
  expect((await one.admin.post(`/bot/${bot}/start`)).status).toBe(200)
  const seen = async () => (await servicesOf(one, bot)).find(({ nodes }) => nodes.length === 3)?.nodes.length
  await until(seen).toBe(3)
  expect((await one.admin.post(`/nluproject/${nluproject}/setproduction`, { model })).status).toBe(200)
  const running = async (of: string) => (await one.admin.get(`/${of}/running`)).body
  expect(await running(`nluproject/${nluproject}`)).toEqual({ running: 3, updated: 3, heard: true })
  expect((await two.admin.get(`/nluproject/${nluproject}/running`)).body).toMatchObject({ running: 3, updated: 3 })

  process.kill(three.parley.pid, 'SIGSTOP')
  try {
    const began = performance.now()
    expect((await one.admin.patch('/nlusettings/nlusettings', { nluformattodownload: 'json' }, 0)).status).toBe(200)
    expect(await running('nlusettings/nlusettings')).toEqual({ running: 3, updated: 2, heard: true })
    expect(performance.now() - began).toBeLessThan(7_000)
  } finally {
    process.kill(three.parley.pid, 'SIGCONT')
  }
  await until(() => running('nlusettings/nlusettings')).toEqual({ running: 3, updated: 3, heard: true })
  await one.admin.post(`/bot/${bot}/stop`)
  expect(await running('nlusettings/nlusettings')).toEqual({ running: 0, updated: 0, heard: true })
}, 60_000)

test('every node says of the services that it runs; one that goes is missed at once and makes no change of state [R-94]', async () => {
  const [one, two, three] = cluster.nodes
  const bot = (await one.admin.post('/bot', { name: 'Bia', minservicesneeded: 1 })).body.id
  expect((await one.admin.post(`/bot/${bot}/start`)).status).toBe(200)
  for (const node of cluster.nodes) {
    await until(async () => (await servicesOf(node, bot))[0]?.nodes.length).toBe(3)
    await until(async () => (await node.admin.get(`/bot/${bot}`)).body.runningstatus).toBe('running')
  }
  const [service] = await servicesOf(two, bot)
  expect(new Set(service?.nodes.map(({ node }) => node)).size).toBe(3)
  // All three saw that it came up; one of them wrote it.
  expect((await one.admin.get(`/botservice/${service?.id}`)).body.revision).toBe(1)
  await three.parley.end('SIGTERM')
  for (const node of [one, two]) await until(async () => (await servicesOf(node, bot))[0]?.nodes.length).toBe(2)
  await two.admin.post(`/bot/${bot}/stop`)
  await until(async () => (await servicesOf(one, bot))[0]?.state).toBe('stopped')
  expect((await one.admin.get(`/botservice/${service?.id}`)).body.revision).toBe(2)
}, 60_000)
