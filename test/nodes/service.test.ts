import { afterAll, beforeAll, expect, test } from 'vitest'
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
