import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Answer, Parley, ParleyProcess } from '#test/api/harness.ts'
import { link, plainBlock } from '#test/fixture/flow-parts.ts'
import { type Cluster, type Node, openClusterWithProcess, reaching } from './cluster.ts'

let cluster: Cluster<Parley, ParleyProcess>
let one: Node<Parley>
let two: Node<Parley>
let three: Node
let bot: string
let dialog: string

const until = (read: () => unknown) => expect.poll(read, { timeout: 10_000, interval: 50 })
const made = (entity: string, fields: object) => one.admin.create(entity, fields)

beforeAll(async () => {
  cluster = await openClusterWithProcess()
  ;[one, two, three] = cluster.nodes
  await reaching(cluster.nodes, true)
  bot = await made('bot', { name: 'Loja' })
  const dialogtask = await made('dialogtask', { name: 'Pedidos', bot })
  dialog = await made('dialog', { name: 'Prazo', dialogtask })
  await one.admin.put(`/dialog/${dialog}/flow`, {
    format: 'parley-flow',
    version: 1,
    operators: {
      start: plainBlock('start', 0),
      ask: plainBlock('prompt', 90, { varname: 'pedido', data: { type: 'number', text: 'Qual pedido?' } }),
      told: plainBlock('text', 180, { text: 'Pedido {{pedido}}' }),
    },
    links: { a: link('start', 'ask'), b: link('ask', 'told') },
  })
  for (const { admin } of [two, three])
    await vi.waitFor(async () => expect((await admin.get(`/dialog/${dialog}/flow`)).status).toBe(200), 10_000)
}, 120_000)
afterAll(() => cluster.close())

const texts = ({ body }: Answer) =>
  (body.said as unknown as readonly { readonly text: string }[]).map(said => said.text)
const begin = ({ admin }: Node<Parley>, more: object = {}) => admin.post(`/bot/${bot}/simulation`, { dialog, ...more })
const say = ({ admin }: Node<Parley>, simulation: unknown, text: string) =>
  admin.post(`/simulation/${simulation}/say`, { text })

test('an address that fails at two nodes waits at the third one, and another limit does not [P-1541]', async () => {
  const miss = ({ parley }: Node<Parley>) =>
    fetch(`${parley.origin}/botadmin/t/nowhere1`, { redirect: 'manual' }).then(({ status }) => status)
  for (let n = 0; n < 30; n++) expect(await Promise.all([miss(one), miss(two)])).toEqual([404, 404])
  // Below the limit: the third node does not reach it with its own tries.
  await expect.poll(() => miss(three), { timeout: 10_000, interval: 250 }).toBe(429)
  expect((await fetch(`${three.parley.origin}/botadmin/files/root/nothing`)).status).toBe(404)
})

test('continues a simulation on any node that receives a request, and replaces it there [P-1544]', async () => {
  const begun = await begin(one)
  expect([begun.status, texts(begun)]).toEqual([201, ['Qual pedido?']])
  const { simulation } = begun.body
  expect(texts(await say(two, simulation, '17')).at(-1)).toBe('Pedido 17')
  expect((await two.admin.post(`/simulation/${simulation}/step`, {})).body.code).toBe('simulation.turn')
  expect((await two.admin.post(`/simulation/${simulation}/test`, { name: 'x' })).text).toContain('17')
  const next = await begin(two, { replaces: simulation })
  expect(next.status).toBe(201)
  expect((await say(one, simulation, '18')).status).toBe(404)
  expect(texts(await say(three, next.body.simulation, '19')).at(-1)).toBe('Pedido 19')
})

test('returns the bot log of all nodes, and names a frozen node [P-1543]', async () => {
  const fields = { auth_token: 'zenvia-key', sender_number: 'sender', channel_verify_token: 'verify-zenvia' }
  const channel = await made('channel', { bot, type: 'whatsapp_zenvia', name: 'WhatsApp', ...fields })
  const refused = ({ parley }: Node<Parley>) =>
    fetch(`${parley.origin}/channel/${channel}/wrong`, { method: 'POST', body: '{}' }).then(({ status }) => status)
  for (const node of [two, three]) await until(() => refused(node)).toBe(401)
  const log = async () => (await one.admin.get(`/bot/${bot}/logs?level=warn&search=channel.refused`)).body
  // A node that is busy for a second is silent for one answer.
  await until(async () => {
    const { items, silent, heard } = await log()
    return { lines: items.length, silent, heard }
  }).toEqual({ lines: 2, silent: [], heard: true })
  process.kill(three.parley.pid, 'SIGSTOP')
  try {
    const began = performance.now()
    const { items, silent } = await log()
    expect(performance.now() - began).toBeLessThan(2_500)
    expect([items.length, silent]).toEqual([1, [expect.stringMatching(new RegExp(`-${three.parley.pid}$`))]])
  } finally {
    process.kill(three.parley.pid, 'SIGCONT')
  }
  await until(async () => (await log()).silent).toEqual([])
})

test('a simulation whose node was killed is answered as unknown [P-1544]', async () => {
  const { simulation } = (await begin(three)).body
  expect((await say(one, simulation, '20')).status).toBe(200)
  await three.parley.end('SIGKILL')
  const lost = await say(one, simulation, '21')
  expect([lost.status, lost.body.code]).toEqual([404, 'entity.notfound'])
  expect((await begin(one, { replaces: simulation })).status).toBe(201)
}, 20_000)
